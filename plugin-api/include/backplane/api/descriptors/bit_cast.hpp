#pragma once

#include <backplane/api/data_type.hpp>
#include <backplane/api/descriptor.hpp>

namespace backplane {

struct BitCastDescriptor : Descriptor<BitCastDescriptor> {
  DataType to = DataType::kInt32;  // its elements have as many bytes as those of the input
};
BACKPLANE_CHECK_DESCRIPTOR(BitCastDescriptor, to);

}  // namespace backplane
