// SPDX-License-Identifier: Apache-2.0
#include "client/table.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/text.h"

namespace fairsched::client {
namespace {

constexpr size_t kGap = 2;

absl::string_view Escape(Colour colour) {
  switch (colour) {
    case Colour::kGreen:
      return "\x1b[32m";
    case Colour::kYellow:
      return "\x1b[33m";
    case Colour::kRed:
      return "\x1b[31m";
    case Colour::kBold:
      return "\x1b[1m";
    case Colour::kNone:
      break;
  }
  return "";
}

// How much is over `limit`.
size_t Excess(const std::vector<size_t>& widths, size_t limit) {
  const size_t total =
      std::accumulate(widths.begin(), widths.end(), size_t{0}) +
      kGap * (widths.size() - 1);
  return total > limit ? total - limit : 0;
}

}  // namespace

std::string Coloured(absl::string_view text, Colour colour) {
  if (colour == Colour::kNone || text.empty()) return std::string(text);
  return absl::StrCat(Escape(colour), text, "\x1b[0m");
}

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::AddRow(std::vector<Cell> cells) {
  for (Cell& cell : cells) cell.text = Sanitized(cell.text);
  rows_.push_back(std::move(cells));
}

std::vector<size_t> Table::Widths(const TableStyle& style) const {
  std::vector<size_t> widths(columns_.size(), 0);
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (style.headers) widths[i] = Width(columns_[i].title);
    for (const std::vector<Cell>& row : rows_) {
      widths[i] = std::max(widths[i], Width(row[i].text));
    }
  }
  if (style.width == 0) return widths;
  for (size_t i = columns_.size(); i-- > 0;) {
    const size_t least = columns_[i].min_width;
    if (least == 0 || widths[i] <= least) continue;
    widths[i] -= std::min(widths[i] - least, Excess(widths, style.width));
  }
  return widths;
}

std::string Table::Line(const std::vector<Cell>& cells,
                        const std::vector<size_t>& widths,
                        const TableStyle& style) const {
  std::string line;
  size_t used = 0;   // columns of the terminal that are written
  size_t begin = 0;  // where the cell's column begins
  for (size_t i = 0; i < cells.size(); begin += widths[i] + kGap, ++i) {
    if (style.width != 0 && begin >= style.width) break;
    const size_t room =
        style.width == 0 ? widths[i] : std::min(widths[i], style.width - begin);
    if (room == 0 || cells[i].text.empty()) continue;
    const std::string text = Truncated(cells[i].text, room);
    const bool right = columns_[i].align == Column::Align::kRight;
    const size_t start = begin + (right ? room - Width(text) : 0);
    absl::StrAppend(&line, std::string(start - used, ' '),
                    style.colour ? Coloured(text, cells[i].colour) : text);
    used = start + Width(text);
  }
  return line + "\n";
}

std::string Table::Render(const TableStyle& style) const {
  const std::vector<size_t> widths = Widths(style);
  std::string text;
  if (style.headers) {
    std::vector<Cell> titles;
    for (const Column& column : columns_) {
      titles.push_back({column.title, Colour::kBold});
    }
    text = Line(titles, widths, style);
  }
  for (const std::vector<Cell>& row : rows_) {
    absl::StrAppend(&text, Line(row, widths, style));
  }
  return text;
}

}  // namespace fairsched::client
