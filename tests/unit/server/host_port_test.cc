// SPDX-License-Identifier: Apache-2.0
#include "server/host_port.h"

#include "gtest/gtest.h"

namespace fairsched::server {
namespace {

TEST(HostPortTest, LoopbackAddressesAreTaken) {
  struct Case {
    const char* text;
    const char* host;
    int port;
  };
  for (const Case& good :
       {Case{"127.0.0.1:9977", "127.0.0.1", 9977},
        Case{"127.1.2.3:1", "127.1.2.3", 1}, Case{"[::1]:0", "::1", 0},
        Case{"Localhost:65535", "localhost", 65535}}) {
    const auto parsed = ParseLoopback(good.text);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(parsed->host, good.host);
    EXPECT_EQ(parsed->port, good.port);
  }
}

TEST(HostPortTest, AnythingElseIsRefused) {
  for (const char* bad :
       {"", ":", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:-1",
        "127.0.0.1:65536", "127.0.0.1: 1", "0.0.0.0:9977", "[::]:9977",
        "10.0.0.1:80", "example.org:80", "[::1]", "[::1", "::1:80"}) {
    EXPECT_EQ(ParseLoopback(bad).status().code(),
              absl::StatusCode::kInvalidArgument)
        << bad;
  }
}

TEST(HostPortTest, TheHostOfAHeaderIsWithoutPortAndBrackets) {
  EXPECT_EQ(HostOf("LocalHost:9977"), "localhost");
  EXPECT_EQ(HostOf("127.0.0.1"), "127.0.0.1");
  EXPECT_EQ(HostOf("[::1]:80"), "::1");
  EXPECT_EQ(HostOf("evil.example:9977"), "evil.example");
  EXPECT_EQ(HostOf(""), "");
}

}  // namespace
}  // namespace fairsched::server
