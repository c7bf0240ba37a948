#include "execution/transfer_counters.hpp"

namespace backplane {

void BindingCounter::AddTo(BindingTransfers& transfers) const {
  transfers.imported_runs += imported_runs_.load(std::memory_order_relaxed);
  transfers.copied_runs += copied_runs_.load(std::memory_order_relaxed);
  transfers.copied_bytes += copied_bytes_.load(std::memory_order_relaxed);
  const CopyReason reason = reason_.load(std::memory_order_relaxed);
  if (reason != CopyReason::kNone) transfers.reason = GetReasonText(reason);
}

std::shared_ptr<TransferCounters> TransferLedger::Open(std::size_t num_inputs,
                                                       std::size_t num_outputs) {
  auto counters = std::make_shared<TransferCounters>(num_inputs, num_outputs);
  const std::lock_guard<std::mutex> lock(mutex_);
  opened_.push_back(counters);
  return counters;
}

void TransferLedger::AddTo(TransferReport& report) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& counters : opened_) {
    for (std::size_t i = 0; i < report.inputs.size(); ++i) {
      counters->inputs[i].AddTo(report.inputs[i]);
    }
    for (std::size_t i = 0; i < report.outputs.size(); ++i) {
      counters->outputs[i].AddTo(report.outputs[i]);
    }
  }
}

}  // namespace backplane
