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
/// Statements and expressions are for floats and for vectors of them, whose elements they treat
/// alike. Parts are short and combined, so that a sum of very many does not lose the small ones.
struct GroupFold {
  std::string name;
  std::string start;    // an expression of a float
  std::string fold;     // statements that take the element x up into <name>
  std::string combine;  // an expression: what a and b, of parts of a group, are together
  std::string finish;   // statements that change the float <name> once all is taken up
};

/// The greatest absolute value of a group, as `greatest`, or 1: squares of what is divided by it
/// neither overflow nor vanish.
GroupFold MakeGreatestSize();

/// A number of each group that is stored as float32.
struct GroupResult {
  std::string value;
  std::uint32_t output = 0;
};

/// An input whose element is known as <name>_x where elements of the output are computed.
struct GroupOperand {
  enum class Per {
    kElement,  // of a group: one after the other
    kGroup,    // at `position`, an expression in which k does not stand
    kChannel,  // at `position`
  };
  std::string name;
  std::uint32_t input = 0;
  Per per = Per::kElement;
  std::string position = "k";
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
  std::string value;         // an expression with x, or of the group
  bool is_of_group = false;  // output 0 has an element for each group, not for each element
  std::vector<GroupResult> results;
  std::vector<GroupOperand> operands;
  std::vector<GroupNumber> numbers;
};

KernelPlan PlanGroups(const PlannedLayer& layer, const GroupProgram& program,
                      const DeviceLimits& limits);

}  // namespace opencl
}  // namespace backplane
