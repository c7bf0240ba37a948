#pragma once

/// Layers from the host, as the work of one workload.

#include "context/model_context.hpp"
#include "plan/layer.hpp"
#include "plan/work_plan.hpp"

#include <backplane/api/i_layer_support.hpp>
#include <backplane/api/i_workload_factory.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace backplane {
namespace opencl {

/// The layer of a support query or of a workload's arguments.
PlannedLayer MakePlannedLayer(const LayerSupportQuery& query);

/// A layer of which constants are known too.
class LayerOfWorkload {
 public:
  LayerOfWorkload(const WorkloadArgs& args, SharedContents& contents);
  const PlannedLayer& Get() const { return layer_; }

 private:
  std::vector<std::uint8_t> is_constant_;
  PlannedLayer layer_;
};

/// Whether the layer's output has the bytes of its input, under another shape or at another place.
bool IsView(LayerType type);

/// Why the layer is not run, by the kernels and by what the user wants; empty when it is.
std::string FindRefusalOnDevice(const PlannedLayer& layer, const ModelContext& model);

/// One layer, with its tensors as those of the workload.
/// Errors: std::invalid_argument with the reason when the layer is refused.
WorkPlan PlanLayer(const WorkloadArgs& args, const ModelContext& model);

}  // namespace opencl
}  // namespace backplane
