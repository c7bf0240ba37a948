#include "graph/graph.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/host/shared_memory.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <utility>

namespace backplane {

bool IsOperator(const Layer& layer) {
  const LayerTypeInfo* row = FindLayerTypeInfo(layer.type);
  return row != nullptr && row->is_operator;
}

bool IsRunByBackend(const Layer& layer) {
  return layer.type == LayerType::kPreCompiled || IsOperator(layer);
}

const TensorInfo& GetTensor(const Graph& graph, OutputSlot slot) {
  return graph.layers[slot.layer].outputs[slot.index];
}

const void* GetConstantData(const Layer& constant) {
  return constant.constant->data.get();
}

bool HasElements(const Layer& constant, const void* data) {
  const std::uint64_t size_bytes = constant.outputs[0].GetSizeBytes();
  const void* const own = GetConstantData(constant);
  return size_bytes == 0 ||
         (own != nullptr && data != nullptr && std::memcmp(own, data, size_bytes) == 0);
}

Graph MakeConstantsReleasable(Graph graph) {
  for (Layer& layer : graph.layers) {
    if (!layer.constant) continue;
    layer.constant = std::make_shared<ConstantContent>(*layer.constant);
    layer.constant->may_be_released = true;
  }
  return graph;
}

Graph MakeConstantsShared(Graph graph) {
  constexpr std::uint64_t kAlignmentBytes = 64;
  using Bytes = std::pair<const void*, std::uint64_t>;
  const auto find_bytes = [](const Layer& layer) {
    const bool has_any = layer.constant && layer.constant->data;
    return has_any ? Bytes(layer.constant->data.get(), layer.outputs.front().GetSizeBytes())
                   : Bytes();
  };
  std::map<Bytes, std::uint64_t> places;  // what several constants share is copied once
  std::uint64_t size_bytes = 0;
  for (const Layer& layer : graph.layers) {
    const Bytes bytes = find_bytes(layer);
    if (bytes.second == 0 || !places.emplace(bytes, size_bytes).second) continue;
    size_bytes += (bytes.second + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
  }
  if (size_bytes == 0) return graph;
  const std::shared_ptr<SharedArea> area = SharedArea::Make(size_bytes);
  for (Layer& layer : graph.layers) {
    const Bytes bytes = find_bytes(layer);
    if (bytes.second == 0) continue;
    std::byte* const place = area->GetData() + places.at(bytes);
    std::memcpy(place, bytes.first, bytes.second);
    layer.constant = std::make_shared<ConstantContent>(*layer.constant);
    layer.constant->data = std::shared_ptr<const void>(area, place);
  }
  area->ForbidWritingByOthers();
  return graph;
}

std::vector<const TensorInfo*> GetInputTensors(const Graph& graph, const Layer& layer) {
  std::vector<const TensorInfo*> tensors;
  tensors.reserve(layer.inputs.size());
  for (const OutputSlot input : layer.inputs) tensors.push_back(&GetTensor(graph, input));
  return tensors;
}

std::string DescribeLayer(const Layer& layer) {
  const std::string type = std::string(" (") + GetLayerTypeName(layer.type) + ")";
  if (layer.name.empty()) return "layer " + GetDisplayName(layer.name, layer.id) + type;
  return "layer \"" + EscapeForDisplay(layer.name) + "\"" + type;
}

std::string GetDisplayName(const std::string& name, LayerId id) {
  return name.empty() ? "#" + std::to_string(id) : EscapeForDisplay(name);
}

}  // namespace backplane
