#pragma once

/// How kernels find where the element at a position of a dense tensor comes from in others: the
/// position is taken apart into indices, which have a step in each of them.

#include "plan/kernel_plan.hpp"

#include <backplane/api/tensor_info.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace backplane {
namespace opencl {

/// An axis of the positions, outermost first among others.
struct IndexAxis {
  std::int64_t extent = 1;
  std::vector<std::int64_t> steps;  // in elements, for each tensor that is read
};

/// Leaves out what has extent 1, and merges neighbours along which every tensor goes on alike. At
/// least one axis is left.
std::vector<IndexAxis> MergeIndexAxes(const std::vector<IndexAxis>& axes);

/// The axes of `shape`, to which `operands` broadcast, merged.
std::vector<IndexAxis> MakeBroadcastAxes(const std::vector<TensorShape>& operands,
                                         const TensorShape& shape);

/// ", const int extent0, const uint magic0, const int shift0, const int step0_0, ...": what
/// WriteIndices reads. All names end in `suffix`, for kernels that take several positions apart.
std::string WriteIndexParameters(std::uint32_t num_axes, std::uint32_t num_tensors,
                                 const char* suffix = "");
void AppendIndexArguments(const std::vector<IndexAxis>& axes, std::vector<Argument>& arguments);

/// Statements that define `int index0`, `index1`, ... for each axis, and `int at0`, `at1`, ... for
/// each tensor, from `position`, the name of an int that is not negative.
std::string WriteIndices(std::uint32_t num_axes, std::uint32_t num_tensors,
                         const std::string& position, const char* suffix = "");

}  // namespace opencl
}  // namespace backplane
