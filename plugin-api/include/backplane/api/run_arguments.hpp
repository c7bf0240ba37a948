#pragma once

/// The arguments of runs, for those who call workloads: hosts and tests.

#include <backplane/api/c_values.hpp>
#include <backplane/api/i_tensor_handle.hpp>
#include <backplane/api/i_workload.hpp>

#include <cstdint>
#include <vector>

namespace backplane {

/// A handle as its own backend knows it.
inline bp_handle* GetRawHandle(ITensorHandle& handle) {
  return handle.crossing.raw != nullptr ? handle.crossing.raw
                                        : reinterpret_cast<bp_handle*>(&handle);
}

/// A state as its backend knows it. Null: for null.
inline bp_state* GetRawState(IExecutionState* state) {
  if (state == nullptr) return nullptr;
  return state->crossing.raw != nullptr ? state->crossing.raw : reinterpret_cast<bp_state*>(state);
}

/// Where the tensor of a handle lies now, as runs get it. It stays at one address, the handle's;
/// what it says holds until the handle is bound or imports.
/// Null: the handle shows nothing.
/// [one at a time]
inline const bp_view* ShowView(ITensorHandle& handle) {
  const MemoryView* const view = handle.GetMemoryView();
  bp_view& shown = handle.crossing.shown;
  shown = view != nullptr ? c_form::ToC(*view) : bp_view{};
  // Who runs it then reads neither extents nor strides.
  if (c_form::IsDense(shown, GetDataTypeSizeBytes(c_form::ToEnum<DataType>(shown.data_type)))) {
    shown.strides = nullptr;
  }
  return view != nullptr ? &shown : nullptr;
}

/// The arguments of one run of one workload.
///
/// Threads: one at a time.
class RunArguments {
 public:
  /// Which handles the workload gets beside the views.
  enum class Handles {
    kOfItsTable,  // those that stand for handles of a table; the workload is of that table
    kAll,         // all: the workload is called directly
  };

  /// The handles are bound. Null: a handle, for a tensor of which nothing is said; the state, for
  /// none.
  RunArguments(const std::vector<ITensorHandle*>& inputs,
               const std::vector<ITensorHandle*>& outputs, IExecutionState* state = nullptr,
               Handles handles = Handles::kOfItsTable)
      : run_(c_form::Make<bp_run_info>()), args_(c_form::Make<bp_run_args>()) {
    args_.run = &run_;
    for (const auto* list : {&inputs, &outputs}) {
      for (ITensorHandle* const handle : *list) tensors_.push_back(MakeTensor(handle, handles));
    }
    args_.state = GetRawState(state);
    args_.inputs = tensors_.data();
    args_.outputs = tensors_.data() + inputs.size();
    args_.num_inputs = static_cast<std::uint32_t>(inputs.size());
    args_.num_outputs = static_cast<std::uint32_t>(outputs.size());
  }
  RunArguments(const RunArguments&) = delete;
  RunArguments& operator=(const RunArguments&) = delete;

  bp_run_args& Get() { return args_; }
  bp_run_info& GetRun() { return run_; }
  /// Fences that the workload waits for by itself. Borrowed. Null: for none.
  void SetWaitFences(const FenceView* fences, std::uint32_t count) {
    args_.waits = reinterpret_cast<const bp_fence*>(fences);
    args_.num_waits = count;
  }
  /// What the workload may set instead of waiting. Null: nothing.
  void SetCompletion(FenceView* completion, FenceKindFlags kinds = 0) {
    args_.completion = reinterpret_cast<bp_fence*>(completion);
    args_.completion_kinds = kinds;
  }
  /// Valid as long as this.
  ExecuteArgs Show() const { return ExecuteArgs(args_); }

 private:
  static bp_tensor MakeTensor(ITensorHandle* handle, Handles handles) {
    bp_tensor tensor{};
    if (handle == nullptr) return tensor;
    tensor.view = ShowView(*handle);
    const bool is_given = handles == Handles::kAll || handle->crossing.raw != nullptr;
    if (is_given) tensor.handle = GetRawHandle(*handle);
    return tensor;
  }

  std::vector<bp_tensor> tensors_;
  bp_run_info run_;
  bp_run_args args_;
};

}  // namespace backplane
