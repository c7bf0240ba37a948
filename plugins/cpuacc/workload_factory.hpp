#pragma once

#include "options/options.hpp"
#include "program/compiled_graph.hpp"

#include <backplane/api/i_workload_factory.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace backplane {
namespace cpuacc {

/// The workloads of compiled sub-graphs, and of single layers.
class WorkloadFactory : public IWorkloadFactory {
 public:
  explicit WorkloadFactory(const Options& options) : options_(options) {}

  /// Errors: std::invalid_argument with the reason when the layer is refused.
  std::unique_ptr<IWorkload> CreateWorkload(const WorkloadArgs& args) override;
  std::unique_ptr<IExecutionState> CreateExecutionState() override;

 private:
  Options options_;
  std::vector<std::shared_ptr<const CompiledGraph>> graphs_;
  std::uint64_t most_memory_bytes_ = 0;
};

}  // namespace cpuacc
}  // namespace backplane
