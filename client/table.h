// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_CLIENT_TABLE_H_
#define FAIRSCHED_CLIENT_TABLE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace fairsched::client {

enum class Colour { kNone, kGreen, kYellow, kRed, kBold };

// `text` in `colour`, by the escapes that every terminal knows.
std::string Coloured(absl::string_view text, Colour colour);

struct Cell {
  std::string text;
  Colour colour = Colour::kNone;
};

struct Column {
  enum class Align { kLeft, kRight };
  std::string title;
  Align align = Align::kLeft;
  // Columns that it may be cut to where the table is too wide; 0: never.
  size_t min_width = 0;
};

struct TableStyle {
  size_t width = 0;     // columns of the terminal; 0: as wide as it gets
  bool headers = true;  // with a line of titles
  bool colour = false;
};

// Rows of cells under titles. Text is sanitised when it is added.
class Table {
 public:
  explicit Table(std::vector<Column> columns);

  // `cells` are as many as there are columns.
  void AddRow(std::vector<Cell> cells);

  // The lines, each ended by a newline and without blanks at its end, two
  // blanks between columns. Where a line would pass `style.width`, columns
  // with a `min_width` are cut, the last one first, and what is still too long
  // is cut at the end.
  std::string Render(const TableStyle& style) const;

 private:
  std::vector<size_t> Widths(const TableStyle& style) const;
  std::string Line(const std::vector<Cell>& cells,
                   const std::vector<size_t>& widths,
                   const TableStyle& style) const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace fairsched::client

#endif  // FAIRSCHED_CLIENT_TABLE_H_
