#include "folding/evaluation.hpp"

#include "folding/folding.hpp"
#include "tensors/aligned_memory.hpp"

#include <backplane/reference/kernel.hpp>

#include <algorithm>
#include <utility>

namespace backplane::onnx {
namespace {

// Of the layers that are computed here, Split alone has not as many for each.
std::uint32_t CountOutputs(LayerType type, const BaseDescriptor& descriptor) {
  if (type == LayerType::kSplit) return CopyDescriptor<SplitDescriptor>(descriptor).num_parts;
  return FindLayerTypeInfo(type)->min_outputs;
}

bool HasElements(const reference::Layer& layer) {
  return std::any_of(layer.outputs, layer.outputs + layer.num_outputs,
                     [](const TensorInfo* info) { return info->GetSizeBytes() > 0; });
}

void Run(const reference::Layer& layer, const MemoryBudget& budget,
         const reference::PlainMemory& memory) {
  const auto kernel = reference::MakeKernel(layer);
  const std::uint64_t scratch_bytes = kernel->GetScratchBytes();
  RequireAtMost(budget, scratch_bytes, MemoryBudget::kMaxBytes);
  const auto scratch = scratch_bytes > 0 ? AllocateAligned(scratch_bytes) : nullptr;
  if (!scratch && scratch_bytes > 0) throw NotFolded{};
  kernel->Run(reference::RunTensors(memory, layer.num_inputs, scratch.get()));
}

}  // namespace

void Evaluation::SeeConstant(LayerId layer, const std::shared_ptr<const void>& data) {
  Keep(layer, {data});
}

void Evaluation::SeeOperator(LayerId id, LayerType type, const BaseDescriptor& descriptor,
                             const std::vector<OutputSlot>& inputs) {
  reference::Layer layer;
  layer.type = type;
  layer.descriptor = &descriptor;
  layer.num_inputs = static_cast<std::uint32_t>(inputs.size());
  layer.num_outputs = CountOutputs(type, descriptor);
  std::vector<const TensorInfo*> infos;
  infos.reserve(inputs.size() + layer.num_outputs);
  for (const OutputSlot& slot : inputs) infos.push_back(&network_.GetTensorInfo(slot));
  for (std::uint32_t index = 0; index < layer.num_outputs; ++index) {
    infos.push_back(&network_.GetTensorInfo({id, index}));
  }
  layer.inputs = infos.data();
  layer.outputs = infos.data() + inputs.size();
  if (!reference::FindRefusal(layer).empty()) throw NotFolded{};
  reference::PlainMemory memory;
  for (const OutputSlot& slot : inputs) memory.inputs.push_back(Find(slot).get());
  Data results;
  for (std::uint32_t index = 0; index < layer.num_outputs; ++index) {
    auto result = AllocateResult(budget_, layer.Output(index).GetSizeBytes());
    memory.outputs.push_back(result.get());
    results.push_back(std::move(result));
  }
  CountReading(layer);
  if (HasElements(layer)) Run(layer, budget_, memory);
  Keep(id, std::move(results));
}

std::shared_ptr<const void> Evaluation::Find(OutputSlot slot) const {
  return slot.layer < data_.size() && slot.index < data_[slot.layer].size()
             ? data_[slot.layer][slot.index]
             : nullptr;
}

void Evaluation::Keep(LayerId layer, Data data) {
  if (data_.size() <= layer) data_.resize(layer + 1);
  data_[layer] = std::move(data);
}

void Evaluation::CountReading(const reference::Layer& layer) {
  for (std::uint32_t index = 0; index < layer.num_inputs; ++index) {
    const bool is_whole = inputs_ == FoldedInputs::kValues;
    if (is_whole && !budget_.TakeReading(layer.Input(index).GetSizeBytes())) throw NotFolded{};
  }
}

}  // namespace backplane::onnx
