#pragma once

#include <cstdint>

namespace backplane::execute_network {

/// The value of an IEEE 754 half.
double FromFloat16(std::uint16_t bits);

/// The value of a bfloat16: the upper half of a float.
double FromBFloat16(std::uint16_t bits);

/// The nearest bits for a value in [0, 1), truncated.
std::uint16_t ToFloat16(float value);
std::uint16_t ToBFloat16(float value);

}  // namespace backplane::execute_network
