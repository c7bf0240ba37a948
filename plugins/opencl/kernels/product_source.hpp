#pragma once

namespace backplane {
namespace opencl {

/// OpenCL C of the kernel Product; stands behind an epilogue's source (kernels/elements.hpp).
extern const char* const kProductSource;

}  // namespace opencl
}  // namespace backplane
