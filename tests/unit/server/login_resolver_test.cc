// SPDX-License-Identifier: Apache-2.0
#include "server/login_resolver.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <semaphore>
#include <string>
#include <utility>

#include "agent/runtime/mutex.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/login_lookup.h"
#include "tests/support/fake_clock.h"

namespace fairsched::server {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

class LoginResolverTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::optional<int64_t>> LookUp(const std::string& login) {
    runtime::MutexLock lock(mutex_);
    const auto found = directory_.find(login);
    if (found == directory_.end()) return std::optional<int64_t>();
    return found->second;
  }
  void Set(const std::string& login, int64_t uid) {
    runtime::MutexLock lock(mutex_);
    directory_[login] = std::optional<int64_t>(uid);
  }
  // What is known after the next change.
  core::LoginUids Next() {
    changed_.acquire();
    runtime::MutexLock lock(mutex_);
    return known_;
  }

  runtime::Mutex mutex_;
  std::map<std::string, absl::StatusOr<std::optional<int64_t>>> directory_;
  core::LoginUids known_;
  std::counting_semaphore<> changed_{0};
  testing::FakeClock clock_;
  LoginResolver resolver_{
      clock_, [this](const std::string& login) { return LookUp(login); },
      [this](core::LoginUids uids) {
        {
          runtime::MutexLock lock(mutex_);
          known_ = std::move(uids);
        }
        changed_.release();
      }};
};

TEST_F(LoginResolverTest, FindsTheUidsOfLogins) {
  Set("alice", 1001);
  Set("bob", 1002);
  resolver_.SetLogins({"alice"});
  EXPECT_THAT(Next(), ElementsAre(Pair("alice", 1001)));
  resolver_.SetLogins({"bob", "nobody"});
  // Alice is forgotten in the same change.
  EXPECT_THAT(Next(), ElementsAre(Pair("bob", 1002)));
}

TEST_F(LoginResolverTest, AnUnknownLoginIsLookedUpAgain) {
  resolver_.SetLogins({"alice", "zoe"});
  Set("zoe", 1);
  // Whichever came first, zoe is found by now or after a while.
  clock_.Advance(LoginResolver::kUnknownFor + absl::Seconds(1));
  resolver_.SetLogins({"alice", "zoe"});
  EXPECT_THAT(Next(), ElementsAre(Pair("zoe", 1)));
}

TEST_F(LoginResolverTest, ALoginThatIsNotWantedAnyMoreIsForgotten) {
  Set("alice", 1001);
  resolver_.SetLogins({"alice"});
  EXPECT_THAT(Next(), ElementsAre(Pair("alice", 1001)));
  resolver_.SetLogins({});
  EXPECT_THAT(Next(), IsEmpty());
}

TEST_F(LoginResolverTest, WhatIsKnownHoldsWhileTheServiceFails) {
  Set("alice", 1001);
  resolver_.SetLogins({"alice"});
  EXPECT_THAT(Next(), ElementsAre(Pair("alice", 1001)));
  {
    runtime::MutexLock lock(mutex_);
    directory_.insert_or_assign("alice", absl::UnavailableError("down"));
  }
  clock_.Advance(LoginResolver::kKnownFor + absl::Seconds(1));
  Set("bob", 1002);
  resolver_.SetLogins({"alice", "bob"});
  EXPECT_THAT(Next(), ElementsAre(Pair("alice", 1001), Pair("bob", 1002)));
}

// The look-up is let go only after the resolver is gone.
TEST(LoginResolverEndTest, EndingWaitsForNoLookUp) {
  testing::FakeClock clock;
  struct Hanging {
    std::binary_semaphore entered{0};
    std::binary_semaphore release{0};
    std::binary_semaphore left{0};
  };
  const auto hanging = std::make_shared<Hanging>();
  std::atomic<int> changes = 0;
  {
    LoginResolver resolver(
        clock,
        [hanging](const std::string&) -> std::optional<int64_t> {
          hanging->entered.release();
          hanging->release.acquire();
          hanging->left.release();
          return 1001;
        },
        [&changes](core::LoginUids) { ++changes; });
    resolver.SetLogins({"alice"});
    hanging->entered.acquire();
  }
  hanging->release.release();
  hanging->left.acquire();
  EXPECT_EQ(changes, 0);
}

TEST(LoginLookupTest, RootIsUidZeroAndNobodyKnowsTheRest) {
  EXPECT_EQ(LookUpLogin("root").value(), 0);
  EXPECT_EQ(LookUpLogin("no-such-login-here").value(), std::nullopt);
}

}  // namespace
}  // namespace fairsched::server
