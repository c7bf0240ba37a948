#pragma once

#include <backplane/onnx/tensor_file.hpp>

#include <cstddef>
#include <vector>

namespace backplane::execute_network {

/// Elements of any type as doubles. 64-bit integers beyond 2^53 are rounded.
std::vector<double> ReadElements(const onnx::NamedTensor& tensor);

/// Sets one element: the nearest that its type has, of two the even one. Integers saturate, and
/// NaN is 0 for them; for bool, what is not 0 is true.
void WriteElement(double value, std::size_t index, onnx::NamedTensor& tensor);

}  // namespace backplane::execute_network
