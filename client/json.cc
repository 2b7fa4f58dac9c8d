// SPDX-License-Identifier: Apache-2.0
#include "client/json.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/util/json_util.h"

namespace fairsched::client {

absl::StatusOr<std::string> ToJson(const google::protobuf::Message& message,
                                   JsonForm form) {
  google::protobuf::util::JsonPrintOptions options;
  options.add_whitespace = form == JsonForm::kLines;
  options.always_print_primitive_fields = true;
  std::string json;
  const auto status =
      google::protobuf::util::MessageToJsonString(message, &json, options);
  if (!status.ok()) {
    return absl::InternalError(
        absl::StrCat("the answer is not fit for JSON: ", status.ToString()));
  }
  return json;
}

}  // namespace fairsched::client
