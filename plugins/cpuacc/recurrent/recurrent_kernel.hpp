#pragma once

/// The kernel that all recurrent layers share.

#include "cpu_layers/recurrent_layer.hpp"
#include "kernel_builders/kernel.hpp"
#include "recurrent/packed_weights.hpp"
#include "simd/recurrent_functions.hpp"

#include <backplane/api/tensor_info.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>

namespace backplane {
namespace cpuacc {

/// How many steps each sequence of a batch has: read from an input, or all for each.
class SequenceLengths {
 public:
  /// `input` may be kNoInput; its type is int32 or int64.
  SequenceLengths(std::uint32_t input, DataType type, std::int64_t steps)
      : input_(input), is_int64_(type == DataType::kInt64), steps_(steps) {}

  std::int64_t Get(const KernelRun& run, std::int64_t sequence) const {
    if (input_ == cpu_layers::kNoInput) return steps_;
    const std::int64_t length = is_int64_ ? run.Input<std::int64_t>(input_)[sequence]
                                          : run.Input<std::int32_t>(input_)[sequence];
    return std::min(std::max<std::int64_t>(length, 0), steps_);
  }

 private:
  std::uint32_t input_;
  bool is_int64_;
  std::int64_t steps_;
};

/// Properties of the cells of a layer type.
struct RecurrentCells {
  RecurrentCellKind kind = RecurrentCellKind::kRnn;
  bool has_input_forget = false;
  RecurrentGate functions[kMaxDirections][3];  // of GRU two, of RNN one
};

/// `weights`: packed; null when they are packed in each run.
std::unique_ptr<const Kernel> MakeRecurrentKernel(const RecurrentShape& shape,
                                                  const RecurrentCells& cells, float clip,
                                                  const SequenceLengths& lengths,
                                                  const WeightPacking& packing,
                                                  std::shared_ptr<const void> weights);

}  // namespace cpuacc
}  // namespace backplane
