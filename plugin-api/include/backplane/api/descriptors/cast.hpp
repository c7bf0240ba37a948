#pragma once

#include <backplane/api/data_type.hpp>
#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// What becomes of numbers beyond the greatest of a float of 8 bits, infinity included.
enum class NarrowOverflow : std::uint32_t {
  kSaturate = 1,  // the greatest, with the sign
  kSpecial = 2,   // infinity where the type has it, otherwise NaN
};

/// How float8_e8m0fnu, which has powers of two only, gets them from numbers between two.
enum class ScaleRounding : std::uint32_t {
  kUp = 1,       // the greater one
  kDown = 2,     // the smaller one
  kNearest = 3,  // the nearer one; the greater one of the number in the middle
};

/// Converts each element to another data type:
/// - to bool: whether it is not 0, NaN included; from bool: 0 or 1;
/// - from a float to an integer: what is behind the point is dropped; what then is out of range
///   becomes the nearest value in range, and NaN becomes 0;
/// - from an integer to an integer: the lowest bits, in two's complement;
/// - to a float: the nearest value, the one with an even last digit when two are equally near;
///   beyond the greatest, infinity, but for narrow types, narrow_types.hpp.
struct CastDescriptor : Descriptor<CastDescriptor> {
  DataType to = DataType::kFloat32;
  /// These two say nothing of types that are not narrow floats.
  NarrowOverflow overflow = NarrowOverflow::kSaturate;
  ScaleRounding scale_rounding = ScaleRounding::kUp;
};
BACKPLANE_CHECK_DESCRIPTOR(CastDescriptor, scale_rounding);

}  // namespace backplane
