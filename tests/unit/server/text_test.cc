// SPDX-License-Identifier: Apache-2.0
#include "server/text.h"

#include "gtest/gtest.h"

namespace fairsched::server {
namespace {

using absl::string_view;

TEST(TextTest, LettersOfAnyScriptArePlain) {
  for (const char* text :
       {"", "Alice", "Büro 3", "日本", "\xF0\x9F\x98\x80", "\xC2\xA0"}) {
    EXPECT_TRUE(IsPlainText(text)) << text;
  }
}

TEST(TextTest, ControlCharactersAreNotPlain) {
  for (const string_view text :
       {string_view("a\nb"), string_view("\x1b[1m"), string_view("\x7f"),
        string_view("\xC2\x85"), string_view("a\0b", 3)}) {
    EXPECT_FALSE(IsPlainText(text)) << text;
  }
}

TEST(TextTest, WhatIsNotUtf8IsNotPlain) {
  for (const char* text :
       {"\xFF", "\x80", "\xC3", "\xC3\x28", "\xC0\xAF", "\xE0\x80\xAF",
        "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF0\x80\x80\xAF"}) {
    EXPECT_FALSE(IsPlainText(text)) << text;
  }
}

TEST(TextTest, PrintableKeepsWhatIsPlainAndEscapesTheRest) {
  EXPECT_EQ(Printable("Büro", 80), "Büro");
  EXPECT_EQ(Printable("a\nb\xFF", 80), "a\\x0ab\\xff");
  EXPECT_EQ(Printable("\xC2\x85", 80), "\\xc2\\x85");
}

TEST(TextTest, PrintableCutsBetweenCharacters) {
  EXPECT_EQ(Printable("abcdef", 6), "abcdef");
  EXPECT_EQ(Printable("abcdefg", 6), "abc...");
  EXPECT_EQ(Printable("aüüüü", 6), "aü...");
  EXPECT_EQ(Printable("\n\n\n\n", 10), "\\x0a...");
}

}  // namespace
}  // namespace fairsched::server
