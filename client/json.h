// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_CLIENT_JSON_H_
#define FAIRSCHED_CLIENT_JSON_H_

#include <string>

#include "absl/status/statusor.h"
#include "google/protobuf/message.h"

namespace fairsched::client {

enum class JsonForm {
  kLines,  // indented, ended by a newline
  kLine,   // one line without its end
};

// `message` in the JSON of protobuf: lowerCamelCase names, durations as
// "1.5s", 64-bit integers as strings. Fields that hold a default are written,
// those that are unset are not.
absl::StatusOr<std::string> ToJson(const google::protobuf::Message& message,
                                   JsonForm form);

}  // namespace fairsched::client

#endif  // FAIRSCHED_CLIENT_JSON_H_
