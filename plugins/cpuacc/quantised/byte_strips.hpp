#pragma once

/// What a strip of a convolution of bytes reads.

#include "quantised/byte_geometry.hpp"

#include <cstdint>

namespace backplane {
namespace cpuacc {

/// How bytes become numbers.
struct ByteType {
  std::int32_t sign_bit;  // 128, or 0 for uint8
  std::int32_t zero_point;
};

/// Widens the elements that a strip reads from an input with its channels last, without their zero
/// point. Padding counts as the zero point, and becomes 0.
void PrepareStrip(const ByteGeometry& geometry, const ByteStrip& strip, ByteType type,
                  const unsigned char* input, std::int16_t* elements);

}  // namespace cpuacc
}  // namespace backplane
