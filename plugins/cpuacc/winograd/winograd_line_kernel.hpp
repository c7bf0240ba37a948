#pragma once

/// The kernel of Winograd's algorithm along lines.

#include "kernel_builders/kernel.hpp"
#include "simd/product_functions.hpp"

#include <cstdint>
#include <memory>

namespace backplane {
namespace cpuacc {

/// A tensor as lines of places, each of which is a row of channels.
struct Lines {
  std::int64_t size = 0;  // places of a line
  std::int64_t place_step = 0;
  std::int64_t line_step = 0;
  std::int64_t batch_step = 0;
};

/// A convolution whose windows are lines. Results are computed in tiles of neighbours along a line.
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

/// The kernel of a problem whose tensors and lines have places. Its inputs are those of the
/// convolution, but for the weights, which lie as [points, panels, inputs, kPanelColumns]. It runs
/// with at most `num_threads`.
std::unique_ptr<const Kernel> MakeWinogradLineKernel(const LineProblem& problem,
                                                     std::shared_ptr<const void> weights,
                                                     bool has_bias, int num_threads);

}  // namespace cpuacc
}  // namespace backplane
