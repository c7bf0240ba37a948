#include "placement/subgraph_builder.hpp"

#include "graph/layer_error.hpp"
#include "graph/operator_check.hpp"
#include "tensors/tensor_text.hpp"

#include <backplane/host/host_call.hpp>
#include <backplane/runtime/i_network.hpp>

#include <algorithm>
#include <cstring>
#include <exception>

namespace backplane {

namespace {

// What an older or newer backend made, as these headers know it.
ReplacementLayer CopyReplacement(const ReplacementLayer& given) {
  ReplacementLayer copy;
  const std::size_t known = std::min<std::size_t>(given.size_bytes, sizeof(copy));
  std::memcpy(static_cast<void*>(&copy), &given, known);
  copy.size_bytes = sizeof(copy);
  return copy;
}

void RequireStatedOutputs(const Layer& layer, const ReplacementLayer& replacement) {
  const std::uint32_t count = replacement.num_outputs;
  const bool are_all_given =
      count == 0 || (replacement.output_infos != nullptr &&
                     std::all_of(replacement.output_infos, replacement.output_infos + count,
                                 [](const TensorInfo* info) { return info != nullptr; }));
  if (are_all_given) return;
  ThrowLayerError(layer, DiagnosticCode::kInvalidDescriptor, "its outputs are not all described",
                  "found null among " + std::to_string(count) +
                      " output_infos; expected a TensorInfo for each output",
                  "give output_infos for every output");
}

// What does not follow from the inputs: how results of quantized arithmetic are stored.
std::vector<OutputType> GetQuantizedTypes(const ReplacementLayer& replacement) {
  std::vector<OutputType> types;
  for (std::uint32_t i = 0; i < replacement.num_outputs; ++i) {
    const TensorInfo& info = *replacement.output_infos[i];
    if (!info.quantization.IsQuantized()) continue;
    types.resize(i + 1);
    types[i] = OutputType(info.data_type, info.quantization);
  }
  return types;
}

void RequireSameOutputs(const Layer& layer, const ReplacementLayer& replacement) {
  const std::size_t count = layer.outputs.size();
  bool are_same = replacement.num_outputs == count;
  for (std::size_t i = 0; are_same && i < count; ++i) {
    are_same = *replacement.output_infos[i] == layer.outputs[i];
  }
  if (are_same) return;
  const std::vector<const TensorInfo*> found(replacement.output_infos,
                                             replacement.output_infos + replacement.num_outputs);
  std::vector<const TensorInfo*> expected;
  for (const TensorInfo& output : layer.outputs) expected.push_back(&output);
  ThrowLayerError(layer, DiagnosticCode::kWrongShape, "its outputs are not what it computes",
                  "found " + DescribeTensors(found) + "; expected " + DescribeTensors(expected),
                  "state the outputs that follow from inputs and descriptor");
}

}  // namespace

SubgraphBuilder::SubgraphBuilder(const Graph& graph, const SubgraphView& subgraph,
                                 std::shared_ptr<const PluginOrigin> origin,
                                 ConstantReleases& releases)
    : graph_(graph),
      origin_(std::move(origin)),
      releases_(releases),
      layers_(subgraph.layers.begin(), subgraph.layers.end()) {
  for (const OutputSlot input : subgraph.inputs) readable_.emplace(input.layer, input.index);
  for (const LayerId id : subgraph.layers) {
    const Layer& layer = graph.layers[id];
    for (std::uint32_t i = 0; i < layer.outputs.size(); ++i) readable_.emplace(id, i);
    for (const OutputSlot input : layer.inputs) readable_.emplace(input.layer, input.index);
  }
}

// Nothing that goes wrong here leaves as an exception: the caller is a plugin.
template <typename Make>
Status SubgraphBuilder::Add(LayerId* id, const Make& make) {
  try {
    if (id == nullptr) {
      problems_.emplace_back("found null for the id of a new layer; expected room for it");
      return Status::kInvalidArgument;
    }
    Layer layer = make();
    const LayerId new_id = layer.id;
    added_.push_back(std::move(layer));
    *id = new_id;
    return Status::kSuccess;
  } catch (const DiagnosticException& exception) {
    const Diagnostic& diagnostic = exception.GetDiagnostic();
    problems_.push_back(diagnostic.what + ": " + diagnostic.why);
    return Status::kInvalidArgument;
  } catch (const std::exception&) {
    was_refused_memory_ = true;
    return Status::kOutOfMemory;
  }
}

Status SubgraphBuilder::AddLayer(const ReplacementLayer& given, LayerId* id) {
  return Add(id, [&] {
    const ReplacementLayer replacement = CopyReplacement(given);
    Layer layer = MakeLayer(replacement.layer_type, replacement.name);
    CheckOperatorType(layer);
    CheckInputCount(layer, replacement.num_inputs);
    ReadInputs(replacement, layer);
    const BaseDescriptor all_defaults(sizeof(BaseDescriptor));
    SetOperatorDescriptor(
        layer, replacement.descriptor != nullptr ? *replacement.descriptor : all_defaults);
    RequireStatedOutputs(layer, replacement);
    SetOperatorOutputs(layer, FindInputs(layer), GetQuantizedTypes(replacement));
    RequireSameOutputs(layer, replacement);
    return layer;
  });
}

Status SubgraphBuilder::AddPreCompiledLayer(const ReplacementLayer& given,
                                            std::shared_ptr<const IPreCompiledObject> object,
                                            LayerId* id) {
  return Add(id, [&] {
    const ReplacementLayer replacement = CopyReplacement(given);
    Layer layer = MakeLayer(LayerType::kPreCompiled, replacement.name);
    if (!object) {
      ThrowLayerError(layer, DiagnosticCode::kInvalidDescriptor, "it has no compiled object",
                      "found null; expected an IPreCompiledObject", "give the compiled object");
    }
    ReadInputs(replacement, layer);
    FindInputs(layer);
    RequireStatedOutputs(layer, replacement);
    for (std::uint32_t i = 0; i < replacement.num_outputs; ++i) {
      CheckTensor(layer, *replacement.output_infos[i], "output " + std::to_string(i));
      layer.outputs.push_back(*replacement.output_infos[i]);
    }
    layer.pre_compiled = PluginObject<const IPreCompiledObject>(std::move(object), origin_).Share();
    return layer;
  });
}

Status SubgraphBuilder::AddConstant(const ConstTensor& tensor, const char* name, LayerId* id) {
  return Add(id, [&] {
    Layer layer = MakeLayer(LayerType::kConstant, name);
    CheckTensor(layer, tensor.info, "the constant");
    if (tensor.data == nullptr) CheckConstantData(layer, tensor.info, nullptr);
    layer.outputs.push_back(tensor.info);
    layer.constant = std::make_shared<ConstantContent>();
    layer.constant->data = CopyConstantData(tensor.data, tensor.info.GetSizeBytes());
    return layer;
  });
}

Status SubgraphBuilder::ReleaseConstant(LayerId layer, std::uint32_t input) {
  if (layers_.count(layer) == 0) return Status::kNotFound;
  if (!releases_.IsConstant(layer, input)) return Status::kInvalidArgument;
  return AnswerPlugin([&] {
    releases_.Release(origin_->backend_id, layer, input);
    return Status::kSuccess;
  });
}

Layer SubgraphBuilder::MakeLayer(LayerType type, const char* name) const {
  Layer layer;
  layer.id = static_cast<LayerId>(graph_.layers.size() + added_.size());
  layer.type = type;
  layer.name = name != nullptr ? name : "";
  layer.descriptor = std::make_shared<NoDescriptor>();
  return layer;
}

void SubgraphBuilder::ReadInputs(const ReplacementLayer& replacement, Layer& layer) const {
  if (replacement.num_inputs == 0) return;
  if (replacement.inputs == nullptr) {
    ThrowLayerError(layer, DiagnosticCode::kUnknownTensor, "its inputs are not given",
                    "found null; expected " + std::to_string(replacement.num_inputs) + " slots",
                    "give the tensors that the layer reads");
  }
  layer.inputs.assign(replacement.inputs, replacement.inputs + replacement.num_inputs);
}

const TensorInfo& SubgraphBuilder::FindTensor(const Layer& reader, OutputSlot slot) const {
  const std::size_t first_added = graph_.layers.size();
  if (slot.layer < first_added) {
    if (readable_.count({slot.layer, slot.index}) != 0) return GetTensor(graph_, slot);
  } else if (slot.layer - first_added < added_.size()) {
    const Layer& layer = added_[slot.layer - first_added];
    if (slot.index < layer.outputs.size()) return layer.outputs[slot.index];
  }
  ThrowLayerError(reader, DiagnosticCode::kUnknownTensor, "it reads a tensor it cannot reach",
                  "found output " + std::to_string(slot.index) + " of " +
                      (slot.layer < first_added ? DescribeLayer(graph_.layers[slot.layer])
                                                : "layer " + std::to_string(slot.layer)) +
                      "; expected a tensor of the sub-graph, one of its inputs, or of a layer "
                      "added before",
                  "use slots of the sub-graph and ids that the builder gave");
}

std::vector<const TensorInfo*> SubgraphBuilder::FindInputs(const Layer& layer) const {
  std::vector<const TensorInfo*> infos;
  for (const OutputSlot input : layer.inputs) infos.push_back(&FindTensor(layer, input));
  return infos;
}

}  // namespace backplane
