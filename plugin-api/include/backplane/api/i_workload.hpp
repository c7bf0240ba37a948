#pragma once

#include <backplane/api/crossing.hpp>
#include <backplane/api/i_tensor_handle.hpp>
#include <backplane/api/run_args.hpp>
#include <backplane/api/status.hpp>

namespace backplane {

/// What a backend keeps for one working memory, and so for one run at a time: scratch memory, a
/// queue, a library's handles. Made by the workload factory; a backend derives from it.
///
/// Threads: one at a time; different runs may come from different threads.
class IExecutionState {
 public:
  virtual ~IExecutionState() noexcept(false) = default;

  c_form::StateOrigin crossing;  // what the headers keep of the boundary
};

/// The executable form of one layer. Immutable: everything that a run changes is in the handles and
/// in the state.
///
/// Several runs go on at once, each with its own handles and state.
class IWorkload {
 public:
  virtual ~IWorkload() noexcept(false) = default;

  c_form::Origin crossing;  // what the headers keep of the boundary

  /// Computes the outputs from the inputs. Addresses may differ from one run to the next.
  /// Errors: any status but kSuccess fails the run; what the outputs then hold does not matter. An
  /// exception derived from std::exception does the same and its text reaches the user. Throw
  /// InvalidArgumentException for values of the inputs that the layer cannot have.
  /// Conformance: BC0301 to BC0303, BC0308, BC0401 to BC0408, BC0601 to BC0604, BC0701 to BC0711,
  /// BC0801 to BC0808. [any thread] Since: 1.0
  virtual Status Execute(const ExecuteArgs& args) const = 0;
};

}  // namespace backplane
