// SPDX-License-Identifier: Apache-2.0
#include "client/table.h"

#include <string>

#include "gtest/gtest.h"

namespace fairsched::client {
namespace {

Table Example() {
  Table table({{.title = "USER", .min_width = 3},
               {.title = "CPU", .align = Column::Align::kRight},
               {.title = "REASON", .min_width = 4}});
  table.AddRow({{"alice"}, {"1.50"}, {"has tokens"}});
  table.AddRow({{"bob"}, {"10.00"}, {""}});
  return table;
}

TEST(TableTest, ColumnsAreAsWideAsTheirTextAndNumbersAreRightAligned) {
  EXPECT_EQ(Example().Render({}),
            "USER     CPU  REASON\n"
            "alice   1.50  has tokens\n"
            "bob    10.00\n");
}

TEST(TableTest, WithoutHeadersTitlesTakeNoRoom) {
  Table table({{.title = "A LONG TITLE"}, {.title = "X"}});
  table.AddRow({{"a"}, {"b"}});

  EXPECT_EQ(table.Render({.headers = false}), "a  b\n");
}

TEST(TableTest, TheLastColumnThatMayBeCutIsCutFirst) {
  EXPECT_EQ(Example().Render({.width = 20}),
            "USER     CPU  REASON\n"
            "alice   1.50  has t~\n"
            "bob    10.00\n");
}

TEST(TableTest, EarlierColumnsAreCutWhenTheLastOneIsAtItsLeast) {
  EXPECT_EQ(Example().Render({.width = 16}),
            "US~    CPU  REA~\n"
            "al~   1.50  has~\n"
            "bob  10.00\n");
}

TEST(TableTest, NoLineIsEverWiderThanTheTerminal) {
  for (size_t width = 1; width < 30; ++width) {
    const std::string text = Example().Render({.width = width});
    size_t begin = 0;
    for (size_t end = text.find('\n'); end != std::string::npos;
         end = text.find('\n', begin)) {
      EXPECT_LE(end - begin, width) << text;
      begin = end + 1;
    }
  }
}

TEST(TableTest, ColourIsRoundTheTextAndOutsideTheWidth) {
  Table table({{.title = "A"}, {.title = "B"}});
  table.AddRow({{"x", Colour::kRed}, {"y"}});

  EXPECT_EQ(table.Render({.colour = true}),
            "\x1b[1mA\x1b[0m  \x1b[1mB\x1b[0m\n"
            "\x1b[31mx\x1b[0m  y\n");
  EXPECT_EQ(table.Render({.colour = false}), "A  B\nx  y\n");
}

TEST(TableTest, TextFromOutsideIsSanitised) {
  Table table({{.title = "A"}});
  table.AddRow({{"x\x1b[31m\ny"}});

  EXPECT_EQ(table.Render({.headers = false}), "x?[31m?y\n");
}

TEST(TableTest, NamesInUtf8LineUp) {
  Table table({{.title = "A"}, {.title = "B"}});
  table.AddRow({{"J\xc3\xb6rg"}, {"1"}});
  table.AddRow({{"Anna"}, {"2"}});

  EXPECT_EQ(table.Render({.headers = false}), "J\xc3\xb6rg  1\nAnna  2\n");
}

TEST(TableTest, ATableWithoutRowsIsItsTitles) {
  EXPECT_EQ(Table({{.title = "A"}, {.title = "B"}}).Render({}), "A  B\n");
}

}  // namespace
}  // namespace fairsched::client
