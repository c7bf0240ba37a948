#include "layers/plan_layer.hpp"

#include "kernels/kernels.hpp"

#include <stdexcept>

namespace backplane {
namespace opencl {
namespace {

bool HasFloat16(const PlannedLayer& layer) {
  const auto is_float16 = [](const TensorInfo& info) {
    return info.data_type == DataType::kFloat16;
  };
  for (std::uint32_t i = 0; i < layer.num_inputs; ++i) {
    if (is_float16(layer.Input(i))) return true;
  }
  for (std::uint32_t i = 0; i < layer.num_outputs; ++i) {
    if (is_float16(layer.Output(i))) return true;
  }
  return false;
}

std::vector<StepTensor> MakeInputs(const WorkloadArgs& args, WorkPlan& plan) {
  std::vector<StepTensor> inputs;
  for (std::uint32_t index = 0; index < args.num_inputs; ++index) {
    const ConstTensor* constant = args.constants != nullptr ? args.constants[index] : nullptr;
    if (constant == nullptr) {
      inputs.push_back({StepTensor::Kind::kInput, index});
      continue;
    }
    const auto position = static_cast<std::uint32_t>(plan.constants.size());
    plan.constants.push_back({constant->data, constant->info.GetSizeBytes(), nullptr});
    inputs.push_back({StepTensor::Kind::kConstant, position});
  }
  return inputs;
}

}  // namespace

PlannedLayer MakePlannedLayer(const LayerSupportQuery& query) {
  PlannedLayer layer;
  static_cast<Layer&>(layer) = MakeLayer(query);
  layer.is_constant = query.input_is_constant;
  return layer;
}

LayerOfWorkload::LayerOfWorkload(const WorkloadArgs& args, SharedContents& contents) {
  static_cast<Layer&>(layer_) = MakeLayer(args);
  for (std::uint32_t i = 0; args.constants != nullptr && i < args.num_inputs; ++i) {
    is_constant_.push_back(args.constants[i] != nullptr ? 1 : 0);
  }
  layer_.is_constant = is_constant_.empty() ? nullptr : is_constant_.data();
  layer_.constants = args.constants;
  layer_.contents = &contents;
}

bool IsView(LayerType type) {
  return FindLayerTypeInfo(type)->aliasing == LayerAliasing::kView || type == LayerType::kCopy;
}

std::string FindRefusalOnDevice(const PlannedLayer& layer, const ModelContext& model) {
  const std::string refusal = FindRefusal(layer, model.device->GetDevice().limits);
  if (refusal.empty() && model.options.precision == Precision::kFloat32 && HasFloat16(layer)) {
    return "data type float16 is refused by the option precision, which is float32";
  }
  return refusal;
}

WorkPlan PlanLayer(const WorkloadArgs& args, const ModelContext& model) {
  const LayerOfWorkload of_workload(args, model.device->GetContents());
  const PlannedLayer& layer = of_workload.Get();
  WorkPlan plan;
  Step step;
  step.name = args.layer_name;
  step.inputs = MakeInputs(args, plan);
  for (std::uint32_t i = 0; i < args.num_outputs; ++i) {
    step.outputs.push_back({StepTensor::Kind::kOutput, i});
  }
  if (layer.type != LayerType::kCopy) {
    const std::string refusal = FindRefusalOnDevice(layer, model);
    if (!refusal.empty()) {
      throw std::invalid_argument(Text("OpenCl cannot run layer '", args.layer_name, "' (",
                                       GetLayerTypeName(args.layer_type), "): ", refusal));
    }
  }
  if (IsView(layer.type)) {
    step.copied_bytes = layer.Output().GetSizeBytes();
  } else {
    step.plan = Plan(layer, model.device->GetDevice().limits);
  }
  plan.steps.push_back(std::move(step));
  return plan;
}

}  // namespace opencl
}  // namespace backplane
