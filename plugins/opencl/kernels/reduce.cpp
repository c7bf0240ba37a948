#include "kernels/elements.hpp"
#include "kernels/group_program.hpp"
#include "kernels/kernels.hpp"
#include "pointwise/expression.hpp"

#include "cpu_layers/reduction_refusal.hpp"

#include <backplane/api/descriptors/reduce.hpp>
#include <backplane/api/descriptors/softmax.hpp>

namespace backplane {
namespace opencl {
namespace {

GroupFold MakeSum(const char* name, const char* term, const char* finish = "") {
  return {name, "0.0f", Text(name, " += ", term, ";\n"), "a + b", finish};
}

// NaN stays where it is met.
GroupFold MakeExtreme(const char* name, const char* start, const char* sign) {
  return {name, start, Text(name, " = x", sign, name, " || x != x ? x : ", name, ";\n"),
          Text("a", sign, "b || a != a ? a : b"), ""};
}

std::vector<GroupFold> MakeFolds(ReduceOperation operation) {
  switch (operation) {
    case ReduceOperation::kMean:
      return {MakeSum("y", "x", "y /= (float)size;\n")};
    case ReduceOperation::kMaximum:
      return {MakeExtreme("y", "-INFINITY", " > ")};
    case ReduceOperation::kMinimum:
      return {MakeExtreme("y", "INFINITY", " < ")};
    case ReduceOperation::kProduct:
      return {{"y", "1.0f", "y *= x;\n", "a * b", ""}};
    case ReduceOperation::kL1:
      return {MakeSum("y", "fabs(x)")};
    case ReduceOperation::kL2:
      return {MakeGreatestSize(),
              MakeSum("y", "(x / greatest) * (x / greatest)", "y = greatest * sqrt(y);\n")};
    case ReduceOperation::kLogSum:
      return {MakeSum("y", "x", "y = log(y);\n")};
    case ReduceOperation::kSumSquare:
      return {MakeSum("y", "x * x")};
    case ReduceOperation::kLogSumExp: {
      // Infinity minus infinity would be NaN.
      GroupFold greatest = MakeExtreme("greatest", "-INFINITY", " > ");
      greatest.finish = "if (!isfinite(greatest)) greatest = 0.0f;\n";
      return {greatest, MakeSum("y", "exp(x - greatest)", "y = log(y) + greatest;\n")};
    }
    default:
      return {MakeSum("y", "x")};
  }
}

/// The exponent, less the greatest of them. The difference comes first: a compiler may fuse a
/// product with what follows, and then keep what the greatest product loses by rounding.
std::string WriteExponent(const PlannedLayer& layer) {
  return Text(WriteFloat(layer.GetDescriptor<SoftmaxDescriptor>().beta), " * (x - extreme)");
}

/// No exponential is more than 1. NaN is passed over; it spoils the sum anyway.
GroupProgram MakeSoftmax(const PlannedLayer& layer) {
  const auto descriptor = layer.GetDescriptor<SoftmaxDescriptor>();
  const bool is_least = descriptor.beta < 0.0F;
  const char* const sign = is_least ? " < " : " > ";
  const std::string term = Text("exp(", WriteExponent(layer), ")");
  GroupProgram program;
  program.axes = MakeAxisSet(descriptor.axis);
  program.folds = {
      {"extreme", is_least ? "INFINITY" : "-INFINITY",
       Text("extreme = x", sign, "extreme ? x : extreme;\n"), Text("a", sign, "b ? a : b"), ""},
      MakeSum("sum", term.c_str())};
  return program;
}

}  // namespace

std::string FindRefusalOfReduce(const PlannedLayer& layer, const DeviceLimits& /*limits*/) {
  Refusal refusal;
  RequireFloats(layer, refusal);
  RequireReduce(layer, refusal);
  RequireIntIndices(layer, refusal);
  return refusal.GetReason();
}

KernelPlan PlanReduce(const PlannedLayer& layer, const DeviceLimits& limits) {
  const auto descriptor = layer.GetDescriptor<ReduceDescriptor>();
  GroupProgram program;
  program.axes = MakeAxisSet(descriptor.num_axes, descriptor.axes);
  program.folds = MakeFolds(descriptor.operation);
  program.value = "y";
  program.is_of_group = true;
  return PlanGroups(layer, program, limits);
}

std::string FindRefusalOfSoftmax(const PlannedLayer& layer, const DeviceLimits& /*limits*/) {
  Refusal refusal;
  RequireFloats(layer, refusal);
  RequireAxis(layer, layer.GetDescriptor<SoftmaxDescriptor>().axis, refusal);
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  RequireIntIndices(layer, refusal);
  return refusal.GetReason();
}

KernelPlan PlanSoftmax(const PlannedLayer& layer, const DeviceLimits& limits) {
  GroupProgram program = MakeSoftmax(layer);
  program.value = Text("exp(", WriteExponent(layer), ") / sum");
  return PlanGroups(layer, program, limits);
}

std::string FindRefusalOfLogSoftmax(const PlannedLayer& layer, const DeviceLimits& limits) {
  return FindRefusalOfSoftmax(layer, limits);
}

KernelPlan PlanLogSoftmax(const PlannedLayer& layer, const DeviceLimits& limits) {
  GroupProgram program = MakeSoftmax(layer);
  program.folds.back().finish = "sum = log(sum);\n";
  program.value = Text(WriteExponent(layer), " - sum");
  return PlanGroups(layer, program, limits);
}

}  // namespace opencl
}  // namespace backplane
