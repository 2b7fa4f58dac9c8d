// SPDX-License-Identifier: Apache-2.0
#include "server/name_resolver.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <semaphore>
#include <set>
#include <string>
#include <utility>

#include "agent/runtime/mutex.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/name_service.h"
#include "tests/support/fake_clock.h"

namespace fairsched::server {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

template <typename Key, typename Value>
using Directory = std::map<Key, absl::StatusOr<Value>>;

class NameResolverTest : public ::testing::Test {
 protected:
  template <typename Key, typename Value>
  std::function<absl::StatusOr<Value>(const Key&)> LookUpIn(
      Directory<Key, Value>& directory) {
    return [this, &directory](const Key& key) -> absl::StatusOr<Value> {
      runtime::MutexLock lock(mutex_);
      const auto found = directory.find(key);
      if (found == directory.end()) return Value();
      return found->second;
    };
  }
  void Set(const std::string& login, int64_t uid) {
    runtime::MutexLock lock(mutex_);
    uids_[login] = std::optional<int64_t>(uid);
  }
  void SetGroup(const std::string& group, int64_t gid) {
    runtime::MutexLock lock(mutex_);
    gids_[group] = std::optional<int64_t>(gid);
  }
  void SetGids(int64_t uid, std::set<int64_t> gids) {
    runtime::MutexLock lock(mutex_);
    memberships_[uid] = std::move(gids);
  }
  // What is known after the next change.
  core::KnownNames NextNames() {
    changed_.acquire();
    runtime::MutexLock lock(mutex_);
    return known_;
  }
  std::map<std::string, int64_t> Next() { return NextNames().logins; }
  std::set<int64_t> NextMembersOf(const std::string& group) {
    return NextNames().unix_groups[group];
  }
  // 1001 is on the node and one of the students, and that is known.
  void BeginWithAStudent() {
    SetGroup("students", 500);
    SetGids(1001, {500});
    resolver_.SetNames({}, {"students"});
    EXPECT_THAT(NextMembersOf("students"), IsEmpty());
    resolver_.SetUids({1001});
    EXPECT_THAT(NextMembersOf("students"), ElementsAre(1001));
  }

