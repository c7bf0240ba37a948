#pragma once

#include "cpu_layers/tensors_of_a_run.hpp"
#include "memory/arena_pool.hpp"
#include "profiling/timeline.hpp"
#include "program/compiled_graph.hpp"
#include "threads/thread_pool.hpp"

#include <backplane/api/i_workload.hpp>
#include <backplane/api/i_workload_factory.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc {

/// What one working memory needs for the workloads of one factory: the state of each, and while one
/// of them runs, an arena.
class ExecutionState : public IExecutionState {
 public:
  /// Errors: std::bad_alloc.
  ExecutionState(const std::vector<std::shared_ptr<const CompiledGraph>>& graphs,
                 std::shared_ptr<ArenaPool> arenas, std::uint64_t arena_bytes);

  /// Of the graph that was given at this position.
  CompiledGraphState& Get(std::size_t position) { return *states_[position]; }
  const ArenaPool::User& GetArenaUser() const { return arenas_; }
  /// Where the last run lay.
  const void* GetLastArena() const { return last_arena_; }
  void SetLastArena(const void* arena) { last_arena_ = arena; }
  std::size_t GetCount() const { return states_.size(); }
  /// Where in timelines the runs of this working memory are shown.
  const std::string& GetLane() const { return lane_; }

 private:
  std::string lane_;
  const ArenaPool::User arenas_;
  const void* last_arena_ = nullptr;
  std::vector<std::unique_ptr<CompiledGraphState>> states_;
};

/// A compiled graph with the sizes of its tensors: waits, checks the tensors of the run, and runs.
class Workload : public IWorkload {
 public:
  /// `position`: among the graphs of the execution state.
  Workload(const WorkloadArgs& args, std::shared_ptr<const CompiledGraph> graph,
           std::size_t position, std::shared_ptr<const Timeline> timeline,
           std::shared_ptr<ThreadPool> threads);

  /// Errors: kInvalidArgument when tensors or state are not those of the layer; kUnsupported for an
  /// opaque fence; kFailure for a fence that cannot be waited for; kOutOfMemory when more runs
  /// than before are at once and there is no memory for another; kCancelled when the run was to
  /// end.
  Status Execute(const ExecuteArgs& args) const override;

 private:
  Status Run(void* const* inputs, void* const* outputs, ExecutionState& state,
             const RunEnd& end) const;

  std::shared_ptr<const CompiledGraph> graph_;
  std::size_t position_;
  std::shared_ptr<const Timeline> timeline_;
  std::shared_ptr<ThreadPool> threads_;
  std::vector<cpu_layers::TensorSize> inputs_;
  std::vector<cpu_layers::TensorSize> outputs_;
};

}  // namespace cpuacc
}  // namespace backplane
