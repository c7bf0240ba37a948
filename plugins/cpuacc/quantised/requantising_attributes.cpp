#include "quantised/requantising_attributes.hpp"

#include "making/primitive.hpp"

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

}  // namespace cpuacc
}  // namespace backplane
