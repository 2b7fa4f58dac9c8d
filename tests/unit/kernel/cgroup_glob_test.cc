// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/cgroup_glob.h"

#include <string>

#include "gtest/gtest.h"

namespace fairsched::kernel {
namespace {

TEST(CgroupGlobTest, AStarIsAnyNumberOfBytesAndAQuestionMarkIsOne) {
  EXPECT_TRUE(MatchesGlob("docker-*.scope", "docker-1f.scope"));
  EXPECT_TRUE(MatchesGlob("docker-*.scope", "docker-.scope"));
  EXPECT_TRUE(MatchesGlob("*", ""));
  EXPECT_TRUE(MatchesGlob("a*b*c", "a-b-b-c"));
  EXPECT_TRUE(MatchesGlob("**a", "ba"));
  EXPECT_TRUE(MatchesGlob("job?", "job7"));
  EXPECT_FALSE(MatchesGlob("job?", "job"));
  EXPECT_FALSE(MatchesGlob("job?", "job77"));
  EXPECT_FALSE(MatchesGlob("docker-*.scope", "docker-1f.scope2"));
  EXPECT_FALSE(MatchesGlob("a*b*c", "a-c-b"));
}

TEST(CgroupGlobTest, EverythingElseIsItself) {
  EXPECT_TRUE(MatchesGlob("a[b].c\\", "a[b].c\\"));
  EXPECT_FALSE(MatchesGlob("a[b]", "ab"));
  EXPECT_FALSE(MatchesGlob("a.c", "abc"));
  EXPECT_FALSE(MatchesGlob("bob", "bobby"));
}

// With backtracking to every star it would not come back in this century.
TEST(CgroupGlobTest, ManyStarsAreNoBurden) {
  std::string pattern;
  for (int i = 0; i < 100; ++i) pattern += "*a";
  EXPECT_FALSE(MatchesGlob(pattern + "b", std::string(1000, 'a')));
}

}  // namespace
}  // namespace fairsched::kernel
