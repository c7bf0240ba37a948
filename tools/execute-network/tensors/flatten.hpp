#pragma once

#include <backplane/onnx/tensor_file.hpp>
#include <backplane/runtime/stage_value.hpp>

#include <string>
#include <vector>

namespace backplane::execute_network {

using Tensors = std::vector<onnx::NamedTensor>;

/// The tensors of a value, by copies: "y", or "y[0]", "y[1]" of a sequence; none of nothing.
Tensors Flatten(const std::string& name, const StageValue& value);

}  // namespace backplane::execute_network
