#pragma once

#include "results/tolerance.hpp"

#include <backplane/onnx/tensor_file.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace backplane::execute_network {

/// One element that differs. Of integers beyond 2^53, the values are rounded.
struct DifferingElement {
  std::size_t index = 0;
  double found = 0;
  double expected = 0;
  double allowed = 0;
};

struct Comparison {
  bool is_equal = false;
  std::optional<double> max_abs_error;         // of the finite differences; none when shapes differ
  std::string difference;                      // what differs most, for people; "" when is_equal
  std::optional<DifferingElement> worst = {};  // what it is of; none when shapes differ
  double allowed_base = 0;      // absolute + of_max * max|b|; 0 for what is compared exactly
  double allowed_relative = 0;  // of each |b|, beside that
};

/// "0.00012 + 0.001|b|", or "exact".
std::string DescribeTolerance(const Comparison& comparison);

/// Two NaN are equal, and so are two infinities of one sign.
Comparison Compare(const onnx::NamedTensor& found, const onnx::NamedTensor& expected,
                   const WantedTolerance& wanted);

}  // namespace backplane::execute_network
