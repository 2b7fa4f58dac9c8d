// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_CLIENT_SESSION_H_
#define FAIRSCHED_CLIENT_SESSION_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "client/connection.h"
#include "client/environment.h"
#include "client/table.h"
#include "google/protobuf/message.h"

namespace fairsched::client {

enum class OutputFormat { kTable, kJson };

// What every command takes.
struct GlobalOptions {
  std::string address;  // empty: from the environment, or the default
  absl::Duration timeout = absl::Seconds(10);
  OutputFormat format = OutputFormat::kTable;
  bool no_headers = false;
};

// One run of fairctl: where its output goes, and the daemon at the other end.
// For one thread.
class Session {
 public:
  // Both must outlive the session.
  Session(Environment& environment, const GlobalOptions& options);

  // The daemon. Made by the first call, which doesn't wait for it to answer.
  Connection& connection();

  // From now on Ctrl-C makes interrupt_fd() readable and does no more. To be
  // called before connection().
  void OpenInterrupt() { interrupt_fd_ = environment_.open_interrupt(); }
  // -1 if it was not opened.
  int interrupt_fd() const { return interrupt_fd_; }

  Environment& environment() { return environment_; }
  std::ostream& out() { return environment_.out; }
  bool json() const { return options_.format == OutputFormat::kJson; }

  // How tables are to look here.
  TableStyle table_style() const;

  // Text to `out`.
  void Print(absl::string_view text);

  // `message` as JSON to `out`, over several lines, with every field that has
  // a default written out.
  absl::Status PrintJson(const google::protobuf::Message& message);

  // A line to `err`, sanitised: something the person should know while the
  // command goes on.
  void Warn(absl::string_view text);

  // Flushes `out`. Unknown if it took not all that was written.
  absl::Status Flush();

 private:
  Environment& environment_;
  const GlobalOptions& options_;
  std::unique_ptr<Connection> connection_;
  int interrupt_fd_ = -1;
};

}  // namespace fairsched::client

#endif  // FAIRSCHED_CLIENT_SESSION_H_
