#pragma once

#include "execution/given_tensors.hpp"
#include "optimization/optimized_network.hpp"
#include "profiling/runtime_profiling.hpp"
#include "runtime/network_table.hpp"

#include <backplane/runtime/creation_options.hpp>

#include <functional>
#include <memory>

namespace backplane {

/// Loads networks of one runtime.
///
/// Threads: any.
class NetworkLoader {
 public:
  /// Borrows `profiling`. Null: it is off.
  NetworkLoader(profiling::RuntimeProfiling* profiling, const CreationOptions& options)
      : profiling_(profiling),
        checks_(options.checks),
        tensor_observer_(options.tensor_observer),
        has_crash_notes_(options.crash_notes.has_value()) {}

  /// Makes the workloads of a network for `entry`, which has both ids, and tells the contexts of
  /// its backends. `publish` makes it known; when it throws, nothing stays loaded.
  /// Errors: DiagnosticException as IRuntime::LoadNetwork, and what `publish` throws.
  void Load(std::shared_ptr<const OptimizedNetwork> network, std::shared_ptr<GivenTensors> given,
            const std::shared_ptr<LoadedEntry>& entry, const std::function<void()>& publish) const;

 private:
  profiling::RuntimeProfiling* const profiling_;
  const CheckFlags checks_;
  const TensorObserver tensor_observer_;
  const bool has_crash_notes_;
};

}  // namespace backplane
