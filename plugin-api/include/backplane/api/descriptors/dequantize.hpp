#pragma once

#include <backplane/api/data_type.hpp>
#include <backplane/api/descriptor.hpp>

namespace backplane {

struct DequantizeDescriptor : Descriptor<DequantizeDescriptor> {
  DataType to = DataType::kFloat32;  // one of the floats
};
BACKPLANE_CHECK_DESCRIPTOR(DequantizeDescriptor, to);

}  // namespace backplane
