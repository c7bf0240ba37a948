#pragma once

/// A work plan whose programs are built and whose constants are on the device.

#include "context/device_context.hpp"
#include "execution/constants.hpp"
#include "library/library.hpp"
#include "plan/work_plan.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace backplane {
namespace opencl {

/// Which tensor of a run a kernel is given.
struct TensorOfRun {
  bool is_output = false;
  std::uint32_t index = 0;
};

/// Memory of the execution state.
struct StateMemory {
  std::uint64_t offset_bytes = 0;
};

/// Where a buffer argument comes from; only tensors differ from run to run.
using BufferSource = std::variant<TensorOfRun, StateMemory, Owned<cl_mem>>;

struct WorkBuffer {
  BufferSource source;
  std::uint32_t element_bytes = 1;
  std::uint64_t offset_bytes = 0;  // in the source
};

using WorkArgument = std::variant<WorkBuffer, LocalArgument, std::int32_t, float>;

struct WorkKernel {
  Owned<cl_program> program;
  std::string kernel;
  std::vector<WorkArgument> arguments;
  cl_uint num_dimensions = 1;
  std::array<std::size_t, 3> global_size = {1, 1, 1};
  std::array<std::size_t, 3> local_size = {0, 0, 0};
};

struct WorkCopy {
  WorkBuffer from;
  WorkBuffer to;
  std::uint64_t size_bytes = 0;
};

struct WorkCommand {
  std::string name;  // of the step
  std::variant<WorkKernel, WorkCopy> command;
};

/// Immutable; shared by all execution states.
struct Work {
  std::vector<WorkCommand> commands;
  std::uint64_t state_bytes = 0;       // of the execution state
  std::optional<StateMemory> outside;  // an OutsideIndex, where kernels read indices
};

/// Builds what the plan asks for. `kernel_cache` is a folder or empty.
/// Errors: std::runtime_error that names the step.
std::shared_ptr<const Work> MakeWork(const WorkPlan& plan, DeviceContext& device,
                                     Constants& constants, const std::string& kernel_cache);

}  // namespace opencl
}  // namespace backplane