  runtime::Mutex mutex_;
  Directory<std::string, std::optional<int64_t>> uids_, gids_;
  Directory<int64_t, std::set<int64_t>> memberships_;
  core::KnownNames known_;
  std::counting_semaphore<> changed_{0};
  testing::FakeClock clock_;
  NameResolver resolver_{clock_,
                         {.uid_of_login = LookUpIn(uids_),
                          .gid_of_group = LookUpIn(gids_),
                          .gids_of_uid = LookUpIn(memberships_)},
                         [this](core::KnownNames names) {
                           {
                             runtime::MutexLock lock(mutex_);
                             known_ = std::move(names);
                           }
                           changed_.release();
                         }};
};

TEST_F(NameResolverTest, FindsTheUidsOfLogins) {
  Set("alice", 1001);
  Set("bob", 1002);
  resolver_.SetNames({"alice"}, {});
  EXPECT_THAT(Next(), ElementsAre(Pair("alice", 1001)));
  resolver_.SetNames({"bob", "nobody"}, {});
  // Alice is forgotten in the same change.
  EXPECT_THAT(Next(), ElementsAre(Pair("bob", 1002)));
}

TEST_F(NameResolverTest, AnUnknownLoginIsLookedUpAgain) {
  resolver_.SetNames({"alice", "zoe"}, {});
  Set("zoe", 1);
  // Whichever came first, zoe is found by now or after a while.
  clock_.Advance(NameResolver::kUnknownFor + absl::Seconds(1));
  resolver_.SetNames({"alice", "zoe"}, {});
  EXPECT_THAT(Next(), ElementsAre(Pair("zoe", 1)));
}

TEST_F(NameResolverTest, ALoginThatIsNotWantedAnyMoreIsForgotten) {
  Set("alice", 1001);
  resolver_.SetNames({"alice"}, {});
  EXPECT_THAT(Next(), ElementsAre(Pair("alice", 1001)));
  resolver_.SetNames({}, {});
  EXPECT_THAT(Next(), IsEmpty());
}

TEST_F(NameResolverTest, WhatIsKnownHoldsWhileTheServiceFails) {
  Set("alice", 1001);
  resolver_.SetNames({"alice"}, {});
  EXPECT_THAT(Next(), ElementsAre(Pair("alice", 1001)));
  {
    runtime::MutexLock lock(mutex_);
    uids_.insert_or_assign("alice", absl::UnavailableError("down"));
  }
  clock_.Advance(NameResolver::kKnownFor + absl::Seconds(1));
  Set("bob", 1002);
  resolver_.SetNames({"alice", "bob"}, {});
  EXPECT_THAT(Next(), ElementsAre(Pair("alice", 1001), Pair("bob", 1002)));
}

TEST_F(NameResolverTest, FindsWhoOfTheNodeIsInAUnixGroup) {
  SetGroup("students", 500);
  SetGids(1001, {100, 500});
  SetGids(1002, {100});
  resolver_.SetUids({1001, 1002, 1003});
  resolver_.SetNames({}, {"students", "nobody"});
  // Known by itself first, for the next look-up may hang.
  const core::KnownNames names = NextNames();
  EXPECT_TRUE(names.unix_groups.contains("students"));
  EXPECT_FALSE(names.unix_groups.contains("nobody"));
  EXPECT_THAT(NextMembersOf("students"), ElementsAre(1001));
}

TEST_F(NameResolverTest, ANewcomerIsLookedUpAtOnce) {
  BeginWithAStudent();
  SetGids(1002, {500});
  resolver_.SetUids({1001, 1002});
  EXPECT_THAT(NextMembersOf("students"), ElementsAre(1001, 1002));
}

TEST_F(NameResolverTest, WhoIsGoneIsRememberedForAWhileOnly) {
  BeginWithAStudent();
  SetGids(1002, {500});
  resolver_.SetUids({1002});
  EXPECT_THAT(NextMembersOf("students"), ElementsAre(1001, 1002));
  clock_.Advance(NameResolver::kMemberFor);
  resolver_.SetUids({1002, 1003});
  EXPECT_THAT(NextMembersOf("students"), ElementsAre(1002));
}

TEST_F(NameResolverTest, AMembershipThatChangesIsNoticed) {
  BeginWithAStudent();
  SetGids(1001, {100});
  clock_.Advance(NameResolver::kMemberFor);
  resolver_.SetUids({1001, 1002});
  EXPECT_THAT(NextMembersOf("students"), IsEmpty());
}

TEST_F(NameResolverTest, MembersStayWhileTheServiceFails) {
  BeginWithAStudent();
  {
    runtime::MutexLock lock(mutex_);
    memberships_.insert_or_assign(1001, absl::UnavailableError("down"));
    gids_.insert_or_assign("students", absl::UnavailableError("down"));
  }
  SetGids(1002, {500});
  clock_.Advance(NameResolver::kKnownFor + absl::Seconds(1));
  resolver_.SetUids({1001, 1002});
  EXPECT_THAT(NextMembersOf("students"), ElementsAre(1001, 1002));
}

// The look-up is let go only after the resolver is gone.
TEST(NameResolverEndTest, EndingWaitsForNoLookUp) {
  testing::FakeClock clock;
  struct Hanging {
    std::binary_semaphore entered{0};
    std::binary_semaphore release{0};
    std::binary_semaphore left{0};
  };
  const auto hanging = std::make_shared<Hanging>();
  std::atomic<int> changes = 0;
  {
    NameResolver resolver(
        clock,
        {.uid_of_login =
             [hanging](const std::string&) -> std::optional<int64_t> {
          hanging->entered.release();
          hanging->release.acquire();
          hanging->left.release();
          return 1001;
        }},
        [&changes](core::KnownNames) { ++changes; });
    resolver.SetNames({"alice"}, {});
    hanging->entered.acquire();
  }
  hanging->release.release();
  hanging->left.acquire();
  EXPECT_EQ(changes, 0);
}

TEST(NameServiceTest, RootIsUidZeroAndNobodyKnowsTheRest) {
  const NameService service = NodeNameService();
  EXPECT_EQ(service.uid_of_login("root").value(), 0);
  EXPECT_EQ(service.uid_of_login("no-such-login-here").value(), std::nullopt);
  EXPECT_EQ(service.gid_of_group("root").value(), 0);
  EXPECT_EQ(service.gid_of_group("no-such-group-here").value(), std::nullopt);
}

TEST(NameServiceTest, RootIsInItsPrimaryGroupAndNobodyKnowsTheRest) {
  const NameService service = NodeNameService();
  EXPECT_THAT(service.gids_of_uid(0).value(), Contains(0));
  EXPECT_THAT(service.gids_of_uid(4294967294).value(), IsEmpty());
}

}  // namespace
}  // namespace fairsched::server
