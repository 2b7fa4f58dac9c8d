// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_CLIENT_INTERRUPT_H_
#define FAIRSCHED_CLIENT_INTERRUPT_H_

#include <thread>

#include "absl/time/time.h"
#include "grpcpp/grpcpp.h"

namespace fairsched::client {

// Why a wait ended.
enum class Wake { kTimeout, kInterrupt, kInput };

// Waits for `timeout`, or until one of the file descriptors is readable or at
// its end; an interrupt goes before input. A negative descriptor is left out.
Wake Wait(int interrupt_fd, int input_fd, absl::Duration timeout);

// Cancels a call when a file descriptor becomes readable, as long as this
// lives. Both must outlive it.
class CancelOnInterrupt {
 public:
  CancelOnInterrupt(int interrupt_fd, grpc::ClientContext& context);
  ~CancelOnInterrupt();
  CancelOnInterrupt(const CancelOnInterrupt&) = delete;
  CancelOnInterrupt& operator=(const CancelOnInterrupt&) = delete;

 private:
  const int done_fd_;
  std::thread thread_;
};

}  // namespace fairsched::client

#endif  // FAIRSCHED_CLIENT_INTERRUPT_H_
