#include "loading/tensors_in_memory.hpp"

#include "loading/stage_values.hpp"
#include "tensors/copy_tensor.hpp"

#include <algorithm>
#include <utility>

namespace backplane::loading {
namespace {

/// A tensor at the beginning of larger memory.
MemoryView MakeViewInMemory(const TensorInfo& info, const TensorShape& memory, const void* data) {
  MemoryView view = MakeStageView({memory, info.data_type}, data);
  std::copy(info.shape.dims, info.shape.dims + info.shape.rank, view.dims);
  return view;
}

/// Whether one of them has this input, or output.
bool Has(const std::vector<GrowingTensor>& growing, LayerBindingId GrowingTensor::*side,
         LayerBindingId id) {
  return std::any_of(growing.begin(), growing.end(),
                     [&](const GrowingTensor& tensor) { return tensor.*side == id; });
}

}  // namespace

bool HaveMemoryShapes(const InputTensors& inputs, const OutputTensors& outputs) {
  const auto has = [](const auto& tensor) { return tensor.memory_shape.rank != 0; };
  return std::any_of(inputs.begin(), inputs.end(), has) ||
         std::any_of(outputs.begin(), outputs.end(), has);
}

std::vector<GrowingTensor> FindGrowing(const InputTensors& inputs, const OutputTensors& outputs) {
  std::vector<GrowingTensor> growing;
  for (const OutputTensor& output : outputs) {
    if (output.memory_shape.rank == 0 || output.use == MemoryUse::kCopy) continue;
    const auto lies_there = [&](const InputTensor& input) {
      return input.tensor.data == output.data && input.memory_shape == output.memory_shape &&
             input.use != MemoryUse::kCopy;
    };
    const auto input = std::find_if(inputs.begin(), inputs.end(), lies_there);
    const bool is_only = std::count_if(inputs.begin(), inputs.end(), lies_there) == 1;
    if (is_only && !Has(growing, &GrowingTensor::input, input->id)) {
      growing.push_back({input->id, output.id, output.memory_shape});
    }
  }
  return growing;
}

DenseTensors::DenseTensors(const InputTensors& inputs, const OutputTensors& outputs,
                           const std::vector<GrowingTensor>& growing, StageMemory& memory,
                           TransferLedger& ledger)
    : memory_(memory), ledger_(ledger), inputs_(inputs), outputs_(outputs) {
  for (InputTensor& input : inputs_) {
    if (input.memory_shape.rank == 0 || Has(growing, &GrowingTensor::input, input.id)) continue;
    const TensorShape shape = std::exchange(input.memory_shape, {});
    const TensorInfo& info = input.tensor.info;
    const std::uint64_t size_bytes = info.GetSizeBytes();
    if (size_bytes == 0) continue;
    kept_.push_back(memory_.Allocate(size_bytes));
    CopyTensor(MakeViewInMemory(info, shape, input.tensor.data),
               MakeStageView(info, kept_.back().get()));
    ledger_.CountCopy(BindingKind::kInput, input.id, size_bytes, CopyReason::kInLargerMemory);
    input.tensor.data = kept_.back().get();
  }
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (outputs_[i].memory_shape.rank == 0 || Has(growing, &GrowingTensor::output, outputs_[i].id))
      continue;
    outputs_[i].memory_shape = {};
    Copied& copied = copied_.emplace_back();
    copied.wanted = &outputs[i];
    outputs_[i].data = nullptr;
    outputs_[i].size_bytes = 0;
    outputs_[i].result = &copied.result;
  }
}

void DenseTensors::Deliver(const NetworkBindings& network) {
  for (const Copied& copied : copied_) {
    if (auto wrong = FindTooLarge(network, *copied.wanted, copied.result.info)) {
      throw DiagnosticException(std::move(*wrong));
    }
  }
  for (Copied& copied : copied_) {
    const OutputTensor& wanted = *copied.wanted;
    const TensorInfo& info = copied.result.info;
    const std::uint64_t size_bytes = info.GetSizeBytes();
    if (size_bytes != 0) {
      CopyTensor(MakeStageView(info, copied.result.data.get()),
                 MakeViewInMemory(info, wanted.memory_shape, wanted.data));
      ledger_.CountCopy(BindingKind::kOutput, wanted.id, size_bytes, CopyReason::kInLargerMemory);
    }
    *wanted.result = ResultTensor();
    wanted.result->info = info;
  }
}

}  // namespace backplane::loading
