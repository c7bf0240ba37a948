#pragma once

#include "execution/run_limit.hpp"
#include "loading/loaded_network.hpp"
#include "runs/hang_watch.hpp"
#include "runtime/network_table.hpp"
#include "runtime/staged_networks.hpp"

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
  StagedNetworks& GetStaged() { return staged_; }

  /// As IRuntime::EnqueueWorkload.
  Status Run(NetworkId network, const InputTensors& inputs, const OutputTensors& outputs,
             std::optional<Diagnostic>* failure);
  Status RunWithin(const RunLimit& limit, NetworkId network, const InputTensors& inputs,
                   const OutputTensors& outputs, std::optional<Diagnostic>* failure);

  std::vector<RunInProgress> GetRunsInProgress() const;

 private:
  /// Of one run. Borrows all.
  struct RunArgs {
    const InputTensors& inputs;
    const OutputTensors& outputs;
    const RunBounds* bounds;  // null: however long it takes
  };

  Status Run(const NetworkTable::Use& loaded, const RunArgs& args,
             std::optional<Diagnostic>* failure);
  /// All outputs have room.
  Status RunWithRoom(const NetworkTable::Use& loaded, const RunArgs& args,
                     std::optional<Diagnostic>* failure);
  /// After a run that a backend failed, which `told` tells.
  Status RunElsewhere(LoadedEntry& failed, const RunEnd& end, const RunArgs& args,
                      std::optional<Diagnostic>& told);
  Status Repeat(LoadedEntry& failed, const RunEnd& end, const RunArgs& args,
                std::optional<Diagnostic>& told);

  /// Of one of which plans are made when it runs. Null: without a limit.
  Status RunStaged(NetworkId network, const InputTensors& inputs, const OutputTensors& outputs,
                   const RunLimit* limit, std::optional<Diagnostic>* failure);

  NetworkTable table_;
  StagedNetworks staged_;
  HangWatch watch_;
};

/// kUnknownNetwork.
Diagnostic DescribeUnknownNetwork(NetworkId id);

}  // namespace backplane
