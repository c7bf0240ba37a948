#pragma once

/// What the kernel of a group of layers does.

#include "subgraphs/groups.hpp"

#include "plan/kernel_plan.hpp"

#include <string>
#include <vector>

namespace backplane {
namespace opencl {

/// The plan of a group, in which inputs and outputs are counted as they are listed here.
struct GroupStep {
  std::string name;
  KernelPlan plan;
  std::vector<TensorNumber> inputs;
  std::vector<TensorNumber> outputs;
};

/// Null: `contents`, when what is made of constants is not shared.
GroupStep MakeGroupStep(const Graph& graph, const LayerGroup& group, const DeviceLimits& limits,
                        SharedContents* contents = nullptr);

}  // namespace opencl
}  // namespace backplane
