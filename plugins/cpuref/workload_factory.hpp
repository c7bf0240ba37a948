#pragma once

#include <backplane/api/i_workload_factory.hpp>

#include <memory>

namespace backplane {
namespace cpuref {

/// Makes workloads. They need no scratch memory, so there is no execution state.
class WorkloadFactory : public IWorkloadFactory {
 public:
  /// Errors: std::invalid_argument for a layer that is refused; the text says why.
  std::unique_ptr<IWorkload> CreateWorkload(const WorkloadArgs& args) override;
};

}  // namespace cpuref
}  // namespace backplane
