#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/placement.hpp>

#include "network/graph.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace backplane {

namespace {

using Row = std::array<std::string, 4>;

std::vector<std::string> DescribeNotes(const LayerPlacement& layer) {
  std::vector<std::string> notes;
  if (!layer.hint.empty()) {
    notes.push_back(layer.hint == layer.backend_id ? "as hinted" : "hinted: " + layer.hint);
  }
  for (const LayerRefusal& refusal : layer.refusals) {
    notes.push_back(refusal.backend_id + " refused: " + refusal.reason);
  }
  return notes;
}

void AddRows(const LayerPlacement& layer, std::vector<Row>& rows) {
  Row row = {GetDisplayName(layer.name, layer.layer), GetLayerTypeName(layer.type),
             EscapeForDisplay(layer.backend_id), ""};
  const std::vector<std::string> notes = DescribeNotes(layer);
  if (notes.empty()) rows.push_back(row);
  for (const std::string& note : notes) {
    row.back() = EscapeForDisplay(note);
    rows.push_back(row);
    row = {};
  }
}

}  // namespace

std::string ToText(const Placement& placement) {
  std::vector<Row> rows{{"layer", "type", "backend", "notes"}};
  for (const LayerPlacement& layer : placement.layers) AddRows(layer, rows);

  std::array<std::size_t, 4> widths{};
  for (const Row& row : rows) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], row[column].size());
    }
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      line += row[column];
      if (column + 1 < row.size()) line.append(widths[column] - row[column].size() + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace backplane
