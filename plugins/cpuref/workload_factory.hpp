#pragma once

#include <backplane/api/i_workload_factory.hpp>

#include <cstdint>
#include <memory>

namespace backplane {
namespace cpuref {

/// Makes workloads, and the scratch memory that the neediest of them needs.
class WorkloadFactory : public IWorkloadFactory {
 public:
  /// Errors: std::invalid_argument for a layer that is refused; the text says why.
  std::unique_ptr<IWorkload> CreateWorkload(const WorkloadArgs& args) override;

  /// Null: no workload needs scratch memory.
  std::unique_ptr<IExecutionState> CreateExecutionState() override;

 private:
  std::uint64_t most_scratch_bytes_ = 0;
};

}  // namespace cpuref
}  // namespace backplane
