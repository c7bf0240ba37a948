#pragma once

#include <backplane/api/descriptors/resize.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>
#include <vector>

namespace backplane {
namespace cpu_layers {

/// Whether the elements along the axis stay where they are.
bool IsLeftAlone(const ResizeDescriptor& descriptor, const TensorShape& input, std::uint32_t axis);

/// From which elements of the input those of the output come along one axis.
struct ResizeAxis {
  std::int64_t input = 1;  // extents
  std::int64_t output = 1;
  bool is_left_alone = true;  // then the rest is empty
  std::uint32_t num_taps = 1;
  std::vector<std::int64_t> indices;  // num_taps for each element of the output
  std::vector<double> weights;        // likewise
  std::vector<std::int64_t> outside;  // elements of the output that get the extrapolation value
};

/// All axes of a layer that is not refused and whose output has elements.
std::vector<ResizeAxis> MakeResizeAxes(const ResizeDescriptor& descriptor,
                                       const TensorShape& input);

}  // namespace cpu_layers
}  // namespace backplane
