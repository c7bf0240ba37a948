#pragma once

namespace backplane {
namespace opencl {

/// OpenCL C that lays planes out as a WindowGrid (kernels/window_grid.hpp), in GRID_SPACE memory;
/// with -DLAY_OUT also a kernel LayOut that does only that. Stands behind kElementsSource.
extern const char* const kWindowGridSource;

/// OpenCL C of the kernels OnPlane, which lays a plane out in local memory, and AtPosition, of one
/// output element. What they do with the elements of a window is said by MAXIMUM, AVERAGE, POWERS
/// or PRODUCTS. Stands behind kWindowGridSource and an epilogue's source.
extern const char* const kWindowSource;

}  // namespace opencl
}  // namespace backplane
