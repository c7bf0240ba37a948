#pragma once

/// What one workload does: the plans of its layers one after the other, with where the tensors
/// between them lie. Pure data, as kernel plans are.

#include "plan/kernel_plan.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace backplane {
namespace opencl {

/// A tensor that a step reads or writes.
struct StepTensor {
  enum class Kind {
    kInput,         // of the workload
    kOutput,        // of the workload
    kConstant,      // of WorkPlan::constants
    kIntermediate,  // of WorkPlan::intermediates
  };
  Kind kind = Kind::kInput;
  std::uint32_t index = 0;
  std::uint64_t offset_bytes = 0;  // in it
};

/// One layer, or several in one kernel.
struct Step {
  std::string name;  // in timelines and in what is told of failures
  KernelPlan plan;
  std::vector<StepTensor> inputs;   // as BufferArgument::index counts them
  std::vector<StepTensor> outputs;  // likewise
  std::uint64_t copied_bytes = 0;   // not 0: no plan, but input 0 is copied into output 0
};

/// Content that stays as long as the workload is not made.
struct ConstantData {
  const void* data = nullptr;
  std::uint64_t size_bytes = 0;
  std::shared_ptr<const Bytes> owner;  // null: the host has it
};

/// Memory in the buffer of intermediates. Those that do not live at the same time may overlap.
struct Intermediate {
  std::uint64_t offset_bytes = 0;
  std::uint64_t size_bytes = 0;
};

struct WorkPlan {
  std::vector<Step> steps;
  std::vector<ConstantData> constants;
  std::vector<Intermediate> intermediates;
};

}  // namespace opencl
}  // namespace backplane
