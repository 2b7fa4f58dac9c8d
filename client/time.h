// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_CLIENT_TIME_H_
#define FAIRSCHED_CLIENT_TIME_H_

#include "absl/time/time.h"
#include "google/protobuf/duration.pb.h"
#include "google/protobuf/timestamp.pb.h"

namespace fairsched::client {

// Between the times of the API and those of the program. Exact to the
// nanosecond.
absl::Duration FromProto(const google::protobuf::Duration& duration);
absl::Time FromProto(const google::protobuf::Timestamp& timestamp);
google::protobuf::Duration ToProto(absl::Duration duration);

}  // namespace fairsched::client

#endif  // FAIRSCHED_CLIENT_TIME_H_
