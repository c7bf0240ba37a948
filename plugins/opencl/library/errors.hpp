#pragma once

/// Errors of OpenCL, by name.

#include "library/opencl.hpp"

#include <backplane/api/status.hpp>

#include <stdexcept>
#include <string>

namespace backplane {
namespace opencl {

/// The name and the number, for example "CL_OUT_OF_RESOURCES (-5)".
std::string DescribeError(cl_int error);

/// As a status of the Backend API.
Status ToStatus(cl_int error);

/// A call of OpenCL that failed.
class OpenClError : public std::runtime_error {
 public:
  /// `doing`: what failed, as "clBuildProgram of the kernels of 'conv1'".
  OpenClError(const std::string& doing, cl_int error);

  cl_int GetError() const { return error_; }

 private:
  cl_int error_;
};

/// Throws OpenClError unless `error` is CL_SUCCESS.
inline void Check(cl_int error, const char* doing) {
  if (error != CL_SUCCESS) throw OpenClError(doing, error);
}

}  // namespace opencl
}  // namespace backplane
