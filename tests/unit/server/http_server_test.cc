// SPDX-License-Identifier: Apache-2.0
#include "server/http_server.h"

#include <atomic>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/http_library.h"

namespace fairsched::server {
namespace {

using ::testing::HasSubstr;

class HttpServerTest : public ::testing::Test {
 protected:
  HttpServerTest() {
    auto started = HttpServer::Start(
        "127.0.0.1:0",
        {.metrics =
             [] { return std::make_shared<const std::string>("up 1\n"); },
         .ready = [this] { return ready_.load(); }});
    EXPECT_TRUE(started.ok()) << started.status();
    http_ = *std::move(started);
  }
  httplib::Result Get(const std::string& path, const std::string& host) {
    httplib::Client client("127.0.0.1", http_->port());
    return client.Get(path, {{"Host", host}});
  }

  std::atomic<bool> ready_ = false;
  std::unique_ptr<HttpServer> http_;
};

TEST_F(HttpServerTest, MetricsHaveTheContentTypeOfPrometheus) {
  const auto page = Get("/metrics", "localhost");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->status, 200);
  EXPECT_EQ(page->body, "up 1\n");
  EXPECT_EQ(page->get_header_value("Content-Type"),
            "text/plain; version=0.0.4; charset=utf-8");
}

TEST_F(HttpServerTest, ItIsHealthyAtOnceAndReadyLater) {
  EXPECT_EQ(Get("/healthz", "localhost")->status, 200);
  EXPECT_EQ(Get("/readyz", "localhost")->status, 503);
  ready_ = true;
  EXPECT_EQ(Get("/readyz", "localhost")->status, 200);
}

TEST_F(HttpServerTest, TheFirstPageLinksToTheOthers) {
  const auto page = Get("/", "localhost");
  ASSERT_TRUE(page);
  for (const char* link : {"/metrics", "/healthz", "/readyz"}) {
    EXPECT_THAT(page->body, HasSubstr(absl::StrCat("href=\"", link, "\"")));
  }
}

TEST_F(HttpServerTest, OnlyLoopbackHostNamesAreAnswered) {
  for (const char* host : {"localhost", "127.0.0.1:9977", "[::1]:1"}) {
    EXPECT_EQ(Get("/healthz", host)->status, 200) << host;
  }
  for (const char* host :
       {"evil.example", "localhost.evil.example:80", "10.0.0.1", "[::2]"}) {
    EXPECT_EQ(Get("/metrics", host)->status, 403) << host;
  }
}

TEST_F(HttpServerTest, WhatIsNotServedIsNotFound) {
  EXPECT_EQ(Get("/etc/passwd", "localhost")->status, 404);
}

TEST_F(HttpServerTest, ATakenAddressIsAnErrorThatNamesIt) {
  const std::string address = absl::StrCat("127.0.0.1:", http_->port());
  const auto second = HttpServer::Start(address, {});
  EXPECT_EQ(second.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(second.status().message(), HasSubstr(address));
  EXPECT_THAT(second.status().message(), HasSubstr("already in use"));
}

TEST_F(HttpServerTest, AfterAStopTheAddressIsFreeAgain) {
  const std::string address = absl::StrCat("127.0.0.1:", http_->port());
  http_->Stop();
  http_->Stop();
  EXPECT_TRUE(HttpServer::Start(address, {}).ok());
}

}  // namespace
}  // namespace fairsched::server
