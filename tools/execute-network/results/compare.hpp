#pragma once

#include <backplane/onnx/tensor_file.hpp>

#include <optional>
#include <string>

namespace backplane::execute_network {

/// |a - b| <= absolute + of_max * max|b| + relative * |b|, where b is what is expected. Integers
/// and bool are compared exactly.
struct Tolerance {
  double absolute = 1e-5;
  double relative = 1e-3;
  double of_max = 1e-4;
};

struct Comparison {
  bool is_equal = false;
  std::optional<double> max_abs_error;  // of the finite differences; none when shapes differ
  std::string difference;               // what differs most, for people; "" when is_equal
};

/// Two NaN are equal, and so are two infinities of one sign.
Comparison Compare(const onnx::NamedTensor& found, const onnx::NamedTensor& expected,
                   const Tolerance& tolerance);

}  // namespace backplane::execute_network
