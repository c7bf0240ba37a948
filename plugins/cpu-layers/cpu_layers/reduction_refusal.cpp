#include "cpu_layers/reduction_refusal.hpp"

#include "cpu_layers/axis_set.hpp"
#include "cpu_layers/enumerators.hpp"

#include <backplane/api/descriptors/arg_min_max.hpp>
#include <backplane/api/descriptors/reduce.hpp>

namespace backplane {
namespace cpu_layers {

void RequireArgMinMax(const Layer& layer, Refusal& refusal) {
  const auto descriptor = layer.GetDescriptor<ArgMinMaxDescriptor>();
  RequireEnumerator("operation", descriptor.operation, ArgOperation::kMaximum,
                    "Minimum (1) and Maximum (2)", refusal);
  RequireFlag("keep_dims", descriptor.keep_dims, refusal);
  RequireFlag("select_last", descriptor.select_last, refusal);
  RequireAxis(layer, descriptor.axis, refusal);
  if (!refusal.IsEmpty()) return;
  if (layer.Input(0).shape[descriptor.axis] == 0) {
    refusal.Add("axis ", descriptor.axis, " of input 0 has extent 0: there is nothing to choose");
  }
  RequireReducedShape(layer, MakeAxisSet(descriptor.axis), descriptor.keep_dims != 0, refusal);
}

void RequireReduce(const Layer& layer, Refusal& refusal) {
  const auto descriptor = layer.GetDescriptor<ReduceDescriptor>();
  RequireEnumerator("operation", descriptor.operation, ReduceOperation::kSumSquare,
                    "Sum (1) to SumSquare (10)", refusal);
  RequireFlag("keep_dims", descriptor.keep_dims, refusal);
  const AxisSet axes = ReadAxes(descriptor.num_axes, descriptor.axes, layer, refusal);
  if (refusal.IsEmpty()) RequireReducedShape(layer, axes, descriptor.keep_dims != 0, refusal);
}

}  // namespace cpu_layers
}  // namespace backplane
