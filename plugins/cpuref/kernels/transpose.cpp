#include "cpu_layers/refusal.hpp"
#include "kernel.hpp"
#include "kernels/moved_scales.hpp"
#include "kernels/strided_copy.hpp"

#include <backplane/api/descriptors/transpose.hpp>

namespace backplane {
namespace cpuref {
namespace {

bool IsPermutation(const TransposeDescriptor& descriptor, std::uint32_t rank) {
  std::uint32_t named = 0;
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    const std::uint32_t from = descriptor.permutation[axis];
    if (from < rank) named |= 1U << from;
  }
  return named == (1U << rank) - 1;
}

}  // namespace

std::string FindRefusalOfTranspose(const Layer& layer) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<TransposeDescriptor>();
  const TensorShape& input = layer.Input(0).shape;
  RequireMovedScales(layer, refusal, [&](std::uint32_t axis) -> std::optional<std::uint32_t> {
    for (std::uint32_t to = 0; to < input.rank; ++to) {
      if (descriptor.permutation[to] == axis) return to;
    }
    return std::nullopt;
  });
  if (!IsPermutation(descriptor, input.rank)) {
    refusal.Add("the permutation does not name each axis of rank ", input.rank, " once");
    return refusal.GetReason();
  }
  TensorShape output = input;
  for (std::uint32_t axis = 0; axis < input.rank; ++axis) {
    output[axis] = input[descriptor.permutation[axis]];
  }
  RequireOutputShape(layer, output, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeTranspose(const Layer& layer) {
  const auto descriptor = layer.GetDescriptor<TransposeDescriptor>();
  const TensorShape& output = layer.Output().shape;
  const DenseSteps from(layer.Input(0).shape);
  const DenseSteps to(output);
  StridedCopy copy(GetDataTypeSizeBytes(layer.Output().data_type));
  for (std::uint32_t axis = 0; axis < output.rank; ++axis) {
    copy.AddAxis(output[axis], from[descriptor.permutation[axis]], to[axis]);
  }
  copy.Prepare();
  return std::make_unique<StridedCopyKernel>(copy);
}

}  // namespace cpuref
}  // namespace backplane
