#include "kernels/constants.hpp"
#include "kernels/elements.hpp"
#include "kernels/kernels.hpp"
#include "plan/index_axes.hpp"
#include "pointwise/expression.hpp"
#include "pointwise/program.hpp"

#include "cpu_layers/dense_steps.hpp"
#include "cpu_layers/resize_axis.hpp"
#include "cpu_layers/resize_refusal.hpp"

#include <cstring>

namespace backplane {
namespace opencl {
namespace {

bool IsMoving(const ResizeDescriptor& descriptor) {
  return descriptor.interpolation == Interpolation::kNearest && !IsCrop(descriptor);
}

/// What a kernel reads of all axes that do not stay as they are: for each element of the output
/// along the axis, the offsets of its neighbours, -1 first for what lies outside, and their
/// weights.
struct Tables {
  std::vector<std::int32_t> offsets;
  std::vector<float> weights;
  std::vector<std::int32_t> begins;  // for each axis
};

class ResizeProgram {
 public:
  ResizeProgram(const Layer& layer, const ResizeDescriptor& descriptor)
      : layer_(layer), descriptor_(descriptor) {
    const TensorShape& input = layer.Input(0).shape;
    const DenseSteps steps(input);
    const std::vector<ResizeAxis> axes = MakeResizeAxes(descriptor, input);
    for (std::uint32_t axis = 0; axis < input.rank; ++axis) {
      if (axes[axis].is_left_alone) {
        AddKeptAxis(input[axis], steps[axis]);
      } else {
        AddAxis(axes[axis], steps[axis]);
      }
    }
    if (index_.empty()) AddKeptAxis(1, 1);
  }

  Launch Make(const DeviceLimits& limits, KernelPlan& plan) const {
    const std::int64_t count = layer_.Output().shape.GetNumElements();
    Launch launch;
    launch.source = WriteSource();
    launch.kernel = "resize";
    launch.arguments = {static_cast<std::int32_t>(count), ReadInput(layer_, 0), WriteOutput(layer_),
                        AddConstant(tables_.offsets, plan)};
    std::vector<unsigned char> weights(tables_.weights.size() * sizeof(float));
    if (!weights.empty()) std::memcpy(weights.data(), tables_.weights.data(), weights.size());
    launch.arguments.emplace_back(
        AddConstant(std::make_shared<const Bytes>(std::move(weights)), plan));
    AppendIndexArguments(index_, launch.arguments);
    for (const std::int32_t begin : tables_.begins) launch.arguments.emplace_back(begin);
    SetWorkItems(count, limits, launch);
    return launch;
  }

 private:
  void AddKeptAxis(std::int64_t extent, std::int64_t step) {
    if (!index_.empty() && !is_resized_.back()) {
      index_.back().extent *= extent;
      index_.back().steps[0] = step;
      return;
    }
    index_.push_back({extent, {step}});
    is_resized_.push_back(false);
    tables_.begins.push_back(0);
  }

  void AddAxis(const ResizeAxis& axis, std::int64_t step) {
    num_taps_ = axis.num_taps;
    const std::size_t begin = tables_.offsets.size();
    tables_.begins.push_back(static_cast<std::int32_t>(begin));
    for (std::size_t i = 0; i < axis.indices.size(); ++i) {
      tables_.offsets.push_back(static_cast<std::int32_t>(axis.indices[i] * step));
      tables_.weights.push_back(static_cast<float>(axis.weights[i]));
    }
    for (const std::int64_t outside : axis.outside) {
      tables_.offsets[begin + static_cast<std::size_t>(outside) * axis.num_taps] = -1;
    }
    index_.push_back({axis.output, {0}});
    is_resized_.push_back(true);
  }

  std::string WriteSource() const {
    const auto rank = static_cast<std::uint32_t>(index_.size());
    const StoredElement element = GetElement();
    std::string parameters = WriteIndexParameters(rank, 1);
    for (std::uint32_t axis = 0; axis < rank; ++axis) {
      parameters += Text(", const int begin", axis);
    }
    return Text("__kernel void resize(const int count, __global const ", element.type,
                "* from, const int from_begin, __global ", element.type,
                "* to, const int to_begin, __global const int* offsets, const int offsets_begin, "
                "__global const float* weights, const int weights_begin",
                parameters, ") {\nconst int i = (int)get_global_id(0);\nif (i < count) {\n",
                WriteIndices(rank, 1, "i"), WriteElement(element), "}\n}\n");
  }

  StoredElement GetElement() const {
    const DataType type = layer_.Output().data_type;
    return IsMoving(descriptor_) ? GetMovedElement(GetElementBytes(type)) : GetStoredElement(type);
  }

  std::string WriteElement(const StoredElement& element) const {
    std::string text = "bool is_inside = true;\n";
    std::string weight = "1.0f";
    std::string place = "at0";
    std::string loops;
    std::string ends;
    for (std::size_t axis = 0; axis < index_.size(); ++axis) {
      if (!is_resized_[axis]) continue;
      text += Text("const int taps", axis, " = begin", axis, " + index", axis, " * ", num_taps_,
                   ";\nis_inside = is_inside && offsets[offsets_begin + taps", axis, "] >= 0;\n");
      loops += Text("for (int t", axis, " = taps", axis, "; t", axis, " < taps", axis, " + ",
                    num_taps_, "; ++t", axis, ") {\n");
      place += Text(" + offsets[offsets_begin + t", axis, "]");
      weight += Text(" * weights[weights_begin + t", axis, "]");
      ends += "}\n";
    }
    const std::string load = WriteLoad(element, "from", place);
    const std::string sum =
        IsNearest() ? Text("sum = ", load, ";\n") : Text("sum += ", weight, " * ", load, ";\n");
    text += Text(element.computed, " sum = 0;\nif (is_inside) {\n", loops, sum, ends, "}\n");
    if (IsCrop(descriptor_)) {
      text += Text("else sum = ", WriteFloat(descriptor_.extrapolation_value), ";\n");
    }
    return text + WriteStore(element, "to", "i", "sum");
  }

  bool IsNearest() const { return descriptor_.interpolation == Interpolation::kNearest; }

  const Layer& layer_;
  const ResizeDescriptor& descriptor_;
  std::vector<IndexAxis> index_;
  std::vector<bool> is_resized_;
  Tables tables_;
  std::uint32_t num_taps_ = 1;
};

}  // namespace

std::string FindRefusalOfResize(const PlannedLayer& layer, const DeviceLimits& /*limits*/) {
  Refusal refusal;
  if (IsMoving(layer.GetDescriptor<ResizeDescriptor>())) {
    RequireOneRepresentation(layer, refusal);
  } else {
    RequireFloats(layer, refusal);
  }
  RequireResize(layer, refusal);
  RequireIntIndices(layer, refusal);
  return refusal.GetReason();
}

KernelPlan PlanResize(const PlannedLayer& layer, const DeviceLimits& limits) {
  KernelPlan plan;
  if (layer.Output().shape.GetNumElements() == 0) return plan;
  const auto descriptor = layer.GetDescriptor<ResizeDescriptor>();
  plan.launches.push_back(ResizeProgram(layer, descriptor).Make(limits, plan));
  return plan;
}

}  // namespace opencl
}  // namespace backplane
