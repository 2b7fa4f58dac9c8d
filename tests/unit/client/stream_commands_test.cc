// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <string>

#include "client/time.h"
#include "gmock/gmock.h"
#include "tests/unit/client/fairctl_fixture.h"

namespace fairsched::client {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class StreamCommandsTest : public FairctlTest {
 protected:
  StreamCommandsTest() {
    v1::UserUsage alice;
    alice.set_user("users/alice");
    alice.set_cpus(1.5);
    v1::UserUsage bob;
    bob.set_user("users/bob");
    bob.set_cpus(0.5);
    *bob.mutable_balance() = ToProto(absl::Milliseconds(-10));
    daemon_.usages = {alice, bob};
    v1::WatchUsageResponse snapshot;
    *snapshot.add_users() = alice;
    v1::WindowReport& window = *snapshot.add_windows();
    window.set_number(7);
    window.add_users()->set_user("users/alice");
    daemon_.stream = {snapshot, snapshot};
  }

  size_t Lines() const {
    const std::string text = out();
    return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  }
};

TEST_F(StreamCommandsTest, WatchPrintsALineAUserForEverySnapshot) {
  EXPECT_EQ(Run({"watch"}), ExitCode::kDone);

  EXPECT_EQ(Lines(), 3U);
  EXPECT_THAT(out(), StartsWith("TIME "));
  EXPECT_FALSE(daemon_.watch_usage.windows());
  EXPECT_FALSE(daemon_.watch_usage.has_interval());
}

TEST_F(StreamCommandsTest, WatchAsksForWindowsAndItsInterval) {
  EXPECT_EQ(Run({"watch", "--windows", "--interval", "250ms", "--no-headers"}),
            ExitCode::kDone);

  EXPECT_TRUE(daemon_.watch_usage.windows());
  EXPECT_EQ(FromProto(daemon_.watch_usage.interval()), absl::Milliseconds(250));
  EXPECT_EQ(Lines(), 2U);
  EXPECT_THAT(out(), StartsWith("     7  "));
}

TEST_F(StreamCommandsTest, WatchAsJsonIsOneObjectALine) {
  EXPECT_EQ(Run({"watch", "-o", "json"}), ExitCode::kDone);

  EXPECT_EQ(Lines(), 2U);
  EXPECT_THAT(out(), StartsWith("{"));
  EXPECT_THAT(out(), HasSubstr("\"missedCount\":\"0\"}\n{"));
}

TEST_F(StreamCommandsTest, WatchTellsOfMissedSnapshotsBesideTheOutput) {
  daemon_.stream[1].set_missed_count(3);

  EXPECT_EQ(Run({"watch"}), ExitCode::kDone);
  EXPECT_THAT(err(), HasSubstr("3 snapshots were missed"));
}

TEST_F(StreamCommandsTest, AnInterruptEndsAWatchThatWouldNeverEnd) {
  daemon_.stream_stays_open = true;
  Interrupt();

  EXPECT_EQ(Run({"watch"}), ExitCode::kDone);
  EXPECT_THAT(err(), IsEmpty());
}

TEST_F(StreamCommandsTest, AWatchThatTheDaemonRefusesIsAnError) {
  daemon_.stream.clear();
  daemon_.error =
      grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, "interval is 1ms");

  EXPECT_EQ(Run({"watch", "--interval", "1ms"}), ExitCode::kFailed);
  EXPECT_THAT(out(), IsEmpty());
  EXPECT_THAT(err(), HasSubstr("interval is 1ms"));
}

TEST_F(StreamCommandsTest, TopPrintsAsManyTablesAsAskedFor) {
  EXPECT_EQ(Run({"top", "-b", "-n", "2", "-d", "1ms"}), ExitCode::kDone);

  // Twice a line of the node, one of titles and two users; a blank between.
  EXPECT_EQ(Lines(), 9U);
  EXPECT_THAT(out(), StartsWith("00:00:00  CPUs 0.00: users 0.00"));
}

TEST_F(StreamCommandsTest, TopSortsByWhatIsAskedFor) {
  Run({"top", "-n", "1"});
  EXPECT_LT(out().find("alice"), out().find("bob"));

  Run({"top", "-n", "1", "--sort", "balance"});
  EXPECT_LT(out().find("bob"), out().find("alice"));
}

TEST_F(StreamCommandsTest, AnInterruptEndsTopAfterTheTableItShows) {
  Interrupt();

  EXPECT_EQ(Run({"top", "-d", "1h"}), ExitCode::kDone);
  EXPECT_EQ(Lines(), 4U);
}

TEST_F(StreamCommandsTest, TopOnATerminalRedrawsWithinItsSizeUntilQ) {
  int keys[2];
  ASSERT_EQ(pipe(keys), 0);
  ASSERT_EQ(write(keys[1], "xq", 2), 2);
  environment_.is_terminal = true;
  environment_.input_fd = keys[0];
  terminal_size_ = {.columns = 40, .lines = 3};

  EXPECT_EQ(Run({"top", "-d", "1h"}), ExitCode::kDone);
  EXPECT_THAT(out(), StartsWith("\x1b[?25l\x1b[2J\x1b[H"));
  EXPECT_THAT(out(), HasSubstr("alice"));
  EXPECT_THAT(out(), ::testing::Not(HasSubstr("bob"))) << "line 4 of 3";
  EXPECT_THAT(out(), ::testing::EndsWith("\x1b[J\x1b[?25h\n"));
  close(keys[0]);
  close(keys[1]);
}

TEST_F(StreamCommandsTest, TopShowsTheCursorAgainAfterAnError) {
  environment_.is_terminal = true;
  daemon_.usages.clear();
  environment_.connect = [](const std::string&) {
    return grpc::CreateChannel("unix:/nonexistent/api.sock",
                               grpc::InsecureChannelCredentials());
  };

  EXPECT_EQ(Run({"top", "-n", "1"}), ExitCode::kUnreachable);
  EXPECT_THAT(out(), ::testing::EndsWith("\x1b[?25h\n"));
}

TEST_F(StreamCommandsTest, TopAsJsonIsOneObjectALine) {
  EXPECT_EQ(Run({"top", "-n", "1", "-o", "json"}), ExitCode::kDone);

  EXPECT_EQ(Lines(), 1U);
  EXPECT_THAT(out(), StartsWith("{\"users\":["));
}

}  // namespace
}  // namespace fairsched::client
