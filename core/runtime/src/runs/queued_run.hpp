#pragma once

#include "execution/run_limit.hpp"

#include <backplane/api/i_backend_context.hpp>
#include <backplane/runtime/run_options.hpp>
#include <backplane/runtime/run_tensors.hpp>

#include <atomic>
#include <cstdint>

namespace backplane {

/// An asynchronous run, from its acceptance until its handler has been called.
struct QueuedRun {
  QueuedRun(NetworkId of_network, InputTensors given, OutputTensors taken, RunHandler handler,
            RunLimit bounds, std::int32_t rank);

  /// Calls the handler, unless that was done before. What it throws is logged.
  /// Threads: any.
  void Tell(RunResult result) noexcept;

  const NetworkId network;
  const InputTensors inputs;
  const OutputTensors outputs;
  const RunLimit limit;
  const std::int32_t priority;

 private:
  RunHandler handler_;
  std::atomic<bool> is_told_{false};
};

/// What is told of a run that ends in the queue. Not for kNone.
RunResult MakeStopResult(NetworkId network, RunStop stop);
/// What is told of one whose network goes first.
RunResult MakeUnloadedResult(NetworkId network);
/// What is told of one whose runtime goes first.
RunResult MakeShutDownResult(NetworkId network);
/// What is told of one that hangs when its runtime goes.
RunResult MakeLeftResult(NetworkId network);

}  // namespace backplane
