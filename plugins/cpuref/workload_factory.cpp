#include "workload_factory.hpp"

#include "cpu_layers/refusal.hpp"
#include "scratch_memory.hpp"
#include "workload.hpp"

#include <backplane/reference/kernel.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace backplane {
namespace cpuref {

std::unique_ptr<IWorkload> WorkloadFactory::CreateWorkload(const WorkloadArgs& args) {
  const reference::Layer layer = cpu_layers::MakeLayer(args);
  const std::string refusal = reference::FindRefusal(layer);
  if (!refusal.empty()) {
    throw std::invalid_argument(cpu_layers::Text("CpuRef cannot run layer '", args.layer_name,
                                                 "' (", GetLayerTypeName(args.layer_type),
                                                 "): ", refusal));
  }
  auto workload = std::make_unique<Workload>(layer, reference::MakeKernel(layer));
  most_scratch_bytes_ = std::max(most_scratch_bytes_, workload->GetScratchBytes());
  return workload;
}

std::unique_ptr<IExecutionState> WorkloadFactory::CreateExecutionState() {
  if (most_scratch_bytes_ == 0) return nullptr;
  return std::make_unique<ScratchMemory>(most_scratch_bytes_);
}

}  // namespace cpuref
}  // namespace backplane
