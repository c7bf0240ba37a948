#pragma once

#include <cstdint>

namespace backplane::execute_network {

/// The value of an IEEE 754 half.
double FromFloat16(std::uint16_t bits);

/// The value of a bfloat16: the upper half of a float.
double FromBFloat16(std::uint16_t bits);

/// The bits of the nearest value, of two the even one; infinity for what is too large.
std::uint16_t ToFloat16(double value);
std::uint16_t ToBFloat16(double value);

}  // namespace backplane::execute_network
