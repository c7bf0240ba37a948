#pragma once

/// A layer to ask about, and what makes it one that CpuAcc cannot run.

#include "cpu_layers/layer.hpp"
#include "cpu_layers/refusal.hpp"

namespace backplane {
namespace cpuacc {

using namespace cpu_layers;

/// Whether any tensor of the layer is quantised.
bool IsQuantised(const Layer& layer);

/// Refuses a tensor of another type than loops over plain arrays know
/// (simd/conversion_functions.hpp), and one that is quantised.
void RequireNumberType(const TensorInfo& info, const char* tensor, Refusal& refusal);

/// Refuses tensors, of those that are values, that are not plain float32. The words name the types
/// for which float32 stands in, too, and `others`.
void RequireFloat32(const Layer& layer, Refusal& refusal, const TensorRoles& roles = {},
                    const char* others = "");

/// Whether a tensor has plain integers that loops of our own calculate with: int8, uint8, int32 or
/// int64.
bool IsPlainInteger(const TensorInfo& info);

/// Refuses what RequireFloat32 does, unless all values are such integers of one type.
void RequireFloat32OrIntegers(const Layer& layer, Refusal& refusal, const TensorRoles& roles = {});

}  // namespace cpuacc
}  // namespace backplane
