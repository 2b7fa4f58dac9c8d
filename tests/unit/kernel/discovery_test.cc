// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/discovery.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "agent/core/expand.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/fake_systemd_node.h"

namespace fairsched::kernel {
namespace {

using core::CgroupSelector;
using core::Selector;
using core::UidSelector;
using core::UnitSelector;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

core::UserPolicy Defined(const core::UserId& id,
                         std::vector<Selector> selectors) {
  return {.id = id, .selectors = std::move(selectors)};
}

class DiscoveryTest : public ::testing::Test {
 protected:
  Discovered Find(std::vector<core::UserPolicy> users = {}) {
    return Discover(node_.proc, node_.kMount,
                    core::Policy({}, std::move(users), {}, names_), own_);
  }
  // "USER PATH" of each, with " !" if it is refused.
  std::vector<std::string> Found(std::vector<core::UserPolicy> users = {}) {
    std::vector<std::string> lines;
    const Discovered found = Find(std::move(users));
    EXPECT_TRUE(found.first_error.ok()) << found.first_error;
    for (const AdoptedCgroup& cgroup : found.adoption.cgroups) {
      lines.push_back(absl::StrCat(cgroup.user, " ", cgroup.path,
                                   cgroup.refused.has_value() ? " !" : ""));
    }
    return lines;
  }

