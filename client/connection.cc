// SPDX-License-Identifier: Apache-2.0
#include "client/connection.h"

#include <utility>

namespace fairsched::client {

std::string ChooseAddress(const std::string& flag,
                          const std::string& variable) {
  if (!flag.empty()) return flag;
  return variable.empty() ? kDefaultAddress : variable;
}

std::shared_ptr<grpc::Channel> Dial(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  // A snapshot of 10 000 users with their kernel values is about 5 MiB.
  arguments.SetMaxReceiveMessageSize(64 << 20);
  // A proxy from the environment can't know a local socket.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(),
                                   arguments);
}

Connection::Connection(std::shared_ptr<grpc::Channel> channel,
                       std::string address, absl::Duration timeout)
    : address_(std::move(address)),
      timeout_(timeout),
      policy_(v1::PolicyService::NewStub(channel)),
      usage_(v1::UsageService::NewStub(channel)),
      node_(v1::NodeService::NewStub(channel)) {}

}  // namespace fairsched::client
