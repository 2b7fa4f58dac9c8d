// SPDX-License-Identifier: Apache-2.0
#include "gmock/gmock.h"
#include "tests/unit/client/fairctl_fixture.h"

namespace fairsched::client {
namespace {

using ::testing::ElementsAre;

using GroupCommandsTest = FairctlTest;

TEST_F(GroupCommandsTest, SetNamesInTheMaskWhatWasGiven) {
  EXPECT_EQ(Run({"group", "set", "staff", "--shares", "300", "--parent", "all",
                 "--limit", "1.5cpu"}),
            ExitCode::kDone);
  const v1::UpdateGroupRequest& request = daemon_.update_group;
  EXPECT_EQ(request.group().name(), "groups/staff");
  EXPECT_EQ(request.group().parent(), "groups/all");
  EXPECT_EQ(request.group().shares(), 300);
  EXPECT_EQ(request.group().limit_millicpus(), 1500);
  EXPECT_THAT(request.update_mask().paths(),
              ElementsAre("parent", "shares", "limit_millicpus"));
  EXPECT_TRUE(request.allow_missing());
  EXPECT_EQ(out(), "set staff\n");
}

TEST_F(GroupCommandsTest, NoneAndRootAreMasksWithoutAValue) {
  EXPECT_EQ(Run({"group", "set", "staff", "--limit", "none", "--parent", "root",
                 "--etag", "e1"}),
            ExitCode::kDone);
  EXPECT_FALSE(daemon_.update_group.group().has_limit_millicpus());
  EXPECT_EQ(daemon_.update_group.group().parent(), "");
  EXPECT_THAT(daemon_.update_group.update_mask().paths(),
              ElementsAre("parent", "limit_millicpus"));
  EXPECT_FALSE(daemon_.update_group.allow_missing());
}

TEST_F(GroupCommandsTest, ListShowsHowTheyStand) {
  v1::GroupUsage& group = *daemon_.group_usage.add_groups();
  group.set_group("groups/staff");
  group.set_shares(300);
  group.set_limit_cpus(1.5);
  group.set_member_count(2);
  group.set_cpus(0.75);
  group.set_entitlement_cpus(1);
  EXPECT_EQ(Run({"group", "list"}), ExitCode::kDone);
  EXPECT_EQ(out(),
            "GROUP  PARENT  SHARES  LIMIT  USERS   CPU  SHARE  BALANCE\n"
            "staff  root       300   1.50      2  0.75   1.00   0.000s\n");
}

TEST_F(GroupCommandsTest, GetAndDeleteNameTheGroup) {
  EXPECT_EQ(Run({"group", "get", "groups/staff"}), ExitCode::kDone);
  EXPECT_EQ(out(),
            "group   staff\nparent  root\nshares  200\nlimit   1.5cpu\n"
            "etag\n");
  EXPECT_EQ(Run({"group", "delete", "staff", "--etag", "e1"}), ExitCode::kDone);
  EXPECT_EQ(daemon_.delete_group.name(), "groups/staff");
  EXPECT_EQ(daemon_.delete_group.etag(), "e1");
}

}  // namespace
}  // namespace fairsched::client
