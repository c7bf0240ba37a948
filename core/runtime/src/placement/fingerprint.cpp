#include "placement/subgraph_cache.hpp"

#include <backplane/api/abi_note.hpp>
#include <backplane/api/custom_layer.hpp>
#include <backplane/host/digest.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace backplane::placement {

namespace {

constexpr std::uint64_t kFormat = 1;  // of what is digested

/// What a tensor is to the sub-graph that is looked at.
enum class TensorRole : std::uint64_t { kInner = 1, kInput = 2, kConstant = 3 };

/// Digests fields; each says its length, so that no two sequences of fields look the same.
class FieldDigest {
 public:
  void AddNumber(std::uint64_t number) { digest_.Add(&number, sizeof(number)); }
  void AddBytes(const void* data, std::uint64_t size_bytes) {
    AddNumber(size_bytes);
    digest_.Add(data, size_bytes);
  }
  void AddText(const std::string& text) { AddBytes(text.data(), text.size()); }
  template <typename Element>
  void AddElements(const SharedVector<Element>& elements) {
    AddBytes(elements.data(), elements.size() * sizeof(Element));
  }
  std::string Finish() { return digest_.Finish(); }

 private:
  Sha256 digest_;
};

void AddVersion(BackendVersion version, FieldDigest& digest) {
  digest.AddNumber(version.major);
  digest.AddNumber(version.minor);
}

void AddValue(const OptionValue& value, FieldDigest& digest) {
  digest.AddNumber(static_cast<std::uint64_t>(value.type));
  digest.AddNumber(static_cast<std::uint64_t>(value.int_value));
  digest.AddBytes(&value.float_value, sizeof(value.float_value));
  digest.AddText(value.string_value);
}

void AddOptions(const BackendOptions& options, FieldDigest& digest) {
  digest.AddNumber(options.options.size());
  for (const BackendOption& option : options.options) {
    digest.AddText(option.name);
    AddValue(option.value, digest);
  }
}

void AddTensor(const TensorInfo& info, FieldDigest& digest) {
  digest.AddNumber(static_cast<std::uint64_t>(info.data_type));
  digest.AddNumber(info.shape.rank);
  for (std::uint32_t axis = 0; axis < info.shape.rank; ++axis) {
    digest.AddNumber(static_cast<std::uint64_t>(info.shape[axis]));
  }
  const QuantizationInfo& quantization = info.quantization;
  digest.AddElements(quantization.scales);
  digest.AddElements(quantization.zero_points);
  digest.AddNumber(quantization.IsPerAxis() ? static_cast<std::uint64_t>(quantization.axis) : 0);
}

/// Digests the layers of one sub-graph. Tensors are named by where they stand in it.
class SubgraphDigest {
 public:
  SubgraphDigest(const Graph& graph, const SubgraphView& subgraph, FieldDigest& digest)
      : graph_(graph), subgraph_(subgraph), digest_(digest) {
    for (const LayerId layer : subgraph.layers) positions_.emplace(layer, positions_.size());
  }

  void Add() {
    digest_.AddNumber(subgraph_.inputs.size());
    for (const OutputSlot input : subgraph_.inputs) AddTensor(GetTensor(graph_, input), digest_);
    digest_.AddNumber(subgraph_.layers.size());
    for (const LayerId layer : subgraph_.layers) AddLayer(graph_.layers[layer]);
    digest_.AddNumber(subgraph_.outputs.size());
    for (const OutputSlot output : subgraph_.outputs) AddSlot(output);
  }

 private:
  void AddLayer(const Layer& layer) {
    digest_.AddNumber(static_cast<std::uint64_t>(layer.type));
    AddDescriptor(layer);
    digest_.AddNumber(layer.inputs.size());
    for (const OutputSlot input : layer.inputs) AddSlot(input);
    digest_.AddNumber(layer.outputs.size());
    for (const TensorInfo& output : layer.outputs) AddTensor(output, digest_);
    if (layer.type == LayerType::kConstant) AddContent(layer);
  }

