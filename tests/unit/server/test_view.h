// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_TESTS_UNIT_SERVER_TEST_VIEW_H_
#define FAIRSCHED_TESTS_UNIT_SERVER_TEST_VIEW_H_

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "absl/time/time.h"
#include "server/usage_view.h"

namespace fairsched::server {

// A view that a test writes down: two CPUs, a tick of 100 ms, a window of 2 s
// that is 0.5 s old.
class TestView {
 public:
  TestView() {
    snapshot_.time = absl::FromUnixSeconds(1'700'000'000);
    snapshot_.policy = std::make_shared<const core::Policy>();
    snapshot_.windows =
        std::make_shared<const std::deque<core::WindowReport>>();
    snapshot_.decision.at = absl::Seconds(100);
    core::NodeDecision& node = snapshot_.decision.node;
    node.elapsed = absl::Milliseconds(100);
    node.cpus = 2;
    node.capacity = core::CpuTime::Msec(200);
    node.window = absl::Seconds(2);
    node.window_age = absl::Milliseconds(500);
    contents_.policy = snapshot_.policy;
  }

  // A present user; in any order.
  core::UserDecision& Add(const core::UserId& id, core::UserState state) {
    auto& users = snapshot_.decision.users;
    const auto at =
        std::ranges::lower_bound(users, id, {}, &core::UserDecision::id);
    return *users.insert(at, {.id = id, .state = state});
  }
  void Define(const core::UserId& id, int64_t uid) {
    DefinedUser user;
    user.policy = {.id = id,
                   .selectors = core::UidSelectors({uid}),
                   .shares = 100,
                   .exempt = false};
    user.display_name = "The " + id;
    contents_.users[id] = std::make_shared<const DefinedUser>(std::move(user));
  }
  runtime::Snapshot& snapshot() { return snapshot_; }
  core::NodeDecision& node() { return snapshot_.decision.node; }

  UsageView View() const {
    return {.snapshot = std::make_shared<const runtime::Snapshot>(snapshot_),
            .contents = std::make_shared<const PolicyContents>(contents_)};
  }

 private:
  runtime::Snapshot snapshot_;
  PolicyContents contents_;
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_TESTS_UNIT_SERVER_TEST_VIEW_H_
