#pragma once

/// How far results may be from what is expected, by their data type: here and nowhere else.

#include <backplane/api/data_type.hpp>

#include <optional>

namespace backplane::execute_network {

/// |a - b| <= absolute + of_max * max|b| + relative * |b|, where b is what is expected. Integers
/// and bool are compared exactly.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
  double of_max = 0;
};

/// What the user asks for; without a value, that of the data type.
struct WantedTolerance {
  std::optional<double> absolute;
  std::optional<double> relative;
  std::optional<double> of_max;
};

/// Of a network of this type, with values rounded to it between layers. Floats of 16 bits may be
/// four and of the largest two of their steps apart, which are 2^-10 and 2^-7 of a number.
Tolerance GetTolerance(DataType type, const WantedTolerance& wanted);

}  // namespace backplane::execute_network
