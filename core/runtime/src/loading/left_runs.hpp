#pragma once

#include "execution/run_bindings.hpp"
#include "execution/run_steps_fenced.hpp"
#include "execution/working_memory_pool.hpp"

#include <backplane/host/forks.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

namespace backplane {

/// A run with all that a backend may still use when it is left.
struct LeavableRun {
  /// Copies what says where the tensors are, not the tensors.
  LeavableRun(WorkingMemoryPool& pool, const InputTensors& given, const OutputTensors& taken)
      : inputs(given), outputs(taken), memory(pool) {}
  ~LeavableRun() { (*memory).GetProgress().End(); }
  LeavableRun(const LeavableRun&) = delete;
  LeavableRun& operator=(const LeavableRun&) = delete;

  const InputTensors inputs;
  const OutputTensors outputs;
  const WorkingMemoryPool::Lease memory;
  std::optional<RunBindings> bindings;
  std::unique_ptr<LeavableRun> next;  // so that leaving one takes no memory
  const std::uint32_t num_forks = CountForks();
};

/// The runs of one network that were ended while work of them goes on. Their memory goes back to
/// the pool when that has finished and somebody looks. In a forked process, the work of its parent
/// never finishes: its memory is not used again there.
///
/// Threads: any.
class LeftRuns {
 public:
  LeftRuns() = default;
  ~LeftRuns();
  LeftRuns(const LeftRuns&) = delete;
  LeftRuns& operator=(const LeftRuns&) = delete;

  void Add(std::unique_ptr<LeavableRun> run) noexcept;

  /// Gives back what has finished; whether that was all.
  bool LetGo(const FencedSteps& steps) noexcept;

 private:
  std::mutex mutex_;
  std::unique_ptr<LeavableRun> first_;
};

}  // namespace backplane
