// SPDX-License-Identifier: Apache-2.0
#include "server/grpc_log.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "agent/runtime/mutex.h"
#include "google/protobuf/stubs/logging.h"
#include "grpc/support/log.h"

namespace fairsched::server {
namespace {

// The hooks are plain functions: what they write to can only be global.
struct Target {
  runtime::Mutex mutex;
  Logger* logger ABSL_GUARDED_BY(mutex) = nullptr;
};

Target& TheTarget() {
  // Never destroyed: threads of gRPC log to the very end.
  static Target& target = *new Target;
  return target;
}

void SetLogger(Logger* logger) {
  Target& target = TheTarget();
  runtime::MutexLock lock(target.mutex);
  target.logger = logger;
}

void Forward(LogLevel level, const std::string& place,
             const std::string& text) {
  Target& target = TheTarget();
  runtime::MutexLock lock(target.mutex);
  if (target.logger != nullptr) target.logger->LogSometimes(level, place, text);
}

// What gRPC calls an error is mostly a matter of one connection.
LogLevel LevelOf(gpr_log_severity severity) {
  switch (severity) {
    case GPR_LOG_SEVERITY_DEBUG:
      return LogLevel::kDebug;
    case GPR_LOG_SEVERITY_INFO:
      return LogLevel::kInfo;
    case GPR_LOG_SEVERITY_ERROR:
      break;
  }
  return LogLevel::kWarning;
}

void ForwardGrpc(gpr_log_func_args* args) {
  Forward(LevelOf(args->severity), absl::StrCat(args->file, ":", args->line),
          absl::StrCat("gRPC: ", args->message));
}

// What protobuf calls an error is a request that is none.
void ForwardProtobuf(google::protobuf::LogLevel level, const char* file,
                     int line, const std::string& message) {
  Forward(level == google::protobuf::LOGLEVEL_INFO ? LogLevel::kInfo
                                                   : LogLevel::kWarning,
          absl::StrCat(file, ":", line), absl::StrCat("protobuf: ", message));
}

}  // namespace

GrpcLog::GrpcLog(Logger& logger) {
  SetLogger(&logger);
  // Errors only, unless GRPC_VERBOSITY says otherwise.
  gpr_log_verbosity_init();
  gpr_set_log_function(&ForwardGrpc);
  google::protobuf::SetLogHandler(&ForwardProtobuf);
}

GrpcLog::~GrpcLog() { SetLogger(nullptr); }

}  // namespace fairsched::server