  testing::FakeSystemdNode node_;
  core::KnownNames names_;
  std::string own_ = "/system.slice/fairschedd.service";
};

TEST_F(DiscoveryTest, SlicesOfManagedAndExemptUidsAreUsers) {
  for (const int64_t uid : {0, 112, 1001, 1002}) node_.Login(uid);
  node_.MakeCgroup("/user.slice/other.scope");

  EXPECT_THAT(Found({Defined("bob", {UidSelector(1002)})}),
              ElementsAre("bob /user.slice/user-1002.slice",
                          "uid-0 /user.slice/user-0.slice",
                          "uid-1001 /user.slice/user-1001.slice"));
}

TEST_F(DiscoveryTest, WhatAUserThatExpandsSelectsAreUsersOfTheirOwn) {
  node_.Login(1001);
  node_.Login(1002);
  for (const char* path : {"/machine.slice/a.scope", "/machine.slice/b.scope",
                           "/system.slice/backup.service"})
    node_.MakeCgroup(path);
  core::UserPolicy each =
      Defined("each", {UidSelector(1001), UnitSelector("backup.service"),
                       CgroupSelector("machine.slice/*")});
  each.expand = true;
  const auto line = [](absl::string_view match, absl::string_view path) {
    return absl::StrCat(core::ExpandedId("each", match), " ", path);
  };

  EXPECT_THAT(
      Found({each}),
      UnorderedElementsAre(
          line("uid-1001", "/user.slice/user-1001.slice"),
          line("/system.slice/backup.service", "/system.slice/backup.service"),
          line("/machine.slice/a.scope", "/machine.slice/a.scope"),
          line("/machine.slice/b.scope", "/machine.slice/b.scope"),
          "uid-1002 /user.slice/user-1002.slice"));
}

TEST_F(DiscoveryTest, AUserMayHaveCgroupsOfEveryKind) {
  node_.Login(1001);
  node_.MakeCgroup("/system.slice/backup.service");
  node_.MakeCgroup("/machine.slice/a.scope");
  node_.MakeCgroup("/machine.slice/b.scope");
  node_.MakeCgroup("/machine.slice/c.service");

  EXPECT_THAT(Found({Defined("alice",
                             {UidSelector(1001), UnitSelector("backup.service"),
                              CgroupSelector("machine.slice/*.scope"),
                              CgroupSelector("not/there")})}),
              ElementsAre("alice /machine.slice/a.scope",
                          "alice /machine.slice/b.scope",
                          "alice /system.slice/backup.service",
                          "alice /user.slice/user-1001.slice"));
}

TEST_F(DiscoveryTest, AUnitIsFoundInWhateverSliceOfTheSystemItIs) {
  node_.MakeCgroup("/batch.slice");
  node_.MakeCgroup("/batch.slice/batch-night.slice");
  node_.MakeCgroup("/batch.slice/batch-night.slice/sort.service");
  node_.Login(1001);
  node_.MakeCgroup(node_.SliceOf(1001) + "/sort.service");

  EXPECT_THAT(Found({Defined("sort", {UnitSelector("sort.service")}),
                     Defined("x", {UnitSelector("user-1001.slice")})}),
              ElementsAre("sort /batch.slice/batch-night.slice/sort.service",
                          "x /user.slice/user-1001.slice"));
}

TEST_F(DiscoveryTest, TheFirmestSelectorHasTheCgroup) {
  node_.Login(1001);
  node_.MakeCgroup("/system.slice/web.service");
  const core::UserPolicy long_glob =
      Defined("a", {CgroupSelector("system.slice/web.*")});
  const core::UserPolicy short_glob =
      Defined("b", {CgroupSelector("system.slice/w*"),
                    CgroupSelector("user.slice/user-*.slice")});
  const core::UserPolicy path =
      Defined("c", {CgroupSelector("system.slice/web.service")});
  const core::UserPolicy unit = Defined("d", {UnitSelector("web.service")});
  const core::UserPolicy uid = Defined("e", {UidSelector(1001)});

  EXPECT_THAT(Found({short_glob}),
              ElementsAre("b /system.slice/web.service",
                          "b /user.slice/user-1001.slice"));
  EXPECT_THAT(Found({short_glob, long_glob}),
              ElementsAre("a /system.slice/web.service",
                          "b /user.slice/user-1001.slice"));
  EXPECT_THAT(Found({short_glob, long_glob, path}),
              Contains("c /system.slice/web.service"));
  EXPECT_THAT(Found({short_glob, long_glob, path, unit, uid}),
              ElementsAre("d /system.slice/web.service",
                          "e /user.slice/user-1001.slice"));
}

TEST_F(DiscoveryTest, AUnixGroupHasTheSlicesThatNothingElseSelects) {
  for (const int64_t uid : {0, 1001, 1002, 1003, 1004}) node_.Login(uid);
  names_.unix_groups["staff"] = {0, 1001, 1002, 1003};

  EXPECT_THAT(Found({Defined("a", {UidSelector(1001)}),
                     Defined("b", {CgroupSelector("user.slice/user-*2.slice")}),
                     Defined("staff", {core::UnixGroupSelector("staff")})}),
              ElementsAre("a /user.slice/user-1001.slice",
                          "b /user.slice/user-1002.slice",
                          "staff /user.slice/user-1003.slice",
                          "uid-0 /user.slice/user-0.slice",
                          "uid-1004 /user.slice/user-1004.slice"));
  EXPECT_THAT(Find().uids, ElementsAre(0, 1001, 1002, 1003, 1004));
}

TEST_F(DiscoveryTest, ACgroupInsideAnotherUsersIsRefused) {
  node_.Login(1001);
  node_.MakeCgroup(node_.SliceOf(1001) + "/user@1001.service");

  const Discovered found =
      Find({Defined("bob", {UnitSelector("user@1001.service")})});

  ASSERT_EQ(found.adoption.cgroups.size(), 2u);
  const AdoptedCgroup& nested = found.adoption.cgroups[0];
  EXPECT_EQ(nested.user, "bob");
  EXPECT_EQ(nested.refused, runtime::NotEnforced::kNested);
  EXPECT_THAT(nested.why_refused, HasSubstr("users/uid-1001"));
  EXPECT_FALSE(found.adoption.cgroups[1].refused.has_value());
  EXPECT_THAT(found.adoption.arenas, ElementsAre("/user.slice"));
}

TEST_F(DiscoveryTest, ACgroupInsideAnotherOfItsUserIsLeftOut) {
  node_.MakeCgroup("/machine.slice/pod");
  node_.MakeCgroup("/machine.slice/pod/a");

  EXPECT_THAT(Found({Defined("vm", {CgroupSelector("machine.slice/pod"),
                                    CgroupSelector("machine.slice/pod/*")})}),
              ElementsAre("vm /machine.slice/pod"));
}

TEST_F(DiscoveryTest, TheDaemonsOwnCgroupIsRefused) {
  node_.Login(1001);
  node_.Login(1002);
  own_ = node_.SliceOf(1001) + "/session-1.scope";
  EXPECT_THAT(Found(), ElementsAre("uid-1001 /user.slice/user-1001.slice !",
                                   "uid-1002 /user.slice/user-1002.slice"));
  own_ = node_.SliceOf(1001) + "0";  // of a like name
  EXPECT_THAT(Found(), ElementsAre("uid-1001 /user.slice/user-1001.slice",
                                   "uid-1002 /user.slice/user-1002.slice"));
}

TEST_F(DiscoveryTest, AnExemptUserMayHaveTheDaemonInItsCgroup) {
  node_.Login(0);
  own_ = node_.SliceOf(0);
  EXPECT_THAT(Found(), ElementsAre("uid-0 /user.slice/user-0.slice"));
}

TEST_F(DiscoveryTest, SiblingsAreAnArena) {
  node_.Login(1001);
  node_.Login(1002);
  node_.MakeCgroup("/system.slice/web.service");

  const Adoption adoption =
      Find({Defined("web", {UnitSelector("web.service")})}).adoption;

  EXPECT_THAT(adoption.arenas, ElementsAre("/system.slice", "/user.slice"));
  ASSERT_EQ(adoption.cgroups.size(), 3u);
  EXPECT_EQ(adoption.cgroups[0].arena, 1);  // uid-1001
  EXPECT_EQ(adoption.cgroups[1].arena, 1);
  EXPECT_EQ(adoption.cgroups[2].arena, 0);  // web
}

TEST_F(DiscoveryTest, WhereCgroupsComeAndGoIsWorthWatching) {
  EXPECT_THAT(Find({Defined("vm", {CgroupSelector("machine.slice/*/x"),
                                   CgroupSelector("a/b")})})
                  .directories,
              ElementsAre("/sys/fs/cgroup/a", "/sys/fs/cgroup/machine.slice",
                          "/sys/fs/cgroup/user.slice"));
}

TEST_F(DiscoveryTest, WhatCantBeListedIsSaidAndTheRestFound) {
  node_.Login(1001);
  node_.cgroups.FailNext("/machine.slice", testing::FsOp::kList,
                         absl::PermissionDeniedError("no"));
  const Discovered found =
      Find({Defined("vm", {CgroupSelector("machine.slice/*")})});
  EXPECT_TRUE(absl::IsPermissionDenied(found.first_error));
  EXPECT_EQ(found.adoption.cgroups.size(), 1u);
}

TEST_F(DiscoveryTest, ThreadsAreThoseThatThePidsControllerCounts) {
  node_.Login(1001);
  node_.cgroups.SetThreads(node_.kMount + node_.SliceOf(1001), 17);
  EXPECT_EQ(Find().adoption.cgroups[0].threads, 17);
  node_.cgroups.WithoutFile("pids.current");
  EXPECT_EQ(Find().adoption.cgroups[0].threads, std::nullopt);
}

TEST_F(DiscoveryTest, ProcessesAreThoseInItAndBelow) {
  node_.Login(1001);
  const std::string slice = node_.SliceOf(1001);
  EXPECT_EQ(Find().adoption.cgroups[0].processes, 0);
  node_.MakeCgroup(slice + "/session-1.scope");
  node_.MakeCgroup(slice + "/user@1001.service");
  node_.MakeCgroup(slice + "/user@1001.service/app.slice");
  node_.cgroups.AddProcess(71, node_.kMount + slice + "/session-1.scope");
  node_.cgroups.AddProcess(72, node_.kMount + slice + "/session-1.scope");
  node_.cgroups.AddProcess(
      73, node_.kMount + slice + "/user@1001.service/app.slice");
  EXPECT_EQ(Find().adoption.cgroups[0].processes, 3);
}

TEST_F(DiscoveryTest, ProcessesThatCantBeReadAreUnknownButForTheGone) {
  node_.Login(1001);
  const std::string slice = node_.SliceOf(1001);
  node_.MakeCgroup(slice + "/session-1.scope");
  node_.cgroups.AddProcess(71, node_.kMount + slice);
  const auto processes_if = [&](absl::Status error) {
    node_.cgroups.FailNext("session-1.scope/cgroup.procs", testing::FsOp::kRead,
                           std::move(error));
    return Find().adoption.cgroups[0].processes;
  };
  EXPECT_EQ(processes_if(absl::PermissionDeniedError("no")), std::nullopt);
  EXPECT_EQ(processes_if(absl::NotFoundError("gone")), 1);
  EXPECT_EQ(processes_if(absl::UnimplementedError("threaded")), 1);
}

TEST_F(DiscoveryTest, WithoutLoginsThereIsNobody) {
  EXPECT_THAT(Found(), IsEmpty());
}

}  // namespace
}  // namespace fairsched::kernel
