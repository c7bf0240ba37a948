#pragma once

#include <backplane/api/data_type.hpp>
#include <backplane/api/descriptor.hpp>

namespace backplane {

/// Converts each element to another data type:
/// - to bool: whether it is not 0, NaN included; from bool: 0 or 1;
/// - from a float to an integer: what is behind the point is dropped; what then is out of range
///   becomes the nearest value in range, and NaN becomes 0;
/// - from an integer to an integer: the lowest bits, in two's complement;
/// - to a float: the nearest value, the one with an even last digit when two are equally near;
///   beyond the greatest, infinity.
struct CastDescriptor : Descriptor<CastDescriptor> {
  DataType to = DataType::kFloat32;
};
BACKPLANE_CHECK_DESCRIPTOR(CastDescriptor, to);

}  // namespace backplane
