#pragma once

#include "cpu_layers/tensors_of_a_run.hpp"
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

/// What one working memory needs for the workloads of one factory: an arena that all share, and
/// the state of each.
class ExecutionState : public IExecutionState {
 public:
  ExecutionState(const std::vector<std::shared_ptr<const CompiledGraph>>& graphs,
                 std::uint64_t arena_bytes);

  /// Of the graph that was given at this position.
  CompiledGraphState& Get(std::size_t position) { return *states_[position]; }
  std::size_t GetCount() const { return states_.size(); }
  /// Where in timelines the runs of this working memory are shown.
  const std::string& GetLane() const { return lane_; }

 private:
  std::string lane_;
  std::shared_ptr<void> arena_;
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
  /// opaque fence; kFailure for a fence that cannot be waited for.
  Status Execute(const ExecuteArgs& args) const override;

 private:
  std::shared_ptr<const CompiledGraph> graph_;
  std::size_t position_;
  std::shared_ptr<const Timeline> timeline_;
  std::shared_ptr<ThreadPool> threads_;
  std::vector<cpu_layers::TensorSize> inputs_;
  std::vector<cpu_layers::TensorSize> outputs_;
};

}  // namespace cpuacc
}  // namespace backplane
