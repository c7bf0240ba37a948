#pragma once

/// Layers that compute each element by itself, as statements in OpenCL C. They define one constant,
/// and need nothing but the built-in functions, so that they can stand in any kernel.

#include "plan/layer.hpp"

#include <backplane/api/data_type.hpp>
#include <backplane/api/descriptors/activation.hpp>
#include <backplane/api/descriptors/elementwise_unary.hpp>

#include <string>
#include <vector>

namespace backplane {
namespace opencl {

/// In which numbers a program computes with elements of a plain type that is no float64 or
/// bfloat16: "float", "long" or "ulong". bool is ulong, 0 or 1.
std::string GetComputedType(DataType data_type);

/// A float as a literal, exactly.
std::string WriteFloat(float value);

/// Whether WriteLayer knows the layer, whatever its tensors are.
bool IsPointwise(LayerType type);

/// Statements that define `result`, the element of the output, from `operands`, the names of
/// constants with the elements of the inputs. The layer is not refused.
std::string WriteLayer(const PlannedLayer& layer, const std::vector<std::string>& operands,
                       const std::string& result);

/// The shape with which input `input` broadcasts to the output.
TensorShape GetOperandShape(const Layer& layer, std::uint32_t input);

}  // namespace opencl
}  // namespace backplane
