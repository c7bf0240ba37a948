#include "library/errors.hpp"

namespace backplane {
namespace opencl {
namespace {

/// Null: a driver's own error.
const char* FindName(cl_int error) {
  switch (error) {
#define OPENCL_ERROR(name) \
  case name:               \
    return #name;
#include "library/errors.def"
#undef OPENCL_ERROR
    default:
      return nullptr;
  }
}

}  // namespace

std::string DescribeError(cl_int error) {
  const char* name = FindName(error);
  return std::string(name != nullptr ? name : "an error of the driver's own") + " (" +
         std::to_string(error) + ")";
}

Status ToStatus(cl_int error) {
  switch (error) {
    case CL_SUCCESS:
      return Status::kSuccess;
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_OUT_OF_RESOURCES:
    case CL_OUT_OF_HOST_MEMORY:
      return Status::kOutOfMemory;
    case CL_DEVICE_NOT_AVAILABLE:
      return Status::kUnavailable;
    default:
      return Status::kFailure;
  }
}

OpenClError::OpenClError(const std::string& doing, cl_int error)
    : std::runtime_error(doing + " failed: " + DescribeError(error)), error_(error) {}

}  // namespace opencl
}  // namespace backplane
