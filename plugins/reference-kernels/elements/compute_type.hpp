#pragma once

/// In which numbers a kernel calculates, whatever its tensors are stored as.

#include "cpu_layers/tensor_roles.hpp"
#include "kernel.hpp"
#include "layer.hpp"

#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane {
namespace reference {

/// float32, float16 and bfloat16 are calculated in float; float64 and everything quantised in
/// double; the other integers in 64 bits.
enum class ComputeType : std::uint32_t { kFloat, kDouble, kInt64, kUInt64 };

/// Of a tensor that has passed RequireNumbers or RequireFloats.
ComputeType GetComputeType(const TensorInfo& info);

/// Refuses layers whose values are not of one and the same type of numbers, or all quantised, and
/// tensors of another role whose type does not go with it.
void RequireNumbers(const Layer& layer, Refusal& refusal, const TensorRoles& roles = {});

/// As RequireNumbers, for what makes no sense of plain integers.
void RequireFloats(const Layer& layer, Refusal& refusal, const TensorRoles& roles = {});

/// As RequireNumbers, for what makes sense of plain integers only.
void RequireIntegers(const Layer& layer, Refusal& refusal, const TensorRoles& roles = {});

/// Refuses a tensor whose elements cannot be quantised, or whose scales do not fit it.
void RequireQuantisable(const TensorInfo& info, const char* tensor, Refusal& refusal);

/// As RequireQuantisable, and refuses a tensor without scales.
void RequireQuantised(const TensorInfo& info, const char* tensor, Refusal& refusal);

/// Refuses a tensor that is no plain float.
void RequirePlainFloat(const TensorInfo& info, const char* tensor, Refusal& refusal);

/// Refuses whatever is quantised, for kernels that have no use for it.
void RefuseQuantised(const Layer& layer, Refusal& refusal);

}  // namespace reference
}  // namespace backplane
