#pragma once

namespace backplane {
namespace opencl {

/// OpenCL C of the kernels ToPoints and FromPoints: Winograd's algorithm for windows of 3 x 3, by
/// tiles of 4 x 4 outputs (Lavin and Gray, 2015), at the points 0, NEAR and FAR with both signs,
/// and infinity. Stands behind kElementsSource, kBiasSource and an epilogue's source.
extern const char* const kWinogradSource;

}  // namespace opencl
}  // namespace backplane
