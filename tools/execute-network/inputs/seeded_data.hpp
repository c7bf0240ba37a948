#pragma once

#include <backplane/onnx/tensor_file.hpp>

#include <string>

namespace backplane::execute_network {

/// Data for an input that has none: floats in [0, 1), integers from 0 to 9, or the lowest
/// bits of these, and bool. The same for the
/// same name and info, on every machine.
onnx::NamedTensor MakeSeededTensor(const std::string& name, const TensorInfo& info);

}  // namespace backplane::execute_network
