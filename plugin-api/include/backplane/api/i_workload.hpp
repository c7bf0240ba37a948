#pragma once

#include <backplane/api/fence.hpp>
#include <backplane/api/i_tensor_handle.hpp>
#include <backplane/api/interface.hpp>
#include <backplane/api/status.hpp>

#include <cstdint>

namespace backplane {

/// What a backend keeps for one working memory, and so for one run at a time: scratch memory, a
/// queue, a library's handles. Made by the workload factory; a backend derives from it.
///
/// Threads: one at a time; different runs may come from different threads.
class BACKPLANE_INTERFACE IExecutionState {
 public:
  virtual ~IExecutionState() noexcept(false) = default;
};

/// One run of one workload. Filled by the host; all pointers are borrowed until the call returns.
struct ExecuteArgs {
  std::uint32_t size_bytes = sizeof(ExecuteArgs);
  std::uint32_t num_inputs = 0;
  ITensorHandle* const* inputs = nullptr;
  ITensorHandle* const* outputs = nullptr;
  std::uint32_t num_outputs = 0;
  std::uint32_t num_wait_fences = 0;
  IExecutionState* state = nullptr;  // what CreateExecutionState gave; null if that was null
  // Work that must have finished before tensors are read or written: files and events, and opaque
  // fences of the same workload factory. None without kCapabilityFences.
  const FenceView* wait_fences = nullptr;
  // When not null, it may be set instead of waiting for the work to finish. Fences waited for have
  // passed when this one does. Null without kCapabilityFences.
  FenceView* completion = nullptr;
  // The kinds of fences that those who wait for the completion can wait for by themselves, so that
  // the host need not: bits of FenceKind, see ToFlags. 0: the host waits, for any kind.
  FenceKindFlags completion_kinds = 0;
  std::uint32_t reserved = 0;
};

/// The executable form of one layer. Immutable: everything that a run changes is in the handles and
/// in the state.
///
/// Several runs go on at once, each with its own handles and state.
class BACKPLANE_INTERFACE IWorkload {
 public:
  virtual ~IWorkload() noexcept(false) = default;

  /// Computes the outputs from the inputs. Addresses are asked from the handles at every run.
  /// Errors: any status but kSuccess fails the run; what the outputs then hold does not matter. An
  /// exception derived from std::exception does the same and its text reaches the user.
  /// Conformance: BC0301 to BC0303, BC0401 to BC0408, BC0601 to BC0604, BC0701 to BC0711, BC0801 to
  /// BC0808.
  /// [any thread] [after Bind] Since: 1.0
  virtual Status Execute(const ExecuteArgs& args) const = 0;
};

}  // namespace backplane
