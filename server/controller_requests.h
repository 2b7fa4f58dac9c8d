// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_CONTROLLER_REQUESTS_H_
#define FAIRSCHED_SERVER_CONTROLLER_REQUESTS_H_

#include <cstdint>
#include <functional>
#include <optional>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "agent/runtime/clock.h"

namespace fairsched::server {

// Asks for the cpu controller where somebody has turned it off and it is not
// ours to turn on: of cgroups that systemd has made. Asks once it has been off
// for kPatience, then again and again, ever more rarely, until it is back.
//
// For one thread.
class ControllerRequests {
 public:
  static constexpr absl::Duration kPatience = absl::Seconds(3);
  static constexpr absl::Duration kLongestWait = absl::Minutes(5);

  // `clock` must outlive it. `ask` may take its time; null: nobody to ask.
  using Ask = std::function<absl::Status()>;
  ControllerRequests(const runtime::Clock& clock, Ask ask);

  // To be called every second or so with the number of cgroups in which the
  // controller is off. How asking went, if it was time to.
  std::optional<absl::Status> Update(int64_t without_controller);

 private:
  const runtime::Clock& clock_;
  const Ask ask_;
  absl::Duration wait_;  // before the next one; 0: the controller is on
  absl::Duration next_;
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_CONTROLLER_REQUESTS_H_
