#include "placement/shared_memory.hpp"

#include <algorithm>
#include <utility>

namespace backplane {

SharedMemory::SharedMemory(BridgedNetwork& network)
    : network_(network),
      numbers_(network.graph),
      readers_(numbers_.GetCount()),
      shown_(numbers_.GetCount()),
      inside_(numbers_.GetCount()),
      bound_in_(numbers_.GetCount(), kNowhere),
      alignments_(numbers_.GetCount()),
      traits_(numbers_.GetCount()) {
  for (std::uint32_t tensor = 0; tensor < numbers_.GetCount(); ++tensor) {
    inside_[tensor] = {tensor, 0};
    alignments_[tensor] = network.requirements[tensor].alignment_bytes;
  }
  for (const Layer& layer : network.graph.layers) {
    for (const OutputSlot input : layer.inputs) readers_[numbers_.Get(input)].push_back(layer.id);
    for (std::uint32_t index = 0; index < layer.outputs.size(); ++index) {
      const OutputSlot output{layer.id, index};
      shown_[numbers_.Get(output)] =
          IsShownAsView(layer.id) ? shown_[numbers_.Get(layer.inputs[0])] : output;
    }
    if (IsShownAsView(layer.id)) AddView(layer);
  }
  FindWhoReadsBytes();
}

void SharedMemory::AddView(const Layer& layer) {
  const std::uint32_t view = numbers_.Get({layer.id, 0});
  const std::uint32_t source = numbers_.Get(layer.inputs[0]);
  inside_[view] = {source, 0};
  traits_[source].has_bound_inside = true;
  BindInside(view, source);
}

// Views come behind what they show.
void SharedMemory::FindWhoReadsBytes() {
  const std::vector<Layer>& layers = network_.graph.layers;
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
    for (const OutputSlot input : layer->inputs) {
      Traits& read = traits_[numbers_.Get(input)];
      if (IsShownAsView(layer->id)) {
        const Traits& view = traits_[numbers_.Get({layer->id, 0})];
        read.is_read_by_output = read.is_read_by_output || view.is_read_by_output;
        read.is_read_by_import = read.is_read_by_import || view.is_read_by_import;
      } else {
        read.is_read_by_output = read.is_read_by_output || layer->type == LayerType::kOutput;
        read.is_read_by_import = read.is_read_by_import || layer->type == LayerType::kImport;
      }
    }
  }
}

void SharedMemory::Add(OutputSlot part, OutputSlot parent, const PartGeometry& geometry,
                       bool is_sub_tensor) {
  TensorPart added;
  added.tensor = numbers_.Get(part);
  added.parent = numbers_.Get(parent);
  added.origin = geometry.origin;
  added.offset_bytes = geometry.offset_bytes;
  added.is_sub_tensor = is_sub_tensor;
  inside_[added.tensor] = {added.parent, added.offset_bytes};
  if (!is_sub_tensor) {
    traits_[added.parent].has_bound_inside = true;
    BindInside(added.tensor, added.parent);
  }
  network_.part_of_tensor[added.tensor] = static_cast<std::uint32_t>(network_.parts.size());
  network_.parts.push_back(std::move(added));
}

// Alignments are powers of two, so that each is raised a few times at the most.
void SharedMemory::BindInside(std::uint32_t tensor, std::uint32_t parent) {
  bound_in_[tensor] = parent;
  const std::uint64_t alignment = alignments_[tensor];
  for (; parent != kNowhere && alignments_[parent] < alignment; parent = bound_in_[parent]) {
    alignments_[parent] = alignment;
  }
}

// What was followed once is a shortcut from then on. What a tensor lies in can come to lie in
// another one later.
std::uint64_t SharedMemory::GetOffset(OutputSlot slot) const {
  const auto is_inside = [this](std::uint32_t one) { return inside_[one].tensor != one; };
  std::vector<std::uint32_t> path;
  std::uint32_t tensor = numbers_.Get(slot);
  for (; is_inside(tensor); tensor = inside_[tensor].tensor) path.push_back(tensor);
  std::uint64_t offset_bytes = 0;
  for (; !path.empty(); path.pop_back()) {
    offset_bytes += inside_[path.back()].offset_bytes;
    inside_[path.back()] = {tensor, offset_bytes};
  }
  return offset_bytes;
}

}  // namespace backplane
