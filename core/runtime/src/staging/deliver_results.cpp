#include "staging/deliver_results.hpp"

#include "execution/binding_failures.hpp"

#include <backplane/host/diagnostic.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace backplane::staging {
namespace {

std::shared_ptr<void> CopyData(const StageValue& value, StageMemory& memory) {
  const std::uint64_t size_bytes = value.info.GetSizeBytes();
  std::shared_ptr<void> data = memory.Allocate(size_bytes);
  if (size_bytes != 0) std::memcpy(data.get(), value.data.get(), size_bytes);
  return data;
}

/// The value with memory of its own in place of what it has only borrowed, which nobody may be
/// given: what the application gave is never an input of what is made outside of the runtime.
StageValue CopyBorrowed(const StageValue& value, StageMemory& memory) {
  StageValue copy = value;
  for (StageValue& element : copy.elements) element = CopyBorrowed(element, memory);
  const bool is_borrowed = value.data != nullptr && value.data.use_count() == 0;
  if (is_borrowed) copy.data = CopyData(value, memory);
  return copy;
}

/// The same for what the application is given, which may write to a tensor: that gets memory of its
/// own also where somebody else has a share in it.
StageValue CopyShared(const StageValue& value, StageMemory& memory) {
  const bool is_shared = value.data != nullptr && value.data.use_count() > 1;
  if (!is_shared) return CopyBorrowed(value, memory);
  return MakeStageTensor(value.info, CopyData(value, memory));
}

void RequireMayCopy(const std::string& network, const OutputTensor& wanted) {
  if (wanted.use != MemoryUse::kImport) return;
  Diagnostic refused =
      DescribeRefused(BindingKind::kOutput, wanted.id, CopyReason::kBetweenStages);
  refused.subject = {SubjectKind::kNetwork, network};
  throw DiagnosticException(std::move(refused));
}

void DeliverTensor(const NetworkBindings& network, StageValue& result, const OutputTensor& wanted,
                   TransferLedger& ledger) {
  const std::uint64_t size_bytes = result.info.GetSizeBytes();
  const bool is_allocated = wanted.data == nullptr && wanted.result != nullptr;
  if (wanted.result != nullptr) wanted.result->info = result.info;
  if (is_allocated) {
    // Nobody else writes to it any more.
    wanted.result->data = std::const_pointer_cast<void>(result.data);
  } else if (size_bytes != 0 && wanted.data != result.data.get()) {
    RequireMayCopy(network.network, wanted);
    std::memmove(wanted.data, result.data.get(), size_bytes);
    ledger.CountDelivery(wanted.id, size_bytes, CopyReason::kBetweenStages);
  }
  if (network.outputs[wanted.id].IsTensor()) return;
  const std::shared_ptr<const void> room(std::shared_ptr<void>(), wanted.data);
  wanted.result->value = MakeStageTensor(result.info, is_allocated ? result.data : room);
}

}  // namespace

std::vector<GivenInput> TakeInputs(const NetworkBindings& network, const InputTensors& inputs) {
  std::vector<GivenInput> given(network.inputs.size());
  for (const InputTensor& input : inputs) {
    given[input.id] = {GetGivenValue(input), input.use, input.imported};
  }
  return given;
}

std::vector<WantedOutput> TakeOutputs(const NetworkBindings& network,
                                      const OutputTensors& outputs) {
  std::vector<WantedOutput> wanted(network.outputs.size());
  for (const OutputTensor& output : outputs) {
    wanted[output.id] = {output.data, output.size_bytes, output.use, output.imported,
                         output.result != nullptr};
  }
  return wanted;
}

void Deliver(const NetworkBindings& network, std::vector<StageValue> results,
             const OutputTensors& wanted, StageMemory& memory, TransferLedger& ledger) {
  if (auto wrong = FindWrongResults(network, results, wanted)) {
    throw DiagnosticException(std::move(*wrong));
  }
  for (const OutputTensor& output : wanted) {
    StageValue& result = results[output.id];
    if (output.data == nullptr) result = CopyShared(result, memory);
  }
  for (const OutputTensor& output : wanted) {
    StageValue& result = results[output.id];
    if (output.imported != kNotImported) {
      if (output.result != nullptr) output.result->info = result.info;
    } else if (result.kind == StageValue::Kind::kTensor) {
      DeliverTensor(network, result, output, ledger);
    } else {
      *output.result = ResultTensor();
      output.result->value = std::move(result);
    }
  }
}

}  // namespace backplane::staging
