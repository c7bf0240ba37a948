#include "execution/transfer_counters.hpp"

#include <algorithm>
#include <utility>

namespace backplane {

namespace {

std::vector<BindingTransfers> MakeTransfers(const std::vector<NetworkBinding>& bindings) {
  std::vector<BindingTransfers> transfers;
  for (const NetworkBinding& binding : bindings) {
    transfers.push_back({binding.id, binding.name, 0, 0, 0, ""});
  }
  return transfers;
}

void AddAll(const std::vector<BindingCounter>& counters, const std::vector<std::uint32_t>& places,
            std::vector<BindingTransfers>& transfers) {
  for (std::size_t i = 0; i < counters.size(); ++i) {
    if (places[i] != kBetweenStages) counters[i].AddTo(transfers[places[i]]);
  }
}

void AddAll(const TransferCounters& counters, TransferReport& report) {
  AddAll(counters.inputs, counters.places.inputs, report.inputs);
  AddAll(counters.outputs, counters.places.outputs, report.outputs);
}

}  // namespace

void BindingCounter::AddTo(BindingTransfers& transfers) const {
  transfers.imported_runs += imported_runs_.load(std::memory_order_relaxed);
  transfers.copied_runs += copied_runs_.load(std::memory_order_relaxed);
  transfers.copied_bytes += copied_bytes_.load(std::memory_order_relaxed);
  const CopyReason reason = reason_.load(std::memory_order_relaxed);
  if (reason != CopyReason::kNone) transfers.reason = GetReasonText(reason);
}

TransferCounters::TransferCounters(BindingPlaces of_stage)
    : places(std::move(of_stage)), inputs(places.inputs.size()), outputs(places.outputs.size()) {}

TransferLedger::TransferLedger(const std::vector<NetworkBinding>& inputs,
                               const std::vector<NetworkBinding>& outputs)
    : gone_{MakeTransfers(inputs), MakeTransfers(outputs)} {}

std::shared_ptr<TransferCounters> TransferLedger::Open(const BindingPlaces& places) {
  auto counters = std::make_shared<TransferCounters>(places);
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto is_gone = [this](const std::shared_ptr<TransferCounters>& opened) {
    if (opened.use_count() != 1) return false;
    std::atomic_thread_fence(std::memory_order_acquire);  // after what its last run counted
    AddAll(*opened, gone_);
    return true;
  };
  opened_.erase(std::remove_if(opened_.begin(), opened_.end(), is_gone), opened_.end());
  opened_.push_back(counters);
  return counters;
}

void TransferLedger::CountDelivery(LayerBindingId output, std::uint64_t size_bytes,
                                   CopyReason reason) {
  const std::lock_guard<std::mutex> lock(mutex_);
  BindingTransfers& transfers = gone_.outputs[output];
  ++transfers.copied_runs;
  transfers.copied_bytes += size_bytes;
  transfers.reason = GetReasonText(reason);
}

TransferReport TransferLedger::GetReport() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  TransferReport report = gone_;
  for (const auto& counters : opened_) AddAll(*counters, report);
  return report;
}

}  // namespace backplane
