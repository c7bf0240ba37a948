#include "quantised/requantising_attributes.hpp"

#include "layout/layout.hpp"

#include <algorithm>

namespace backplane {
namespace cpuacc {

bool HaveOneZeroPoint(const cpu_layers::Requantisation& requantisation) {
  const auto& zero_points = requantisation.zero_points;
  return std::all_of(zero_points.begin(), zero_points.end(),
                     [&](std::int32_t zero_point) { return zero_point == zero_points[0]; });
}

dnnl::primitive_attr MakeRequantisingAttributes(const cpu_layers::Requantisation& requantisation) {
  dnnl::primitive_attr attributes = MakeAttributes();
  if (!requantisation.multipliers.empty()) {
    attributes.set_output_scales(1 << 1, requantisation.multipliers);
  }
  if (requantisation.input_zero_point != 0) {
    attributes.set_zero_points(DNNL_ARG_SRC, 0, {requantisation.input_zero_point});
  }
  if (requantisation.zero_points[0] != 0) {
    attributes.set_zero_points(DNNL_ARG_WEIGHTS, 0, {requantisation.zero_points[0]});
  }
  if (requantisation.output_zero_point != 0) {
    dnnl::post_ops ops;
    ops.append_eltwise(1.0F, dnnl::algorithm::eltwise_round, 0.0F, 0.0F);
    ops.append_eltwise(1.0F, dnnl::algorithm::eltwise_linear, 1.0F,
                       static_cast<float>(requantisation.output_zero_point));
    attributes.set_post_ops(ops);
  }
  return attributes;
}

cpu_layers::Requantisation TakeKnownZeroPoints(const ZeroPointInputs& zero_points,
                                               std::int64_t num_channels) {
  cpu_layers::Requantisation requantisation;
  const bool are_known = zero_points.weights.AreKnown();
  for (std::int64_t channel = 0; channel < num_channels; ++channel) {
    requantisation.zero_points.push_back(are_known ? zero_points.weights.GetKnown(channel) : 0);
  }
  if (zero_points.elements.AreKnown()) {
    requantisation.input_zero_point = zero_points.elements.GetKnown(0);
  }
  return requantisation;
}

void SetUnknownZeroPoints(const ZeroPointInputs& zero_points, dnnl::primitive_attr& attributes) {
  if (!zero_points.elements.AreKnown()) {
    attributes.set_zero_points(DNNL_ARG_SRC, 0, {DNNL_RUNTIME_S32_VAL});
  }
  if (!zero_points.weights.AreKnown()) {
    attributes.set_zero_points(DNNL_ARG_WEIGHTS, 0, {DNNL_RUNTIME_S32_VAL});
  }
}

void AddUnknownZeroPoints(const ZeroPointInputs& zero_points,
                          std::vector<PrimitiveArgument>& arguments) {
  const auto add = [&](const ZeroPointInput& zero_point, int argument) {
    if (zero_point.AreKnown()) return;
    arguments.push_back(FromInput(DNNL_ARG_ATTR_ZERO_POINTS | argument,
                                  DescribePlain({1}, DataType::kInt32), zero_point.GetInput()));
  };
  add(zero_points.elements, DNNL_ARG_SRC);
  add(zero_points.weights, DNNL_ARG_WEIGHTS);
}

}  // namespace cpuacc
}  // namespace backplane
