#include "subgraphs/tensor_places.hpp"

#include <algorithm>
#include <utility>

namespace backplane {
namespace opencl {

TensorPlaces::TensorPlaces(const Graph& graph) : graph_(graph) {
  for (TensorNumber tensor = 0; tensor < graph.tensors.size(); ++tensor) {
    const GraphTensor& in_graph = graph.tensors[tensor];
    Place place;
    place.memory.size_bytes = in_graph.info->GetSizeBytes();
    place.memory.first_step = ~std::size_t{0};
    if (in_graph.constant != nullptr) {
      place.fixed = {StepTensor::Kind::kConstant, static_cast<std::uint32_t>(constants_.size())};
      constants_.push_back(in_graph.constant);
    }
    if (in_graph.as_input) place.fixed = {StepTensor::Kind::kInput, *in_graph.as_input};
    if (in_graph.as_output) place.fixed = {StepTensor::Kind::kOutput, *in_graph.as_output};
    tensors_.push_back({tensor, 0});
    places_.push_back(std::move(place));
  }
}

bool TensorPlaces::IsWhole(TensorNumber tensor) const {
  return places_[tensors_[tensor].number].memory.size_bytes ==
         graph_.tensors[tensor].info->GetSizeBytes();
}

bool TensorPlaces::Share(TensorNumber input, TensorNumber output) {
  Place& from = places_[tensors_[input].number];
  const Place& to = places_[tensors_[output].number];
  if (to.fixed && (from.fixed || !IsWhole(input))) return false;
  if (to.fixed) from.fixed = to.fixed;
  tensors_[output] = tensors_[input];
  return true;
}

bool TensorPlaces::PutInto(TensorNumber part, TensorNumber whole, std::uint64_t offset_bytes) {
  const std::uint32_t from = tensors_[part].number;
  const TensorPlace to = tensors_[whole];
  if (from == to.number || places_[from].fixed || !IsWhole(part)) return false;
  for (TensorPlace& tensor : tensors_) {
    if (tensor.number != from) continue;
    tensor.number = to.number;
    tensor.offset_bytes += to.offset_bytes + offset_bytes;
  }
  return true;
}

void TensorPlaces::Use(TensorNumber tensor, std::size_t step) {
  UsedMemory& memory = places_[tensors_[tensor].number].memory;
  memory.first_step = std::min(memory.first_step, step);
  memory.last_step = std::max(memory.last_step, step);
}

void TensorPlaces::PlaceAll(std::uint64_t alignment_bytes, WorkPlan& plan) {
  std::vector<UsedMemory> memories;
  for (Place& place : places_) {
    if (place.fixed || place.memory.first_step > place.memory.last_step) continue;
    place.fixed = {StepTensor::Kind::kIntermediate, static_cast<std::uint32_t>(memories.size())};
    memories.push_back(place.memory);
  }
  plan.intermediates = PlaceIntermediates(memories, alignment_bytes);
  plan.constants.resize(constants_.size());
}

StepTensor TensorPlaces::Find(TensorNumber tensor) const {
  const TensorPlace& place = tensors_[tensor];
  StepTensor found = *places_[place.number].fixed;
  found.offset_bytes = place.offset_bytes;
  return found;
}

}  // namespace opencl
}  // namespace backplane
