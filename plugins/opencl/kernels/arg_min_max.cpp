#include "kernels/elements.hpp"
#include "kernels/kernels.hpp"
#include "pointwise/expression.hpp"
#include "pointwise/program.hpp"

#include "cpu_layers/axis_span.hpp"
#include "cpu_layers/reduction_refusal.hpp"

#include <backplane/api/descriptors/arg_min_max.hpp>

namespace backplane {
namespace opencl {
namespace {

// NaN is better than every number.
std::string WriteIsBetter(const ArgMinMaxDescriptor& descriptor) {
  const bool is_maximum = descriptor.operation == ArgOperation::kMaximum;
  if (descriptor.select_last != 0) {
    return is_maximum ? "x >= best || x != x" : "x <= best || x != x";
  }
  return is_maximum ? "x > best || (x != x && best == best)"
                    : "x < best || (x != x && best == best)";
}

std::string WriteSource(const ArgMinMaxDescriptor& descriptor, const StoredElement& element) {
  return Text("__kernel void arg(const int count, __global const ", element.type,
              "* in, const int in_begin, __global long* out, const int out_begin, "
              "const int extent, const int inner) {\nconst int i = (int)get_global_id(0);\n"
              "if (i < count) {\nconst int first = i / inner * inner * extent + i % inner;\n",
              element.computed, " best = ", WriteLoad(element, "in", "first"),
              ";\nint found = 0;\nfor (int k = 1; k < extent; ++k) {\nconst ", element.computed,
              " x = ", WriteLoad(element, "in", "first + k * inner"), ";\nif (",
              WriteIsBetter(descriptor),
              ") {\nbest = x;\nfound = k;\n}\n}\nout[out_begin + i] = found;\n}\n}\n");
}

}  // namespace

std::string FindRefusalOfArgMinMax(const PlannedLayer& layer, const DeviceLimits& /*limits*/) {
  Refusal refusal;
  const TensorInfo& input = layer.Input(0);
  const bool is_of_16_or_64_bits_of_float =
      input.data_type == DataType::kBFloat16 || input.data_type == DataType::kFloat64;
  if (is_of_16_or_64_bits_of_float || input.data_type == DataType::kBool) {
    refusal.Add("data type ", GetDataTypeName(input.data_type),
                " of input 0 is not supported, only float32, float16 and integers");
  }
  if (input.quantization.IsQuantized()) {
    refusal.Add("input 0 is quantised, which is not supported");
  }
  RequireTypesOfRoles(layer, {{}, {TensorRole::kInt64}}, refusal);
  RequireArgMinMax(layer, refusal);
  RequireIntIndices(layer, refusal);
  return refusal.GetReason();
}

KernelPlan PlanArgMinMax(const PlannedLayer& layer, const DeviceLimits& limits) {
  KernelPlan plan;
  const std::int64_t count = layer.Output().shape.GetNumElements();
  if (count == 0) return plan;
  const auto descriptor = layer.GetDescriptor<ArgMinMaxDescriptor>();
  const AxisSpan span = MakeAxisSpan(layer.Input(0).shape, descriptor.axis);
  Launch launch;
  launch.source = WriteSource(descriptor, GetStoredElement(layer.Input(0).data_type));
  launch.kernel = "arg";
  launch.arguments = {static_cast<std::int32_t>(count), ReadInput(layer, 0), WriteOutput(layer),
                      static_cast<std::int32_t>(span.extent),
                      static_cast<std::int32_t>(span.inner)};
  SetWorkItems(count, limits, launch);
  plan.launches.push_back(std::move(launch));
  return plan;
}

}  // namespace opencl
}  // namespace backplane
