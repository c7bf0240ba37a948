#include "rules/tensors_in_one_block.hpp"

#include "harness/round_up.hpp"
#include "harness/session.hpp"

#include <algorithm>

namespace backplane::check_backend {

using conformance::StoredTensor;

TensorsInOneBlock::TensorsInOneBlock(Plugin& plugin, const TensorPlace& place,
                                     const Sample& sample) {
  const Kind& kind = place.GetKind();
  std::uint64_t size = 0;
  std::uint64_t alignment = 64;
  const auto plan = [&](const std::vector<TensorInfo>& infos) {
    for (const TensorInfo& info : infos) {
      const MemoryRequirements needed = AskRequirements(kind, info, sample.made.type);
      alignment = std::max(alignment, needed.alignment_bytes);
      offsets_.push_back(RoundUp(size, needed.alignment_bytes));
      size = offsets_.back() + needed.size_bytes;
    }
  };
  plan(sample.made.inputs);
  plan(sample.made.outputs);
  if (!kind.OwnsMemory()) {
    block_ = std::make_unique<KindBlock>(kind, MemoryRequirements{size, alignment, {}},
                                         "the block of all tensors");
  }
  const auto add = [&](const TensorInfo& info, const std::string& name) {
    const SharedPlace shared{block_.get(), offsets_[tensors_.size()]};
    tensors_.push_back(std::make_unique<KindTensor>(plugin, kind, place.GetReach(), info,
                                                    sample.made.type, name, shared));
  };
  for (const TensorInfo& info : sample.made.inputs) add(info, "an input");
  num_inputs_ = tensors_.size();
  for (const TensorInfo& info : sample.made.outputs) add(info, "an output");
  for (std::size_t i = num_inputs_; i < tensors_.size(); ++i) {
    tensors_[i]->Write(MakeGarbage(sample.made.outputs[i - num_inputs_]));
  }
  for (std::size_t i = 0; i < num_inputs_; ++i) tensors_[i]->Write(sample.inputs[i]);
}

Status TensorsInOneBlock::Run(const Running& running) const {
  std::vector<ITensorHandle*> handles;
  for (const auto& tensor : tensors_) handles.push_back(tensor->GetHandle());
  const auto begin_of_outputs = handles.begin() + static_cast<std::ptrdiff_t>(num_inputs_);
  return conformance::Execute(*running.workload, {handles.begin(), begin_of_outputs},
                              {begin_of_outputs, handles.end()}, running.state.get());
}

std::vector<StoredTensor> TensorsInOneBlock::ReadOutputs() const {
  std::vector<StoredTensor> results;
  for (std::size_t i = num_inputs_; i < tensors_.size(); ++i) {
    results.push_back(tensors_[i]->Read());
  }
  return results;
}

std::string TensorsInOneBlock::FindChangedInput(const Sample& sample) const {
  for (std::size_t i = 0; i < num_inputs_; ++i) {
    if (tensors_[i]->Read().bytes != sample.inputs[i].bytes) {
      return "input " + std::to_string(i) + " does not hold any more what was written there";
    }
  }
  return "";
}

std::string TensorsInOneBlock::DescribeDamage() const {
  std::string damage = block_ != nullptr ? block_->DescribeDamage() : "";
  for (const auto& tensor : tensors_) {
    if (damage.empty()) damage = tensor->DescribeDamage();
  }
  return damage;
}

bool IsRightAfresh(Session& session, const TensorPlace& place, const Sample& sample) {
  const TensorsInOneBlock tensors(session.GetPlugin(), place, sample);
  const Running running = place.MakeRunning(sample.made);
  return tensors.Run(running) == Status::kSuccess &&
         FindWrongResult(sample, tensors.ReadOutputs()).empty();
}

}  // namespace backplane::check_backend
