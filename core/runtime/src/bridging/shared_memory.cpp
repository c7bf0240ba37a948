#include "bridging/shared_memory.hpp"

#include <algorithm>
#include <utility>

namespace backplane {

SharedMemory::SharedMemory(BridgedNetwork& network)
    : network_(network),
      numbers_(network.graph),
      readers_(numbers_.GetCount()),
      bound_parts_in_(numbers_.GetCount()) {
  for (const Layer& layer : network.graph.layers) {
    for (const OutputSlot input : layer.inputs) readers_[numbers_.Get(input)].push_back(layer.id);
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
  if (!is_sub_tensor) bound_parts_in_[added.parent].push_back(part);
  network_.part_of_tensor[added.tensor] = static_cast<std::uint32_t>(network_.parts.size());
  network_.parts.push_back(std::move(added));
  parents_.push_back(parent);
}

std::vector<LayerId> SharedMemory::FindReadersOfBytes(OutputSlot slot) const {
  std::vector<LayerId> found;
  for (const LayerId reader : GetReaders(slot)) {
    if (!IsShownAsView(reader)) {
      found.push_back(reader);
      continue;
    }
    const std::vector<LayerId> of_view = FindReadersOfBytes({reader, 0});
    found.insert(found.end(), of_view.begin(), of_view.end());
  }
  return found;
}

OutputSlot SharedMemory::FollowViews(OutputSlot slot) const {
  while (IsShownAsView(slot.layer)) slot = network_.graph.layers[slot.layer].inputs[0];
  return slot;
}

std::uint64_t SharedMemory::GetOffset(OutputSlot slot) const {
  std::uint64_t offset_bytes = 0;
  slot = FollowViews(slot);
  while (IsPart(slot)) {
    const std::uint32_t part = network_.part_of_tensor[numbers_.Get(slot)];
    offset_bytes += network_.parts[part].offset_bytes;
    slot = FollowViews(parents_[part]);
  }
  return offset_bytes;
}

std::uint64_t SharedMemory::FindAlignment(OutputSlot slot) const {
  std::uint64_t alignment = network_.requirements[numbers_.Get(slot)].alignment_bytes;
  for (const LayerId reader : GetReaders(slot)) {
    if (IsShownAsView(reader)) alignment = std::max(alignment, FindAlignment({reader, 0}));
  }
  for (const OutputSlot part : bound_parts_in_[numbers_.Get(slot)]) {
    alignment = std::max(alignment, FindAlignment(part));
  }
  return alignment;
}

bool SharedMemory::IsPart(OutputSlot slot) const {
  return network_.part_of_tensor[numbers_.Get(slot)] != kNoPart;
}

bool SharedMemory::IsSubTensor(OutputSlot slot) const {
  const std::uint32_t part = network_.part_of_tensor[numbers_.Get(slot)];
  return part != kNoPart && network_.parts[part].is_sub_tensor;
}

bool SharedMemory::HasBoundInside(OutputSlot slot) const {
  const std::vector<LayerId>& readers = GetReaders(slot);
  return !bound_parts_in_[numbers_.Get(slot)].empty() ||
         std::any_of(readers.begin(), readers.end(),
                     [this](LayerId reader) { return IsShownAsView(reader); });
}

}  // namespace backplane
