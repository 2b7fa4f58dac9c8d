// SPDX-License-Identifier: Apache-2.0
#include "client/session.h"

#include "agent/core/status_macros.h"
#include "client/json.h"
#include "client/text.h"

namespace fairsched::client {

Session::Session(Environment& environment, const GlobalOptions& options)
    : environment_(environment), options_(options) {}

Connection& Session::connection() {
  if (connection_ == nullptr) {
    const std::string address =
        ChooseAddress(options_.address, environment_.address_variable);
    connection_ = std::make_unique<Connection>(environment_.connect(address),
                                               address, options_.timeout);
  }
  return *connection_;
}

TableStyle Session::table_style() const {
  return {.width = environment_.terminal_size().columns,
          .headers = !options_.no_headers,
          .colour = environment_.colour};
}

void Session::Print(absl::string_view text) {
  environment_.out.write(text.data(),
                         static_cast<std::streamsize>(text.size()));
}

absl::Status Session::PrintJson(const google::protobuf::Message& message) {
  ASSIGN_OR_RETURN(const std::string json, ToJson(message, JsonForm::kLines));
  Print(json);
  return absl::OkStatus();
}

void Session::Warn(absl::string_view text) {
  environment_.err << "fairctl: " << SanitizedLines(text) << '\n';
}

absl::Status Session::Flush() {
  environment_.out.flush();
  if (environment_.out.good()) return absl::OkStatus();
  return absl::UnknownError("can't write the output: is the disk full?");
}

}  // namespace fairsched::client
