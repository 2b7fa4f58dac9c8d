// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_FIELD_MASK_H_
#define FAIRSCHED_SERVER_FIELD_MASK_H_

#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "google/protobuf/field_mask.pb.h"

namespace fairsched::server {

using FieldSet = std::set<std::string>;

struct MaskFields {
  std::vector<std::string> allowed;  // all that an update may name
  FieldSet populated;                // of these, those that the message has
};

// The fields that `mask` means: those that it names, all that are allowed for
// "*", the populated ones for an empty mask. INVALID_ARGUMENT of `update_mask`
// for a path that is not allowed, naming those that are.
absl::StatusOr<FieldSet> ResolveMask(const google::protobuf::FieldMask& mask,
                                     const MaskFields& fields);

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_FIELD_MASK_H_
