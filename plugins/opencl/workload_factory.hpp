#pragma once

#include "context/model_context.hpp"
#include "execution/constants.hpp"
#include "execution/fences.hpp"
#include "execution/work.hpp"

#include <backplane/api/i_workload_factory.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace backplane {
namespace opencl {

/// The workloads of one network on one device.
class WorkloadFactory : public IWorkloadFactory {
 public:
  explicit WorkloadFactory(std::shared_ptr<const ModelContext> model);

  /// Errors: std::invalid_argument when the layer is refused; std::runtime_error when its kernels
  /// cannot be built, or its constants do not fit.
  std::unique_ptr<IWorkload> CreateWorkload(const WorkloadArgs& args) override;
  std::unique_ptr<IExecutionState> CreateExecutionState() override;
  Status WaitForFence(const FenceView& fence, std::uint64_t timeout_ns) override;

 private:
  std::shared_ptr<const ModelContext> model_;
  Constants constants_;
  std::vector<std::shared_ptr<const Work>> works_;
  std::uint32_t num_workloads_ = 0;
  std::shared_ptr<FactoryFences> fences_ = std::make_shared<FactoryFences>();
};

}  // namespace opencl
}  // namespace backplane
