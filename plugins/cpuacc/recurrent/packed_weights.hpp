#pragma once

/// The weights of recurrent layers in the order in which steps read them.

#include "cpu_layers/recurrent_layer.hpp"
#include "simd/recurrent_functions.hpp"

#include <cstdint>

namespace backplane {
namespace cpuacc {

using cpu_layers::RecurrentShape;

/// Where the weights of all directions lie in one piece of memory.
class WeightPacking {
 public:
  WeightPacking(const RecurrentShape& shape, RecurrentCellKind kind, std::int64_t lanes);

  std::int64_t GetNumBlocks() const { return num_blocks_; }
  /// How many floats all weights are.
  std::int64_t GetSize() const { return size_ * shape_.directions; }

  /// `inputs`: of the layer, in order.
  void Pack(const void* const* inputs, float* packed) const;

  /// The weights of a direction.
  RecurrentWeights Find(const float* packed, std::int64_t direction) const;

 private:
  struct Gates {
    std::int64_t first;
    std::int64_t count;
  };

  void PackDirection(const void* const* inputs, std::int64_t direction, float* packed) const;
  void PackMatrix(const float* rows, std::int64_t num_columns, Gates gates, float* packed) const;
  void PackBias(const float* bias, float* packed) const;
  void PackVector(const float* vector, std::int64_t index, std::int64_t count, float* packed) const;

  RecurrentShape shape_;
  RecurrentCellKind kind_;
  std::int64_t lanes_;
  std::int64_t num_blocks_;
  // Offsets in the weights of a direction.
  std::int64_t bias_;
  std::int64_t hidden_;
  std::int64_t candidate_;
  std::int64_t hidden_bias_;
  std::int64_t peepholes_;
  std::int64_t size_;
};

}  // namespace cpuacc
}  // namespace backplane
