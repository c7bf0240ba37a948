#pragma once

#include <backplane/api/data_type.hpp>
#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

struct EyeLikeDescriptor : Descriptor<EyeLikeDescriptor> {
  DataType data_type = DataType::kFloat32;  // of the output
  std::int64_t diagonal = 0;                // 0 is the main one, positive numbers lie above it
};
BACKPLANE_CHECK_DESCRIPTOR(EyeLikeDescriptor, diagonal);

}  // namespace backplane
