// SPDX-License-Identifier: Apache-2.0
#include "server/config.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fairsched::server {
namespace {

using ::testing::HasSubstr;

CommandLine Parse(const std::vector<const char*>& args) {
  std::vector<const char*> argv = {"fairschedd"};
  argv.insert(argv.end(), args.begin(), args.end());
  return ParseCommandLine(static_cast<int>(argv.size()), argv.data());
}

TEST(ConfigTest, WithoutOptionsTheDefaultsHold) {
  const CommandLine line = Parse({});
  ASSERT_TRUE(line.config.has_value()) << line.text;
  EXPECT_EQ(line.config->action, Config::Action::kRun);
  EXPECT_EQ(line.config->socket, "/run/fairsched/api.sock");
  EXPECT_EQ(line.config->http_address, "127.0.0.1:9977");
  EXPECT_EQ(line.config->mode, core::Mode::kObserve);
  EXPECT_EQ(line.config->placement, Placement::kAuto);
  EXPECT_EQ(line.config->cgroup_parent, std::nullopt);
}

TEST(ConfigTest, TheRootIsAParentThatCanBeAskedFor) {
  EXPECT_EQ(Parse({"--cgroup-parent", "/"}).config->cgroup_parent, "");
}

TEST(ConfigTest, EveryOptionSetsItsValue) {
  const CommandLine line = Parse(
      {"--state-dir", "/s", "--runtime-dir", "/r/", "--http-address", "[::1]:0",
       "--placement", "own", "--proc-root", "/p", "--cgroup-parent", "/a/b",
       "--mode", "enforce", "--log-level", "debug"});
  ASSERT_TRUE(line.config.has_value()) << line.text;
  EXPECT_EQ(line.config->state_dir, "/s");
  EXPECT_EQ(line.config->runtime_dir, "/r");
  EXPECT_EQ(line.config->socket, "/r/api.sock");
  EXPECT_EQ(line.config->http_address, "[::1]:0");
  EXPECT_EQ(line.config->placement, Placement::kOwn);
  EXPECT_EQ(line.config->proc_root, "/p");
  EXPECT_EQ(line.config->cgroup_parent, "/a/b");
  EXPECT_EQ(line.config->mode, core::Mode::kEnforce);
  EXPECT_EQ(line.config->log_level, LogLevel::kDebug);
}

TEST(ConfigTest, AnEmptyHttpAddressMeansNoHttp) {
  const CommandLine line = Parse({"--http-address", ""});
  ASSERT_TRUE(line.config.has_value()) << line.text;
  EXPECT_EQ(line.config->http_address, "");
}

TEST(ConfigTest, OneShotsAreActions) {
  EXPECT_EQ(Parse({"--release"}).config->action, Config::Action::kRelease);
  EXPECT_EQ(Parse({"--version"}).config->action, Config::Action::kVersion);
}

TEST(ConfigTest, BadValuesAreUsageErrorsThatNameTheOption) {
  const std::vector<std::vector<const char*>> bad = {
      {"--state-dir", "relative"},
      {"--cgroup-parent", "/a/../b"},
      {"--socket", ""},
      {"--http-address", "0.0.0.0:9977"},
      {"--http-address", "9977"},
      {"--placement", "theirs"},
      {"--mode", "on"},
      {"--log-level", "loud"},
  };
  for (const auto& args : bad) {
    const CommandLine line = Parse(args);
    EXPECT_FALSE(line.config.has_value()) << *args.begin();
    EXPECT_EQ(line.exit_code, 2);
    EXPECT_THAT(line.text, HasSubstr(*args.begin()));
  }
}

TEST(ConfigTest, UnknownOptionsAndTwoOneShotsAreUsageErrors) {
  EXPECT_EQ(Parse({"--frobnicate"}).exit_code, 2);
  EXPECT_EQ(Parse({"stray"}).exit_code, 2);
  EXPECT_EQ(Parse({"--release", "--version"}).exit_code, 2);
}

TEST(ConfigTest, HelpIsNoError) {
  const CommandLine line = Parse({"--help"});
  EXPECT_FALSE(line.config.has_value());
  EXPECT_EQ(line.exit_code, 0);
  EXPECT_THAT(line.text, HasSubstr("--cgroup-parent"));
}

}  // namespace
}  // namespace fairsched::server
