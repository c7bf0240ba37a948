#include "execution/work.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace backplane {
namespace opencl {
namespace {

std::uint64_t RoundUp(std::uint64_t bytes, std::uint64_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

/// Kernels whose outputs are empty have nothing to do, and OpenCL 1.2 does not launch them.
bool IsEmpty(const Launch& launch) {
  const auto end = launch.global_size.begin() + launch.num_dimensions;
  return std::find(launch.global_size.begin(), end, std::size_t{0}) != end;
}

bool ReadsIndices(const Launch& launch) {
  return std::any_of(launch.arguments.begin(), launch.arguments.end(), [](const Argument& one) {
    const auto* buffer = std::get_if<BufferArgument>(&one);
    return buffer != nullptr && buffer->kind == BufferArgument::Kind::kOutside;
  });
}

bool ReadsIndices(const WorkPlan& plan) {
  return std::any_of(plan.steps.begin(), plan.steps.end(), [](const Step& step) {
    const auto& launches = step.plan.launches;
    return std::any_of(launches.begin(), launches.end(),
                       [](const Launch& launch) { return ReadsIndices(launch); });
  });
}

class Maker {
 public:
  Maker(const WorkPlan& plan, DeviceContext& device, Constants& constants,
        const std::string& kernel_cache)
      : plan_(plan), device_(device), constants_(constants), kernel_cache_(kernel_cache) {
    for (const Intermediate& part : plan.intermediates) {
      scratch_begin_ = std::max(scratch_begin_, part.offset_bytes + part.size_bytes);
    }
    scratch_begin_ = RoundUp(scratch_begin_, device.GetDevice().alignment_bytes);
    if (ReadsIndices(plan)) {
      work_.outside = StateMemory{scratch_begin_};
      scratch_begin_ =
          RoundUp(scratch_begin_ + sizeof(OutsideIndex), device.GetDevice().alignment_bytes);
    }
    work_.state_bytes = scratch_begin_;
  }

  void Add(const Step& step) {
    if (step.copied_bytes != 0) {
      const StepTensor& from = step.inputs.at(0);
      const StepTensor& to = step.outputs.at(0);
      work_.commands.push_back({step.name, WorkCopy{{Find(from), 1, from.offset_bytes},
                                                    {Find(to), 1, to.offset_bytes},
                                                    step.copied_bytes}});
      return;
    }
    PlaceMemory(step.plan);
    for (const Launch& launch : step.plan.launches) {
      if (!IsEmpty(launch)) work_.commands.push_back({step.name, MakeKernel(step, launch)});
    }
  }

  Work Take() { return std::move(work_); }

 private:
  void PlaceMemory(const KernelPlan& plan) {
    made_constants_.clear();
    for (const auto& constant : plan.constants) {
      made_constants_.push_back(constants_.GetShared(constant));
    }
    scratch_offsets_.clear();
    std::uint64_t end = scratch_begin_;
    for (const std::uint64_t bytes : plan.scratch_bytes) {
      scratch_offsets_.push_back(end);
      end = RoundUp(end + bytes, device_.GetDevice().alignment_bytes);
    }
    work_.state_bytes = std::max(work_.state_bytes, end);
  }

  BufferSource Find(const StepTensor& tensor) {
    switch (tensor.kind) {
      case StepTensor::Kind::kInput:
        return TensorOfRun{false, tensor.index};
      case StepTensor::Kind::kOutput:
        return TensorOfRun{true, tensor.index};
      case StepTensor::Kind::kConstant:
        return constants_.GetShared(plan_.constants.at(tensor.index));
      case StepTensor::Kind::kIntermediate:
        break;
    }
    return StateMemory{plan_.intermediates.at(tensor.index).offset_bytes};
  }

  WorkBuffer Find(const Step& step, const BufferArgument& argument) {
    const std::uint32_t element_bytes = argument.element_bytes;
    const auto find_tensor = [&](const StepTensor& tensor) {
      return WorkBuffer{Find(tensor), element_bytes, tensor.offset_bytes};
    };
    switch (argument.kind) {
      case BufferArgument::Kind::kInput:
        return find_tensor(step.inputs.at(argument.index));
      case BufferArgument::Kind::kOutput:
        return find_tensor(step.outputs.at(argument.index));
      case BufferArgument::Kind::kConstant:
        return {made_constants_.at(argument.index), element_bytes};
      case BufferArgument::Kind::kOutside:
        return {*work_.outside, element_bytes};
      case BufferArgument::Kind::kScratch:
        break;
    }
    return {StateMemory{scratch_offsets_.at(argument.index)}, element_bytes};
  }

  WorkKernel MakeKernel(const Step& step, const Launch& launch) {
    WorkKernel kernel;
    kernel.program = device_.GetPrograms().Get(launch.source, launch.options, kernel_cache_);
    kernel.kernel = launch.kernel;
    kernel.num_dimensions = launch.num_dimensions;
    kernel.global_size = launch.global_size;
    kernel.local_size = launch.local_size;
    for (const Argument& argument : launch.arguments) {
      if (const auto* buffer = std::get_if<BufferArgument>(&argument)) {
        kernel.arguments.push_back(Find(step, *buffer));
        if (buffer->kind == BufferArgument::Kind::kOutside) {
          kernel.arguments.push_back(static_cast<std::int32_t>(work_.commands.size()));
        }
      } else if (const auto* local = std::get_if<LocalArgument>(&argument)) {
        kernel.arguments.push_back(*local);
      } else if (const auto* integer = std::get_if<std::int32_t>(&argument)) {
        kernel.arguments.push_back(*integer);
      } else {
        kernel.arguments.push_back(std::get<float>(argument));
      }
    }
    return kernel;
  }

  const WorkPlan& plan_;
  DeviceContext& device_;
  Constants& constants_;
  const std::string& kernel_cache_;
  std::uint64_t scratch_begin_ = 0;  // behind the intermediates and the OutsideIndex
  std::vector<Owned<cl_mem>> made_constants_;
  std::vector<std::uint64_t> scratch_offsets_;
  Work work_;
};

}  // namespace

std::shared_ptr<const Work> MakeWork(const WorkPlan& plan, DeviceContext& device,
                                     Constants& constants, const std::string& kernel_cache) {
  Maker maker(plan, device, constants, kernel_cache);
  for (const Step& step : plan.steps) {
    try {
      maker.Add(step);
    } catch (const std::exception& error) {
      throw std::runtime_error("the kernels of '" + step.name +
                               "' cannot be made: " + error.what());
    }
  }
  return std::make_shared<const Work>(maker.Take());
}

}  // namespace opencl
}  // namespace backplane
