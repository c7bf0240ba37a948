#pragma once

/// What a workload is given at each run: thin views of what the host keeps.

#include <backplane/c/backend.h>
#include <backplane/api/c_memory.hpp>
#include <backplane/api/fence.hpp>

#include <cstddef>
#include <cstdint>

namespace backplane {

class IExecutionState;
class ITensorHandle;

/// One tensor of a run. Valid as long as the run.
class RunTensor {
 public:
  explicit RunTensor(const bp_tensor& tensor) : tensor_(tensor) {}

  /// Where the tensor lies and how.
  /// Null: the tensor is known by its handle alone.
  const bp_view* GetView() const { return tensor_.view; }
  /// The same with strides for each axis, where GetView is not null.
  MemoryView Describe() const { return c_form::ToView(*tensor_.view); }
  /// The handle, when one of the backend's own factories made it. Null: it is memory of others.
  ITensorHandle* GetHandle() const { return reinterpret_cast<ITensorHandle*>(tensor_.handle); }

  /// The first byte. Null: the CPU cannot address the tensor.
  void* GetData() const { return tensor_.view != nullptr ? tensor_.view->data : nullptr; }
  /// The first element. Null: the CPU cannot address the tensor.
  template <typename Element>
  Element* Get() const {
    return static_cast<Element*>(GetData());
  }

  /// The first element.
  /// Null: the elements do not lie one after the other in memory of the CPU.
  template <typename Element>
  Element* GetDense() const {
    return IsDense(sizeof(Element)) ? Get<Element>() : nullptr;
  }
  /// Whether the elements, of that size, lie one after the other.
  bool IsDense(std::uint64_t element_size_bytes) const {
    return tensor_.view != nullptr && c_form::IsDense(*tensor_.view, element_size_bytes);
  }

  /// Nobody reads an input after this workload: it may be overwritten.
  bool IsOverwritable() const { return (tensor_.flags & BP_TENSOR_OVERWRITABLE) != 0; }

 private:
  const bp_tensor& tensor_;
};

/// The inputs or the outputs of a run. Valid as long as the run.
class RunTensorList {
 public:
  RunTensorList(const bp_tensor* first, std::uint32_t count) : first_(first), count_(count) {}
  std::uint32_t GetCount() const { return count_; }
  RunTensor operator[](std::size_t index) const { return RunTensor(first_[index]); }

 private:
  const bp_tensor* first_;
  std::uint32_t count_;
};

/// One run of one workload. Borrowed until the call returns.
class ExecuteArgs {
 public:
  explicit ExecuteArgs(const bp_run_args& args) : args_(args) {}

  std::uint32_t GetNumInputs() const { return args_.num_inputs; }
  std::uint32_t GetNumOutputs() const { return args_.num_outputs; }
  RunTensor GetInput(std::uint32_t index) const { return RunTensor(args_.inputs[index]); }
  RunTensor GetOutput(std::uint32_t index) const { return RunTensor(args_.outputs[index]); }
  RunTensorList GetInputs() const { return {args_.inputs, args_.num_inputs}; }
  RunTensorList GetOutputs() const { return {args_.outputs, args_.num_outputs}; }

  /// What CreateExecutionState gave; null if that was null.
  IExecutionState* GetState() const { return reinterpret_cast<IExecutionState*>(args_.state); }

  /// Work that must have finished before tensors are read or written: files and events, and opaque
  /// fences of the same workload factory. None without kCapabilityFences.
  std::uint32_t GetNumWaitFences() const { return args_.num_waits; }
  const FenceView* GetWaitFences() const { return reinterpret_cast<const FenceView*>(args_.waits); }
  /// What may be set instead of waiting for the work to finish. Fences waited for have passed when
  /// this one does.
  /// Null: the work has finished when the call returns, as always without kCapabilityFences.
  FenceView* GetCompletion() const { return reinterpret_cast<FenceView*>(args_.completion); }
  /// The kinds of fences that those who wait for the completion can wait for by themselves, so that
  /// the host need not: bits of FenceKind, see ToFlags. 0: the host waits, for any kind.
  FenceKindFlags GetCompletionKinds() const {
    return static_cast<FenceKindFlags>(args_.completion_kinds);
  }

  /// Of the whole run; no other run in this process has it. 0: not stated.
  std::uint64_t GetRunNumber() const { return args_.run->number; }
  /// Whether the run is to end soon, as the application cancelled it; what is returned then is
  /// kCancelled. A backend that asks states kCapabilityStop.
  bool IsCancelled() const {
    const std::uint32_t* const stop = args_.run->stop;
    return stop != nullptr && __atomic_load_n(stop, __ATOMIC_RELAXED) != 0;
  }
  /// When the run is to end, in nanoseconds of CLOCK_MONOTONIC, with kCancelled. 0: never.
  std::uint64_t GetDeadlineNs() const { return args_.run->deadline_ns; }

  /// All that the host hands over, as backend.h has it.
  const bp_run_args& Get() const { return args_; }

 private:
  const bp_run_args& args_;
};

}  // namespace backplane
