// SPDX-License-Identifier: Apache-2.0
#include "server/grpc_log.h"

#include "absl/strings/str_cat.h"
#include "agent/runtime/mutex.h"
#include "grpc/support/log.h"

namespace fairsched::server {
namespace {

// gRPC's hook is a plain function: what it writes to can only be global.
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

void Forward(gpr_log_func_args* args) {
  Target& target = TheTarget();
  runtime::MutexLock lock(target.mutex);
  if (target.logger == nullptr) return;
  target.logger->LogSometimes(LevelOf(args->severity),
                              absl::StrCat(args->file, ":", args->line),
                              absl::StrCat("gRPC: ", args->message));
}

}  // namespace

GrpcLog::GrpcLog(Logger& logger) {
  SetLogger(&logger);
  gpr_set_log_function(&Forward);
}

GrpcLog::~GrpcLog() { SetLogger(nullptr); }

}  // namespace fairsched::server
