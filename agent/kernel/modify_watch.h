// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_AGENT_KERNEL_MODIFY_WATCH_H_
#define FAIRSCHED_AGENT_KERNEL_MODIFY_WATCH_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace fairsched::kernel {

// Tells which files of watched directories somebody wrote to, whatever the
// value and whoever it was: ourselves, too. Not thread-safe.
class ModifyWatch {
 public:
  virtual ~ModifyWatch() = default;

  // From now on. Its number, which is that of an earlier call for the same
  // directory (as of now: one made anew is another). ResourceExhausted: the
  // system has no more watches to give. NotFound: it is gone.
  virtual absl::StatusOr<int> Add(absl::string_view directory) = 0;
  // For good, whatever the number of Add() calls. Events of it may be under
  // way still.
  virtual void Remove(int watch) = 0;

  struct Event {
    int watch = 0;
    std::string file;  // its name in the directory
  };
  struct Batch {
    std::vector<Event> events;
    bool lost = false;  // some: anything may have been written
  };
  // What happened since the last call, oldest first; equal events in a row may
  // be one. Does not wait.
  virtual Batch Drain() = 0;
};

}  // namespace fairsched::kernel

#endif  // FAIRSCHED_AGENT_KERNEL_MODIFY_WATCH_H_
