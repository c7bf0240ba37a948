#pragma once

/// The scratch memory of recurrent layers. A sequence in one direction is an item; the items of
/// the second direction come behind those of the first.

#include "cpu_layers/recurrent_layer.hpp"
#include "simd/recurrent_functions.hpp"

#include <cstdint>

namespace backplane {
namespace cpuacc {

using cpu_layers::RecurrentShape;

/// What a run works with, but for weights.
struct RecurrentBuffers {
  RecurrentRow* items;  // each with its states
  RecurrentRow* rows;   // as many, for lists of those that have a step
  float* gates;         // [directions][rows of the input][units of all gates]
  float* weights;       // for those that are packed in each run
};

/// Where everything lies.
class RecurrentMemory {
 public:
  /// `units`: with the padding. `num_weights`: floats of weights that are packed in each run.
  RecurrentMemory(const RecurrentShape& shape, std::int64_t units, std::int64_t num_weights);

  std::uint64_t GetSizeBytes() const;

  /// Without content, but that the items know their states.
  RecurrentBuffers Place(void* scratch) const;

 private:
  static constexpr std::int64_t kNumVectors = 5;  // of an item: states before and after, of the
                                                  // cell; what GRU resets

  std::int64_t units_;
  std::int64_t num_items_;
  std::int64_t num_gates_;
  std::int64_t num_weights_;
};

}  // namespace cpuacc
}  // namespace backplane
