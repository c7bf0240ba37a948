#pragma once

/// The kernels of one work in one execution state. OpenCL's kernel objects keep their arguments, so
/// each run that goes on at the same time has its own.

#include "execution/work.hpp"
#include "library/library.hpp"
#include "memory/buffer_handle.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace backplane {
namespace opencl {

/// The tensors of a run, by their place; those that are constant have none.
struct RunTensors {
  std::vector<BufferPlace> inputs;
  std::vector<BufferPlace> outputs;

  const BufferPlace& Get(const TensorOfRun& tensor) const {
    return (tensor.is_output ? outputs : inputs)[tensor.index];
  }
};

class WorkState {
 public:
  /// `memory` is that of the execution state, where kernels have intermediates and scratch.
  /// Errors: OpenClError.
  WorkState(const DeviceContext& device, std::shared_ptr<const Work> work, cl_mem memory);

  const Work& GetWork() const { return *work_; }
  /// Filled by whoever enqueues.
  RunTensors& GetTensors() { return tensors_; }

  /// Enqueues a command of the work.
  /// Null: no event is wanted.
  /// Errors: OpenClError that names the step.
  void Enqueue(std::size_t command, cl_command_queue queue, cl_event* event);

  /// Whether its kernels read indices: then each run begins and ends with these.
  bool ReadsIndices() const { return work_->outside.has_value(); }
  /// Errors: OpenClError.
  void ExpectIndices(cl_command_queue queue) const;
  /// Waits for all that is enqueued.
  /// Errors: InvalidArgumentException for an index that lies outside of its axis; OpenClError.
  void CheckIndices(cl_command_queue queue) const;

 private:
  /// An argument that is a tensor of the run, and what it was last.
  struct TensorArgument {
    cl_uint index = 0;
    TensorOfRun tensor;
    std::uint32_t element_bytes = 1;
    std::uint64_t offset_bytes = 0;  // in the tensor
    cl_mem buffer = nullptr;
    std::uint64_t begin_bytes = 0;
  };
  struct Kernel {
    Owned<cl_kernel> kernel;  // null for a copy
    std::vector<TensorArgument> tensors;
  };

  Kernel MakeKernel(const WorkCommand& command, Kernels& kernels) const;
  void SetBuffer(cl_kernel kernel, cl_uint index, cl_mem buffer, std::uint64_t offset_bytes,
                 std::uint32_t element_bytes) const;
  void SetArgument(Kernel& kernel, cl_uint& index, const WorkArgument& argument) const;
  void SetTensors(Kernel& kernel) const;
  BufferPlace Find(const WorkBuffer& buffer) const;
  cl_int EnqueueKernel(const WorkKernel& work, Kernel& kernel, cl_command_queue queue,
                       cl_event* event) const;
  cl_int EnqueueCopy(const WorkCopy& copy, cl_command_queue queue, cl_event* event) const;

  const Library& library_;
  std::shared_ptr<const Work> work_;
  cl_mem memory_;
  std::vector<Kernel> kernels_;  // one for each command
  RunTensors tensors_;
};

}  // namespace opencl
}  // namespace backplane
