#include "placement/aligned_rows.hpp"

#include <algorithm>

namespace backplane {

namespace {

// Longer cells stand out of their columns: filled up to the longest of all, many rows would take
// more memory than there is.
constexpr std::size_t kMaxWidth = 256;

std::vector<std::size_t> MeasureColumns(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], std::min(row[i].size(), kMaxWidth));
  }
  return widths;
}

}  // namespace

std::string AlignRows(const std::vector<std::vector<std::string>>& rows) {
  constexpr std::size_t kGap = 2;
  const std::vector<std::size_t> widths = MeasureColumns(rows);
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      line.append(std::max(widths[i], row[i].size()) - row[i].size() + kGap, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace backplane
