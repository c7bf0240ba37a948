#pragma once

/// How kernels come to be written once: as templates over the number they calculate with. Tensors
/// that are stored as something else are converted as a whole, in scratch memory, before and after.

#include "elements/compute_type.hpp"
#include "kernel.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace backplane {
namespace reference {

/// The kernel itself when the tensors are stored as they are calculated with; otherwise one that
/// converts all inputs and outputs around it, each by its own data type: indices of int32 become
/// int64 too. bool is never converted.
std::unique_ptr<Kernel> WithConversions(const Layer& layer, std::unique_ptr<Kernel> kernel);

/// The same, but only these inputs are converted: for kernels that move bytes by indices.
std::unique_ptr<Kernel> WithConvertedInputs(const Layer& layer,
                                            const std::vector<std::uint32_t>& inputs,
                                            std::unique_ptr<Kernel> kernel);

/// For kernels that make sense of floats only. `value` is the input or output whose type decides.
template <template <typename Number> class TypedKernel>
std::unique_ptr<Kernel> MakeFloatKernel(const Layer& layer, const TensorInfo& value) {
  if (GetComputeType(value) == ComputeType::kFloat) {
    return WithConversions(layer, std::make_unique<TypedKernel<float>>(layer));
  }
  return WithConversions(layer, std::make_unique<TypedKernel<double>>(layer));
}
template <template <typename Number> class TypedKernel>
std::unique_ptr<Kernel> MakeFloatKernel(const Layer& layer) {
  return MakeFloatKernel<TypedKernel>(layer, layer.Input(0));
}

/// For kernels that only add, subtract and multiply: modulo 2^64 the sign of integers does not
/// matter.
template <template <typename Number> class TypedKernel>
std::unique_ptr<Kernel> MakeRingKernel(const Layer& layer) {
  switch (GetComputeType(layer.Input(0))) {
    case ComputeType::kInt64:
    case ComputeType::kUInt64:
      return WithConversions(layer, std::make_unique<TypedKernel<std::uint64_t>>(layer));
    default:
      return MakeFloatKernel<TypedKernel>(layer);
  }
}

/// For all other kernels on numbers.
template <template <typename Number> class TypedKernel>
std::unique_ptr<Kernel> MakeNumberKernel(const Layer& layer, const TensorInfo& value) {
  switch (GetComputeType(value)) {
    case ComputeType::kInt64:
      return WithConversions(layer, std::make_unique<TypedKernel<std::int64_t>>(layer));
    case ComputeType::kUInt64:
      return WithConversions(layer, std::make_unique<TypedKernel<std::uint64_t>>(layer));
    default:
      return MakeFloatKernel<TypedKernel>(layer, value);
  }
}
template <template <typename Number> class TypedKernel>
std::unique_ptr<Kernel> MakeNumberKernel(const Layer& layer) {
  return MakeNumberKernel<TypedKernel>(layer, layer.Input(0));
}

}  // namespace reference
}  // namespace backplane
