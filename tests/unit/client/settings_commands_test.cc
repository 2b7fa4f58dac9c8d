// SPDX-License-Identifier: Apache-2.0
#include "client/time.h"
#include "gmock/gmock.h"
#include "tests/unit/client/fairctl_fixture.h"

namespace fairsched::client {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using SettingsCommandsTest = FairctlTest;

TEST_F(SettingsCommandsTest, SetNamesInTheMaskWhatWasGivenAndNothingElse) {
  EXPECT_EQ(Run({"settings", "set", "--window", "2s"}), ExitCode::kDone);

  const v1::UpdateSettingsRequest& request = daemon_.update_settings;
  EXPECT_EQ(request.settings().name(), "settings");
  EXPECT_EQ(FromProto(request.settings().window()), absl::Seconds(2));
  EXPECT_THAT(request.update_mask().paths(), ElementsAre("window"));
}

TEST_F(SettingsCommandsTest, SetCarriesEveryOption) {
  EXPECT_EQ(Run({"settings",         "set",
                 "--mode",           "enforce",
                 "--window",         "1m",
                 "--tick",           "50ms",
                 "--default-shares", "10",
                 "--floor",          "0.1cpu",
                 "--pacing",         "none",
                 "--exempt-uids",    "0,12",
                 "--uid-ranges",     "1000-1999,60600",
                 "--etag",           "e1"}),
            ExitCode::kDone);

  const v1::Settings& settings = daemon_.update_settings.settings();
  EXPECT_EQ(settings.mode(), v1::MODE_ENFORCE);
  EXPECT_EQ(FromProto(settings.window()), absl::Minutes(1));
  EXPECT_EQ(FromProto(settings.tick()), absl::Milliseconds(50));
  EXPECT_EQ(settings.default_shares(), 10);
  EXPECT_EQ(settings.floor_millicpus(), 100);
  EXPECT_EQ(settings.pacing(), v1::PACING_NONE);
  EXPECT_THAT(settings.exempt_uids(), ElementsAre(0, 12));
  ASSERT_EQ(settings.uid_ranges_size(), 2);
  EXPECT_EQ(settings.uid_ranges(0).last(), 1999);
  EXPECT_EQ(settings.uid_ranges(1).first(), 60600);
  EXPECT_EQ(settings.etag(), "e1");
  EXPECT_THAT(daemon_.update_settings.update_mask().paths(),
              ElementsAre("mode", "pacing", "window", "tick", "default_shares",
                          "floor_millicpus", "uid_ranges", "exempt_uids"));
}

TEST_F(SettingsCommandsTest, DefaultIsAMaskWithoutAValue) {
  EXPECT_EQ(Run({"settings", "set", "--floor", "default"}), ExitCode::kDone);

  EXPECT_FALSE(daemon_.update_settings.settings().has_floor_millicpus());
  EXPECT_THAT(daemon_.update_settings.update_mask().paths(),
              ElementsAre("floor_millicpus"));
}

TEST_F(SettingsCommandsTest, AListIsEmptiedByTheWordNone) {
  EXPECT_EQ(
      Run({"settings", "set", "--uid-ranges", "none", "--exempt-uids", "none"}),
      ExitCode::kDone);

  EXPECT_EQ(daemon_.update_settings.settings().uid_ranges_size(), 0);
  EXPECT_EQ(daemon_.update_settings.settings().exempt_uids_size(), 0);
  EXPECT_THAT(daemon_.update_settings.update_mask().paths(),
              ElementsAre("uid_ranges", "exempt_uids"));
}

TEST_F(SettingsCommandsTest, AListHasNoDefaultThatTheDaemonCouldRestore) {
  EXPECT_EQ(Run({"settings", "set", "--uid-ranges", "default"}),
            ExitCode::kUsage);
}

TEST_F(SettingsCommandsTest, TheLastOfARepeatedOptionHolds) {
  EXPECT_EQ(Run({"settings", "set", "--window", "2s", "--window", "3s"}),
            ExitCode::kDone);

  EXPECT_EQ(FromProto(daemon_.update_settings.settings().window()),
            absl::Seconds(3));
}

TEST_F(SettingsCommandsTest, GetShowsValuesAsTheyAreWritten) {
  v1::Settings& settings = daemon_.settings;
  settings.set_mode(v1::MODE_OBSERVE);
  *settings.mutable_window() = ToProto(absl::Milliseconds(2500));
  *settings.mutable_tick() = ToProto(absl::Milliseconds(100));
  settings.set_default_shares(100);
  settings.set_floor_millicpus(50);
  settings.set_pacing(v1::PACING_FEEDBACK);
  v1::UidRange& range = *settings.add_uid_ranges();
  range.set_first(1000);
  range.set_last(59999);
  settings.add_exempt_uids(0);
  settings.set_etag("e1");

  EXPECT_EQ(Run({"settings", "get"}), ExitCode::kDone);
  EXPECT_EQ(out(),
            "mode            observe\n"
            "window          2.5s\n"
            "tick            100ms\n"
            "interval        auto\n"
            "default-limit   none\n"
            "default-steal   0\n"
            "default-shares  100\n"
            "floor           50m\n"
            "pacing          feedback\n"
            "uid-ranges      1000-59999\n"
            "exempt-uids     0\n"
            "etag            e1\n");
}

TEST_F(SettingsCommandsTest, GetAsJsonHasTheNamesOfTheApi) {
  daemon_.settings.set_floor_millicpus(0);

  EXPECT_EQ(Run({"settings", "get", "-o", "json"}), ExitCode::kDone);
  EXPECT_THAT(out(), HasSubstr("\"floorMillicpus\": 0"));
  EXPECT_THAT(out(), HasSubstr("\"exemptUids\": []"));
}

}  // namespace
}  // namespace fairsched::client
