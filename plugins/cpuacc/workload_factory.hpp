#pragma once

#include "memory/arena_pool.hpp"
#include "options/options.hpp"
#include "profiling/timeline.hpp"
#include "program/compiled_graph.hpp"
#include "threads/thread_pool.hpp"

#include <backplane/api/i_workload_factory.hpp>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {

/// The workloads of compiled sub-graphs, and of single layers.
class WorkloadFactory : public IWorkloadFactory {
 public:
  WorkloadFactory(Options options, std::shared_ptr<const Timeline> timeline,
                  std::shared_ptr<ThreadPool> threads, std::shared_ptr<ArenaPool> arenas)
      : options_(std::move(options)),
        timeline_(std::move(timeline)),
        threads_(std::move(threads)),
        arenas_(std::move(arenas)) {}

  /// Errors: std::invalid_argument with the reason when the layer is refused.
  std::unique_ptr<IWorkload> CreateWorkload(const WorkloadArgs& args) override;
  std::unique_ptr<IExecutionState> CreateExecutionState() override;
  std::uint64_t GetConstantBytes() const override;

 private:
  Options options_;
  std::shared_ptr<const Timeline> timeline_;
  std::shared_ptr<ThreadPool> threads_;
  std::shared_ptr<ArenaPool> arenas_;
  std::vector<std::shared_ptr<const CompiledGraph>> graphs_;
  std::uint64_t most_memory_bytes_ = 0;
};

}  // namespace cpuacc
}  // namespace backplane
