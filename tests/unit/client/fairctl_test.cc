// SPDX-License-Identifier: Apache-2.0
#include "client/fairctl.h"

#include <ostream>
#include <streambuf>

#include "gmock/gmock.h"
#include "tests/unit/client/fairctl_fixture.h"

namespace fairsched::client {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(FairctlTest, TheAddressIsTheFlagElseTheVariableElseTheDefault) {
  daemon_.statuses.emplace_back();
  Run({"status"});
  EXPECT_EQ(dialled_, "unix:/run/fairsched/api.sock");

  environment_.address_variable = "unix:/tmp/variable.sock";
  Run({"status"});
  EXPECT_EQ(dialled_, "unix:/tmp/variable.sock");

  Run({"status", "--address", "unix:/tmp/flag.sock"});
  EXPECT_EQ(dialled_, "unix:/tmp/flag.sock");
}

TEST_F(FairctlTest, AWrongCommandLineReachesNobody) {
  const std::vector<std::vector<std::string>> lines = {
      {},
      {"nonsense"},
      {"user"},
      {"user", "set"},
      {"user", "get", "alice", "bob"},
      {"settings", "set"},
      {"settings", "set", "--window", "soon"},
      {"status", "--timeout", "-1s"},
      {"status", "-o", "yaml"},
      {"top", "-n", "0"},
      {"top", "--sort", "memory"},
      {"completion", "tcsh"},
  };
  for (const std::vector<std::string>& line : lines) {
    EXPECT_EQ(Run(line), ExitCode::kUsage) << ::testing::PrintToString(line);
    EXPECT_THAT(err(), HasSubstr("fairctl: "));
    EXPECT_THAT(out(), IsEmpty());
  }
  EXPECT_THAT(dialled_, IsEmpty());
}

TEST_F(FairctlTest, ARefusedValueIsNamedWithWhatIsAllowed) {
  EXPECT_EQ(Run({"settings", "set", "--floor", "nan"}), ExitCode::kUsage);

  EXPECT_THAT(err(), HasSubstr("--floor: 'nan' is not CPUs of 0..10000cpu"));
}

TEST_F(FairctlTest, HelpIsNoError) {
  EXPECT_EQ(Run({"--help"}), ExitCode::kDone);

  EXPECT_THAT(out(), HasSubstr("release-all"));
  EXPECT_THAT(err(), IsEmpty());
}

TEST_F(FairctlTest, AnErrorOfTheDaemonDecidesTheExitCode) {
  daemon_.error = grpc::Status(grpc::StatusCode::NOT_FOUND, "no user 'bob'");
  EXPECT_EQ(Run({"user", "get", "bob"}), ExitCode::kNotFound);
  EXPECT_EQ(err(), "fairctl: no user 'bob'\n");

  daemon_.error = grpc::Status(grpc::StatusCode::ABORTED, "old etag");
  EXPECT_EQ(Run({"user", "delete", "bob"}), ExitCode::kConflict);
}

TEST_F(FairctlTest, MessagesOfTheDaemonCannotDriveTheTerminal) {
  daemon_.error = grpc::Status(grpc::StatusCode::INTERNAL, "a\x1b[2Jb");

  EXPECT_EQ(Run({"settings", "get"}), ExitCode::kFailed);
  EXPECT_EQ(err(), "fairctl: a?[2Jb\n");
}

// Like a full disk.
class FullBuffer final : public std::streambuf {};

TEST_F(FairctlTest, OutputThatCannotBeWrittenIsAnError) {
  FullBuffer buffer;
  std::ostream full(&buffer);
  Environment environment{
      .out = full,
      .err = environment_.err,
      .address_variable = "",
      .terminal_size = environment_.terminal_size,
      .zone = environment_.zone,
      .connect = environment_.connect,
      .open_interrupt = environment_.open_interrupt,
  };

  EXPECT_EQ(RunFairctl({"settings", "get"}, environment), ExitCode::kFailed);
  EXPECT_THAT(err(), HasSubstr("can't write the output"));
}

TEST_F(FairctlTest, VersionShowsBothEnds) {
  v1::NodeStatus status;
  status.set_version("9.9");
  daemon_.statuses = {status};

  EXPECT_EQ(Run({"version"}), ExitCode::kDone);
  EXPECT_EQ(out(), "fairctl " FAIRSCHED_VERSION "\nfairschedd 9.9\n");
}

TEST_F(FairctlTest, VersionShowsTheClientWhereNoDaemonAnswers) {
  daemon_.error = grpc::Status(grpc::StatusCode::UNAVAILABLE, "nobody");

  EXPECT_EQ(Run({"version"}), ExitCode::kUnreachable);
  EXPECT_EQ(out(), "fairctl " FAIRSCHED_VERSION "\n");
}

TEST_F(FairctlTest, CompletionKnowsEveryCommandAndItsOptions) {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    EXPECT_EQ(Run({"completion", shell}), ExitCode::kDone);
    EXPECT_THAT(out(), HasSubstr("release-all"));
    EXPECT_THAT(out(), HasSubstr("list get set delete"));
    EXPECT_THAT(out(), HasSubstr("--display-name"));
    EXPECT_THAT(out(), HasSubstr("--address"));
  }
  EXPECT_THAT(dialled_, IsEmpty());
}

}  // namespace
}  // namespace fairsched::client
