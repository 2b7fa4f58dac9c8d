// SPDX-License-Identifier: Apache-2.0
#include "server/paging.h"

#include "absl/strings/escaping.h"
#include "gtest/gtest.h"

namespace fairsched::server {
namespace {

TEST(PagingTest, ATokenGoesOnBehindTheLastId) {
  const auto after = ParsePageToken("users", PageToken("users", "alice"));
  ASSERT_TRUE(after.ok()) << after.status();
  EXPECT_EQ(*after, "alice");
}

TEST(PagingTest, AnEmptyTokenIsTheStart) {
  EXPECT_EQ(ParsePageToken("users", "").value(), "");
}

TEST(PagingTest, WhatIsNotATokenOfThisListIsRefused) {
  for (const std::string& token :
       {std::string("garbage"), std::string("%%"), PageToken("usage", "alice"),
        PageToken("users", "no id"), PageToken("users", ""),
        std::string(257, 'A'), absl::WebSafeBase64Escape("users"),
        std::string("\0", 1)}) {
    EXPECT_EQ(ParsePageToken("users", token).status().code(),
              absl::StatusCode::kInvalidArgument)
        << token;
  }
}

TEST(PagingTest, APageSizeIsStandardCutOrAsAskedFor) {
  const PageBounds bounds = {.standard = 20, .most = 64};
  EXPECT_EQ(PageSize(0, bounds).value(), 20u);
  EXPECT_EQ(PageSize(7, bounds).value(), 7u);
  EXPECT_EQ(PageSize(1000, bounds).value(), 64u);
  EXPECT_EQ(PageSize(-1, bounds).status().message(),
            "page_size: -1 is not in 0..64");
}

}  // namespace
}  // namespace fairsched::server
