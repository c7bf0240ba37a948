#pragma once

/// A convolution whose windows are lines, as Winograd's algorithm sees it.

#include "simd/product_functions.hpp"

#include <cstdint>

namespace backplane {
namespace cpuacc {

/// A tensor as lines of places, each of which is a row of channels.
struct Lines {
  std::int64_t size = 0;  // places of a line
  std::int64_t place_step = 0;
  std::int64_t line_step = 0;
  std::int64_t batch_step = 0;
};

/// Results are computed in tiles of neighbours along a line.
struct LineProblem {
  std::int64_t CountTiles() const { return (output.size + results - 1) / results; }
  std::int64_t CountPanels() const { return (outputs + kPanelColumns - 1) / kPanelColumns; }

  std::int64_t batches = 0;
  std::int64_t lines = 1;  // of each batch
  std::int64_t inputs = 0;
  std::int64_t outputs = 0;
  std::int64_t window = 0;
  std::int64_t results = 0;  // of a tile
  std::int64_t pad = 0;      // in front of a line
  Lines input;
  Lines output;
};

}  // namespace cpuacc
}  // namespace backplane
