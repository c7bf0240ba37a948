#pragma once

/// Programs over groups of elements: what is reduced along any axes, or normalised by what is.

#include "plan/kernel_plan.hpp"
#include "plan/layer.hpp"

#include "cpu_layers/axis_set.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace backplane {
namespace opencl {

/// One number made of all elements of a group. The later ones know the earlier ones by name.
struct GroupFold {
  std::string name;
  std::string start;    // an expression
  std::string fold;     // statements that take the element x up into <name>
  std::string combine;  // an expression: what a and b, of two parts of a group, are together
  std::string finish;   // statements that change <name> once all is taken up
};

/// A number of each group that is stored as float32.
struct GroupResult {
  std::string value;
  std::uint32_t output = 0;
};

/// An input that a program reads by its name: LOAD(<name>, <name>_begin + i).
struct GroupOperand {
  std::string name;
  std::uint32_t input = 0;
};

struct GroupNumber {
  std::string name;
  std::int64_t value = 0;
};

/// Programs read `size`, the number of elements of a group, `group`, its number in the order of the
/// axes that are not in the set, and `k`, the number of an element in its group.
struct GroupProgram {
  AxisSet axes = {};
  std::vector<GroupFold> folds;
  std::string value;      // an expression with x, or of the group
  bool is_of_group = false;  // output 0 has an element for each group, not for each element
  std::vector<GroupResult> results;
  std::vector<GroupOperand> operands;
  std::vector<GroupNumber> numbers;
};

KernelPlan PlanGroups(const PlannedLayer& layer, const GroupProgram& program,
                      const DeviceLimits& limits);

}  // namespace opencl
}  // namespace backplane
