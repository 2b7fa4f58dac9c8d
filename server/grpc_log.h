// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_SERVER_GRPC_LOG_H_
#define FAIRSCHED_SERVER_GRPC_LOG_H_

#include "server/logger.h"

namespace fairsched::server {

// While it lives, what gRPC and protobuf log goes to a logger, which must
// outlive it; then nowhere. Each has one log for the whole process: make one of
// these at most.
class GrpcLog {
 public:
  explicit GrpcLog(Logger& logger);
  ~GrpcLog();
  GrpcLog(const GrpcLog&) = delete;
  GrpcLog& operator=(const GrpcLog&) = delete;
};

}  // namespace fairsched::server

#endif  // FAIRSCHED_SERVER_GRPC_LOG_H_
