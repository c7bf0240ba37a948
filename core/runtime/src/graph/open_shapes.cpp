#include "graph/open_shapes.hpp"

#include "graph/layer_error.hpp"
#include "graph/network.hpp"
#include "graph/operator_check.hpp"
#include "tensors/tensor_text.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace backplane {
namespace {

bool IsPrime(std::int64_t number) {
  for (std::int64_t divisor = 2; divisor * divisor <= number; ++divisor) {
    if (number % divisor == 0) return false;
  }
  return true;
}

/// The great extent of an axis that nothing bounds: a prime number, which no product of others
/// comes to, above `floor`. Where it would be slow to look for one, the next number has to do.
std::int64_t ChooseUnbounded(std::int64_t floor, const std::set<std::int64_t>& taken) {
  constexpr std::int64_t kMostPrime = std::int64_t{1} << 32;
  std::int64_t great = floor;
  const auto fits = [&] {
    return taken.count(great) == 0 && (great > kMostPrime || IsPrime(great));
  };
  do {
    if (great == kUnbounded) return great;
    ++great;
  } while (!fits());
  return great;
}

/// No two extents that may differ have one great value, where bounds leave another.
std::int64_t ChooseBounded(const ExtentBounds& bounds, const std::set<std::int64_t>& taken) {
  std::int64_t great = bounds.most;
  while (great > bounds.least && taken.count(great) != 0) --great;
  return great > bounds.least ? great : bounds.most;
}

/// From where on unbounded extents of a tensor get great values: those of many axes are smaller, so
/// that their product still is a size of memory.
std::int64_t GetFloor(std::size_t num_unbounded) {
  return num_unbounded > 4 ? 128 : 1024;
}

std::string Describe(const ExtentBounds& bounds) {
  return std::to_string(bounds.least) +
         (bounds.most == kUnbounded ? " and more" : " to " + std::to_string(bounds.most));
}

[[noreturn]] void ThrowWrongExtent(const Layer& layer, const std::string& found,
                                   const std::string& expected) {
  ThrowLayerError(layer, DiagnosticCode::kWrongShape, "its open extents are wrong",
                  "found " + found + "; expected " + expected, "correct the open extents");
}

void CheckExtent(const Layer& layer, const TensorInfo& info, const OpenExtent& extent) {
  const std::string axis = "axis " + std::to_string(extent.axis);
  if (extent.axis >= info.shape.rank || info.shape[extent.axis] != kOpenExtent) {
    ThrowWrongExtent(layer, "bounds or a name for " + axis + " of " + DescribeShape(info.shape),
                     "an axis whose extent is kOpenExtent");
  }
  const ExtentBounds& bounds = extent.bounds;
  if (bounds.least >= 0 && bounds.most >= bounds.least) return;
  ThrowWrongExtent(layer, Describe(bounds) + " as bounds of " + axis, "0 or more, the least first");
}

/// Extents that differ are open.
std::vector<TensorInfo> FindOpen(const std::vector<TensorInfo>& least,
                                 const std::vector<TensorInfo>& great) {
  std::vector<TensorInfo> open = least;
  for (std::size_t i = 0; i < open.size(); ++i) {
    for (std::uint32_t axis = 0; axis < open[i].shape.rank; ++axis) {
      if (least[i].shape[axis] != great[i].shape[axis]) open[i].shape[axis] = kOpenExtent;
    }
  }
  return open;
}

OpenBinding MakeBinding(const std::vector<OpenBinding>& before, const std::string& name,
                        const TensorInfo& info) {
  OpenBinding binding;
  binding.id = static_cast<LayerBindingId>(before.size());
  binding.name = name;
  binding.info = info;
  return binding;
}

class ReshapedSource final : public INetworkSource {
 public:
  ReshapedSource(const Graph& graph, const OpenShapes& shapes)
      : graph_(graph),
        shapes_(shapes),
        inputs_(shapes.GetInputs(graph)),
        outputs_(shapes.GetOutputs(graph)) {}

  const std::string& GetName() const override { return graph_.name; }
  std::vector<OpenBinding> GetInputs() const override { return inputs_; }
  std::vector<OpenBinding> GetOutputs() const override { return outputs_; }

