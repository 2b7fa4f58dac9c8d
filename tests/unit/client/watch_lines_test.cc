// SPDX-License-Identifier: Apache-2.0
#include "client/watch_lines.h"

#include "client/time.h"
#include "gtest/gtest.h"

namespace fairsched::client {
namespace {

TEST(WatchLinesTest, ASnapshotIsALineAUserUnderItsTitles) {
  v1::WatchUsageResponse response;
  response.mutable_sample_time()->set_seconds(3600);
  response.mutable_sample_time()->set_nanos(250'000'000);
  v1::UserUsage& user = *response.add_users();
  user.set_user("users/alice");
  user.set_state(v1::UserUsage::STATE_HELD);
  user.set_cpus(1.25);
  user.set_entitlement_cpus(1);
  *user.mutable_balance() = ToProto(absl::Milliseconds(-250));
  *user.mutable_held() = ToProto(absl::Milliseconds(300));

  EXPECT_EQ(
      SnapshotTitles() + SnapshotLines(response, absl::UTCTimeZone()),
      "TIME          USER              STATE        CPU   SHARE    BALANCE"
      "      HELD\n"
      "01:00:00.250  alice             held        1.25    1.00    -0.250s"
      "    0.300s\n");
}

TEST(WatchLinesTest, AWindowIsALineAUserUnderItsTitles) {
  v1::WatchUsageResponse response;
  v1::WindowReport& window = *response.add_windows();
  window.set_number(42);
  window.set_end_cause(v1::WindowReport::END_CAUSE_ALL_SPENT);
  *window.mutable_length() = ToProto(absl::Milliseconds(1900));
  v1::WindowReport::UserWindow& user = *window.add_users();
  user.set_user("users/alice");
  *user.mutable_used() = ToProto(absl::Milliseconds(2100));
  *user.mutable_entitlement() = ToProto(absl::Seconds(2));
  *user.mutable_balance_before() = ToProto(absl::Milliseconds(-100));
  *user.mutable_balance_after() = ToProto(absl::Milliseconds(1900));
  *user.mutable_held() = ToProto(absl::ZeroDuration());

  EXPECT_EQ(WindowTitles() + WindowLines(response),
            "WINDOW  END         LENGTH  USER                  USED  ENTITLED"
            "     BEFORE      AFTER      HELD\n"
            "    42  all spent   1.900s  alice               2.100s    2.000s"
            "    -0.100s     1.900s    0.000s\n");
}

TEST(WatchLinesTest, NamesAreSanitised) {
  v1::WatchUsageResponse response;
  response.add_users()->set_user("users/\x1b[2J");

  EXPECT_EQ(SnapshotLines(response, absl::UTCTimeZone()).find('\x1b'),
            std::string::npos);
}

}  // namespace
}  // namespace fairsched::client
