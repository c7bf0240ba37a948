#include "operators/spatial_blocks.hpp"

#include "tensors/tensor_text.hpp"

#include <backplane/api/descriptors.hpp>

namespace backplane {

std::int64_t GetBlockElements(const OperatorInputs& inputs, const std::uint32_t* blocks,
                              std::uint32_t count) {
  std::int64_t elements = 1;
  for (std::uint32_t axis = 0; axis < count; ++axis) {
    inputs.RequirePositive("the block size", blocks[axis]);
    if (!__builtin_mul_overflow(elements, std::int64_t{blocks[axis]}, &elements)) continue;
    inputs.Fail(DiagnosticCode::kTensorTooLarge, "its blocks are too large",
                "found a block of " + std::to_string(blocks[axis]) + " at spatial axis " +
                    std::to_string(axis) + "; expected a number of elements that fits 63 bits",
                "correct the block size");
  }
  return elements;
}

std::int64_t DivideExtent(const OperatorInputs& inputs, std::uint32_t axis, std::int64_t extent,
                          std::int64_t divisor) {
  if (extent % divisor == 0) return extent / divisor;
  inputs.Fail(DiagnosticCode::kWrongShape, "the blocks do not divide its input",
              "found extent " + std::to_string(extent) + " at axis " + std::to_string(axis) +
                  " for " + DescribeTensor(inputs[0]) + "; expected a multiple of " +
                  std::to_string(divisor),
              "correct the block size or the shape of the input");
}

std::int64_t MultiplyExtent(const OperatorInputs& inputs, std::uint32_t axis, std::int64_t factor) {
  const std::int64_t extent = inputs[0].shape[axis];
  std::int64_t result = 0;
  if (!__builtin_mul_overflow(extent, factor, &result)) return result;
  inputs.Fail(DiagnosticCode::kTensorTooLarge, "the output is too large",
              "found " + std::to_string(factor) + " times extent " + std::to_string(extent) +
                  " at axis " + std::to_string(axis) + "; expected a product that fits 63 bits",
              "correct the block size");
}

std::uint32_t GetSpatialRank(const OperatorInputs& inputs) {
  const std::uint32_t rank = inputs[0].shape.rank;
  if (rank >= 3 && rank <= 2 + kMaxSpatialRank) return rank - 2;
  inputs.Fail(DiagnosticCode::kWrongRank, "the input has rank " + std::to_string(rank),
              "found " + DescribeTensor(inputs[0]) + " as input 0; expected rank 3 to " +
                  std::to_string(2 + kMaxSpatialRank) + ", [N, C, spatial...]",
              "reshape the tensor");
}

}  // namespace backplane
