#pragma once

#include "kernels/group_program.hpp"

#include <cstdint>
#include <string>

namespace backplane {
namespace opencl {

/// Who computes a group: one work-item, with vectors of `width` elements, or a work-group of
/// `num_lanes` work-items.
struct GroupSharing {
  std::uint32_t width = 1;  // more: elements of a group are contiguous, and there is one lane
  std::uint32_t num_lanes = 1;
  std::uint32_t num_axes = 1;          // of groups
  std::uint32_t num_grouped_axes = 1;  // in a group
};

/// The program, whose kernel is `groups`. Parameters: the number of groups, `size`, input 0, output
/// 0, operands, results and numbers of the program, the two kinds of axes, the epilogue's.
std::string WriteGroupSource(const GroupProgram& program, const GroupSharing& sharing,
                             const Epilogue& epilogue);

}  // namespace opencl
}  // namespace backplane