  NetworkStage MakeFirstStage(const std::vector<StageValue>& inputs) const override {
    Graph graph = graph_;
    NetworkStage stage;
    StageValueId next = 0;
    for (const LayerId input : graph.inputs) {
      graph.layers[input].outputs = {inputs[next].info};
      stage.network_inputs.push_back(next++);
    }
    for (Layer& layer : graph.layers) {
      if (IsOperator(layer)) shapes_.SetOutputs(graph, layer);
    }
    for (std::size_t i = 0; i < graph.outputs.size(); ++i) stage.network_outputs.push_back(next++);
    stage.results = stage.network_outputs;
    stage.network = std::make_unique<Network>(std::move(graph));
    return stage;
  }

 private:
  const Graph graph_;  // with the least extents
  const OpenShapes shapes_;
  const std::vector<OpenBinding> inputs_;
  const std::vector<OpenBinding> outputs_;
};

}  // namespace

OpenShapes::OpenShapes(const Graph& graph) : great_(graph), stated_(graph.layers.size()) {
  for (const Layer& layer : graph.layers) infos_.push_back(layer.outputs);
}

const OpenShapes::Extent* OpenShapes::FindNamed(const std::string& name) const {
  for (const auto& [layer, extents] : of_inputs_) {
    for (const auto& [axis, extent] : extents) {
      if (!name.empty() && extent.name == name) return &extent;
    }
  }
  return nullptr;
}

OpenShapes::Input OpenShapes::Resolve(const Layer& layer, const TensorInfo& info,
                                      const std::vector<OpenExtent>& stated) const {
  std::map<std::uint32_t, OpenExtent> of_axes;
  for (const OpenExtent& extent : stated) {
    CheckExtent(layer, info, extent);
    if (of_axes.emplace(extent.axis, extent).second) continue;
    ThrowWrongExtent(layer, "axis " + std::to_string(extent.axis) + " twice", "each axis once");
  }
  std::set<std::int64_t> taken;
  for (const auto& [input, extents] : of_inputs_) {
    for (const auto& [axis, extent] : extents) taken.insert(extent.great);
  }
  std::size_t num_unbounded = 0;
  for (std::uint32_t axis = 0; axis < info.shape.rank; ++axis) {
    if (info.shape[axis] == kOpenExtent) num_unbounded += of_axes[axis].bounds.most == kUnbounded;
  }
  Input input{info, info, {}};
  for (std::uint32_t axis = 0; axis < info.shape.rank; ++axis) {
    if (info.shape[axis] != kOpenExtent) continue;
    const OpenExtent& own = of_axes[axis];
    const Extent* same = FindNamed(own.name);
    for (const auto& [other_axis, other] : input.extents) {
      if (!own.name.empty() && other.name == own.name) same = &other;
    }
    if (same != nullptr && !(same->bounds == own.bounds)) {
      ThrowWrongExtent(layer, own.name + " from " + Describe(own.bounds),
                       Describe(same->bounds) + " as where it was stated first");
    }
    Extent extent = same != nullptr ? *same : Extent{own.name, own.bounds, 0};
    if (same == nullptr) {
      extent.great =
          own.bounds.most != kUnbounded
              ? ChooseBounded(own.bounds, taken)
              : ChooseUnbounded(std::max(GetFloor(num_unbounded), own.bounds.least), taken);
    }
    taken.insert(extent.great);
    input.least.shape[axis] = extent.bounds.least;
    input.great.shape[axis] = extent.great;
    input.extents.emplace(axis, std::move(extent));
  }
  return input;
}

void OpenShapes::Append(const Layer& least, Layer great, Stated stated) {
  infos_.push_back(FindOpen(least.outputs, great.outputs));
  stated_.push_back(std::move(stated));
  great_.layers.push_back(std::move(great));
}

void OpenShapes::AddInput(const Layer& layer, const Input& input) {
  Layer great = layer;
  great.outputs = {input.great};
  Append(layer, std::move(great), {});
  of_inputs_[layer.id] = input.extents;
}

