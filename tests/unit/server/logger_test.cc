// SPDX-License-Identifier: Apache-2.0
#include "server/logger.h"

#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "google/protobuf/stubs/logging.h"
#include "grpc/support/log.h"
#include "gtest/gtest.h"
#include "server/grpc_log.h"
#include "tests/support/fake_clock.h"

namespace fairsched::server {
namespace {

using ::testing::ElementsAre;

class LoggerTest : public ::testing::Test {
 protected:
  Logger Make(Logger::Options options = {}) {
    return Logger(clock_, options, [this](absl::string_view line) {
      lines_.emplace_back(line);
    });
  }

  testing::FakeClock clock_;
  std::vector<std::string> lines_;
};

TEST_F(LoggerTest, LinesBeginWithTheirLevel) {
  Logger logger = Make();
  logger.Log(LogLevel::kError, "a");
  logger.Log(LogLevel::kWarning, "b");
  logger.Log(LogLevel::kInfo, "c");
  EXPECT_THAT(lines_, ElementsAre("error: a\n", "warning: b\n", "info: c\n"));
}

TEST_F(LoggerTest, TheJournalGetsPriorities) {
  Logger logger = Make({.lowest = LogLevel::kDebug, .for_journal = true});
  logger.Log(LogLevel::kError, "a");
  logger.Log(LogLevel::kWarning, "b");
  logger.Log(LogLevel::kInfo, "c");
  logger.Log(LogLevel::kDebug, "d");
  EXPECT_THAT(lines_, ElementsAre("<3>a\n", "<4>b\n", "<6>c\n", "<7>d\n"));
}

TEST_F(LoggerTest, WhatIsBelowTheLowestLevelIsNotWritten) {
  Logger logger = Make({.lowest = LogLevel::kWarning});
  logger.Log(LogLevel::kInfo, "a");
  logger.LogSometimes(LogLevel::kDebug, "key", "b");
  EXPECT_TRUE(lines_.empty());
}

TEST_F(LoggerTest, ATextCannotMakeALineOfItsOwn) {
  Logger logger = Make();
  logger.Log(LogLevel::kInfo, "cgroup a\n<0>panic");
  EXPECT_THAT(lines_, ElementsAre("info: cgroup a\\x0a<0>panic\n"));
}

TEST_F(LoggerTest, WhatComesOftenIsWrittenOnceThenCounted) {
  Logger logger = Make();
  for (int i = 0; i < 4; ++i) {
    logger.LogSometimes(LogLevel::kWarning, "key", absl::StrCat("text ", i));
  }
  EXPECT_THAT(lines_, ElementsAre("warning: text 0\n"));
  clock_.Advance(Logger::kQuietTime);
  logger.LogSometimes(LogLevel::kWarning, "key", "text 4");
  EXPECT_EQ(lines_.back(), "warning: text 4 (repeated 3 times)\n");
}

TEST_F(LoggerTest, KeysAreToldApart) {
  Logger logger = Make();
  logger.LogSometimes(LogLevel::kWarning, "a", "x");
  logger.LogSometimes(LogLevel::kWarning, "b", "x");
  EXPECT_EQ(lines_.size(), 2u);
}

TEST_F(LoggerTest, ASummaryComesThoughNothingFollows) {
  Logger logger = Make();
  logger.LogSometimes(LogLevel::kWarning, "key", "x");
  logger.LogSometimes(LogLevel::kWarning, "key", "x");
  logger.Summarize();
  EXPECT_EQ(lines_.size(), 1u);
  clock_.Advance(Logger::kQuietTime);
  logger.Summarize();
  EXPECT_EQ(lines_.back(), "warning: x (repeated 1 time)\n");
  logger.Flush();
  EXPECT_EQ(lines_.size(), 2u);
}

TEST_F(LoggerTest, EndlesslyManyKeysDoNotMakeEndlesslyManyLines) {
  Logger logger = Make();
  for (int i = 0; i < 10'000; ++i) {
    logger.LogSometimes(LogLevel::kWarning, absl::StrCat("key ", i), "x");
  }
  EXPECT_LE(lines_.size(), Logger::kMaxKeys + 1);
}

TEST_F(LoggerTest, ThreadsDoNotMixTheirLines) {
  Logger logger = Make();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&logger] {
      for (int i = 0; i < 100; ++i) logger.Log(LogLevel::kInfo, "whole");
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(lines_.size(), 400u);
  EXPECT_THAT(lines_, ::testing::Each(::testing::StrEq("info: whole\n")));
}

TEST_F(LoggerTest, LevelsAreParsedByName) {
  EXPECT_EQ(ParseLogLevel("warning"), LogLevel::kWarning);
  EXPECT_EQ(ParseLogLevel("WARNING"), std::nullopt);
}

TEST_F(LoggerTest, GrpcsAndProtobufsLogsGoToItWhileThereIsAGrpcLog) {
  Logger logger = Make();
  {
    const GrpcLog log(logger);
    gpr_log_message("file.cc", 7, GPR_LOG_SEVERITY_ERROR, "lost");
    GOOGLE_LOG(ERROR) << "bad";
  }
  gpr_log_message("file.cc", 8, GPR_LOG_SEVERITY_ERROR, "later");
  GOOGLE_LOG(ERROR) << "worse";
  EXPECT_THAT(lines_,
              ElementsAre("warning: gRPC: lost\n", "warning: protobuf: bad\n"));
}

}  // namespace
}  // namespace fairsched::server
