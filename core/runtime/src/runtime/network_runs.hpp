#pragma once

#include "execution/hang_watch.hpp"
#include "execution/per_process.hpp"
#include "execution/run_limit.hpp"
#include "runtime/network_table.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <optional>
#include <vector>

namespace backplane {

/// The loaded networks of a runtime and their runs: all that a run touches. Kept for good when a
/// runtime goes before a run that hangs.
///
/// Threads: any.
class NetworkRuns {
 public:
  NetworkRuns();

  NetworkTable& GetTable() { return table_; }

  /// As IRuntime::EnqueueWorkload.
  /// Null: without `limit`, however long it takes.
  Status Run(NetworkId network, const InputTensors& inputs, const OutputTensors& outputs,
             const RunLimit* limit, std::optional<Diagnostic>* failure);

  std::vector<RunInProgress> GetRunsInProgress() const;

  /// Why there is no such network: kRuntimeShutDown or kUnknownNetwork.
  Diagnostic DescribeMissing(NetworkId network) const;

 private:
  NetworkTable table_;
  PerProcess<HangWatch> watch_;
};

/// kUnknownNetwork.
Diagnostic DescribeUnknownNetwork(NetworkId id);

}  // namespace backplane
