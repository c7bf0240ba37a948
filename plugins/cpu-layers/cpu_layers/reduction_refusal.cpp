#include "cpu_layers/reduction_refusal.hpp"

#include "cpu_layers/axis_set.hpp"
#include "cpu_layers/enumerators.hpp"

#include <backplane/api/descriptors/arg_min_max.hpp>
#include <backplane/api/descriptors/cumulative_sum.hpp>
#include <backplane/api/descriptors/reduce.hpp>
#include <backplane/api/descriptors/top_k.hpp>

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

void RequireCumulativeSum(const Layer& layer, Refusal& refusal) {
  const auto descriptor = layer.GetDescriptor<CumulativeSumDescriptor>();
  RequireAxis(layer, descriptor.axis, refusal);
  RequireFlag("exclusive", descriptor.exclusive, refusal);
  RequireFlag("reverse", descriptor.reverse, refusal);
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
}

void RequireReduce(const Layer& layer, Refusal& refusal) {
  const auto descriptor = layer.GetDescriptor<ReduceDescriptor>();
  RequireEnumerator("operation", descriptor.operation, ReduceOperation::kSumSquare,
                    "Sum (1) to SumSquare (10)", refusal);
  RequireFlag("keep_dims", descriptor.keep_dims, refusal);
  const AxisSet axes = ReadAxes(descriptor.num_axes, descriptor.axes, layer, refusal);
  if (refusal.IsEmpty()) RequireReducedShape(layer, axes, descriptor.keep_dims != 0, refusal);
}

void RequireTopK(const Layer& layer, Refusal& refusal) {
  const auto descriptor = layer.GetDescriptor<TopKDescriptor>();
  TensorShape shape = layer.Input(0).shape;
  RequireAxis(layer, descriptor.axis, refusal);
  RequireFlag("largest", descriptor.largest, refusal);
  RequireFlag("is_sorted", descriptor.is_sorted, refusal);
  if (!refusal.IsEmpty()) return;
  std::int64_t& extent = shape[descriptor.axis];
  if (descriptor.k < 0 || descriptor.k > extent) {
    refusal.Add("k is ", descriptor.k, ", but must be 0 to ", extent, ", the extent of axis ",
                descriptor.axis);
  }
  extent = descriptor.k;
  RequireOutputShape(layer, shape, refusal, 0);
  RequireOutputShape(layer, shape, refusal, 1);
}

}  // namespace cpu_layers
}  // namespace backplane