void OpenShapes::SetOutputs(const Graph& graph, const Stated& stated, Layer& layer) const {
  const std::vector<const TensorInfo*> inputs = GetInputTensors(graph, layer);
  layer.descriptor = stated.descriptor;
  if (!inputs.empty()) {
    auto closed = CloseDescriptor(layer, *inputs[0], GetInfo(layer.inputs[0]));
    if (closed) layer.descriptor = std::move(closed);
  }
  SetOperatorOutputs(layer, inputs, stated.outputs);
}

void OpenShapes::SetOutputs(const Graph& graph, Layer& layer) const {
  SetOutputs(graph, stated_[layer.id], layer);
}

void OpenShapes::SetLeastOutputs(const Graph& graph, Layer& layer,
                                 const std::vector<OutputType>& stated) const {
  try {
    SetOutputs(graph, {layer.descriptor, stated}, layer);
  } catch (const DiagnosticException& exception) {
    ThrowOf(exception, [](const Extent& extent) { return extent.bounds.least; });
  }
}

void OpenShapes::AddOperator(const Layer& layer,
                             const std::shared_ptr<const BaseDescriptor>& descriptor,
                             const std::vector<OutputType>& stated) {
  Layer great = layer;
  try {
    SetOutputs(great_, {descriptor, stated}, great);
  } catch (const DiagnosticException& exception) {
    ThrowOf(exception, [](const Extent& extent) { return extent.great; });
  }
  Append(layer, std::move(great), {descriptor, stated});
}

void OpenShapes::Add(const Layer& layer) {
  Append(layer, layer, {});
}

void OpenShapes::Truncate(std::size_t num_layers) {
  great_.layers.resize(num_layers);
  stated_.resize(num_layers);
  infos_.resize(num_layers);
  of_inputs_.erase(of_inputs_.lower_bound(static_cast<LayerId>(num_layers)), of_inputs_.end());
}

std::vector<OpenBinding> OpenShapes::GetInputs(const Graph& graph) const {
  std::vector<OpenBinding> bindings;
  for (const LayerId id : graph.inputs) {
    OpenBinding binding = MakeBinding(bindings, graph.layers[id].name, infos_[id][0]);
    binding.dim_names.resize(binding.info.shape.rank);
    binding.bounds.resize(binding.info.shape.rank);
    const auto extents = of_inputs_.find(id);
    if (extents != of_inputs_.end()) {
      for (const auto& [axis, extent] : extents->second) {
        binding.info.shape[axis] = kOpenExtent;  // also where its bounds allow one value only
        binding.dim_names[axis] = extent.name;
        binding.bounds[axis] = extent.bounds;
      }
    }
    bindings.push_back(std::move(binding));
  }
  return bindings;
}

std::vector<OpenBinding> OpenShapes::GetOutputs(const Graph& graph) const {
  std::vector<OpenBinding> bindings;
  for (const LayerId id : graph.outputs) {
    const Layer& layer = graph.layers[id];
    bindings.push_back(MakeBinding(bindings, layer.name, GetInfo(layer.inputs[0])));
  }
  return bindings;
}

void OpenShapes::ThrowOf(const DiagnosticException& exception,
                         std::int64_t (*get)(const Extent& extent)) const {
  std::set<std::string> told;
  std::string text;
  for (const auto& [input, extents] : of_inputs_) {
    for (const auto& [axis, extent] : extents) {
      const std::string of_axis =
          "axis " + std::to_string(axis) + " of " + DescribeLayer(great_.layers[input]);
      const std::string name = extent.name.empty() ? of_axis : extent.name;
      if (!told.insert(name).second) continue;
      text += (text.empty() ? "" : ", ") + name + " as " + std::to_string(get(extent));
    }
  }
  Diagnostic diagnostic = exception.GetDiagnostic();
  diagnostic.why += "; this was tried with " + text;
  diagnostic.fix +=
      "; or give open extents bounds, or one name, within which all of them are right";
  throw DiagnosticException(std::move(diagnostic));
}

std::shared_ptr<const INetworkSource> MakeReshapedSource(const Graph& graph,
                                                         const OpenShapes& shapes) {
  return std::make_shared<ReshapedSource>(graph, shapes);
}

}  // namespace backplane
