#include "identity.hpp"

#ifndef BACKPLANE_OPENCL_ID
#define BACKPLANE_OPENCL_ID "OpenCl"
#endif

namespace backplane {
namespace opencl {

const char kId[] = BACKPLANE_OPENCL_ID;
const char kDeviceFactoryId[] = "Backplane/" BACKPLANE_OPENCL_ID "/Device";
const char kHostVisibleFactoryId[] = "Backplane/" BACKPLANE_OPENCL_ID "/HostVisible";

}  // namespace opencl
}  // namespace backplane