  void AddDescriptor(const Layer& layer) {
    const BaseDescriptor* descriptor = layer.descriptor.get();
    if (layer.type != LayerType::kCustom) {
      digest_.AddBytes(descriptor, descriptor != nullptr ? descriptor->size_bytes : 0);
      return;
    }
    const auto& custom = static_cast<const CustomDescriptor&>(*descriptor);
    digest_.AddNumber(custom.version);
    digest_.AddText(custom.domain);
    digest_.AddText(custom.type);
    digest_.AddNumber(custom.num_attributes);
    for (const OperatorAttribute& attribute : GetAttributes(custom)) {
      digest_.AddText(attribute.name);
      digest_.AddNumber(attribute.is_list ? 1 : 0);
      digest_.AddNumber(attribute.values.size());
      for (const OptionValue& value : attribute.values) AddValue(value, digest_);
    }
  }

  void AddSlot(OutputSlot slot) {
    const auto inner = positions_.find(slot.layer);
    if (inner != positions_.end()) {
      digest_.AddNumber(static_cast<std::uint64_t>(TensorRole::kInner));
      digest_.AddNumber(inner->second);
      digest_.AddNumber(slot.index);
      return;
    }
    const Layer& producer = graph_.layers[slot.layer];
    if (producer.type == LayerType::kConstant) return AddConstant(producer);
    const auto& inputs = subgraph_.inputs;
    const auto input = std::find(inputs.begin(), inputs.end(), slot);
    digest_.AddNumber(static_cast<std::uint64_t>(TensorRole::kInput));
    digest_.AddNumber(static_cast<std::uint64_t>(input - inputs.begin()));
  }

  // A constant that several layers read is digested once: which one it is matters too.
  void AddConstant(const Layer& constant) {
    digest_.AddNumber(static_cast<std::uint64_t>(TensorRole::kConstant));
    const auto [known, is_new] = constants_.emplace(constant.id, constants_.size());
    digest_.AddNumber(known->second);
    if (!is_new) return;
    AddTensor(constant.outputs[0], digest_);
    AddContent(constant);
  }

  void AddContent(const Layer& constant) {
    const void* const data = GetConstantData(constant);
    digest_.AddBytes(data, data != nullptr ? constant.outputs[0].GetSizeBytes() : 0);
  }

  const Graph& graph_;
  const SubgraphView& subgraph_;
  FieldDigest& digest_;
  std::map<LayerId, std::size_t> positions_;
  std::map<LayerId, std::size_t> constants_;
};

bool HasCompiled(const Graph& graph, const SubgraphView& subgraph) {
  return std::any_of(subgraph.layers.begin(), subgraph.layers.end(), [&](LayerId layer) {
    return graph.layers[layer].type == LayerType::kPreCompiled;
  });
}

bool HasLostConstant(const Graph& graph, const SubgraphView& subgraph) {
  const auto is_lost = [&](OutputSlot slot) {
    const Layer& producer = graph.layers[slot.layer];
    return producer.type == LayerType::kConstant && !producer.constant->released_by.empty();
  };
  return std::any_of(subgraph.layers.begin(), subgraph.layers.end(), [&](LayerId layer) {
    const auto& inputs = graph.layers[layer].inputs;
    return std::any_of(inputs.begin(), inputs.end(), is_lost);
  });
}

}  // namespace

std::string ComputeFingerprint(const Graph& graph, const SubgraphView& subgraph,
                               const NetworkBackend& backend) {
  if (HasCompiled(graph, subgraph) || HasLostConstant(graph, subgraph)) return "";
  const PluginOrigin& origin = *backend.backend.GetOrigin();
  FieldDigest digest;
  digest.AddNumber(kFormat);
  AddVersion(kBackendApiVersion, digest);
  digest.AddNumber(BP_API_DRAFT);
  digest.AddText(backend.id);
  AddVersion(origin.declared_version, digest);
  if (origin.code_file) {
    const std::string& build = origin.code_file->GetDigest();
    if (build.empty()) return "";
    digest.AddText(build);
  }
  AddOptions(backend.options, digest);
  SubgraphDigest(graph, subgraph, digest).Add();
  return digest.Finish();
}

}  // namespace backplane::placement
