#include "execution/transfer_counters.hpp"

#include <algorithm>
#include <numeric>
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

std::vector<std::uint32_t> NumberAll(std::size_t count) {
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

template <typename Total>
void AddAll(const std::vector<BindingCounter>& counters, const std::vector<std::uint32_t>& places,
            std::vector<Total>& totals) {
  for (std::size_t i = 0; i < counters.size(); ++i) {
    if (places[i] != kBetweenStages) counters[i].AddTo(totals[places[i]]);
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

void BindingCounter::AddTo(BindingCounter& total) const {
  Add(total.imported_runs_, imported_runs_.load(std::memory_order_relaxed));
  Add(total.copied_runs_, copied_runs_.load(std::memory_order_relaxed));
  Add(total.copied_bytes_, copied_bytes_.load(std::memory_order_relaxed));
  const CopyReason reason = GetReason();
  if (reason != CopyReason::kNone) total.reason_.store(reason, std::memory_order_relaxed);
}

TransferCounters::TransferCounters(BindingPlaces of_stage)
    : places(std::move(of_stage)), inputs(places.inputs.size()), outputs(places.outputs.size()) {}

TransferLedger::TransferLedger(const std::vector<NetworkBinding>& inputs,
                               const std::vector<NetworkBinding>& outputs)
    : none_{MakeTransfers(inputs), MakeTransfers(outputs)},
      gone_({NumberAll(inputs.size()), NumberAll(outputs.size())}) {}

void TransferLedger::Close::operator()(TransferCounters* counters) const noexcept {
  const std::unique_ptr<TransferCounters> owner(counters);
  const std::lock_guard<std::mutex> lock(ledger->mutex_);
  AddAll(counters->inputs, counters->places.inputs, ledger->gone_.inputs);
  AddAll(counters->outputs, counters->places.outputs, ledger->gone_.outputs);
  auto& opened = ledger->opened_;
  opened.erase(std::find(opened.begin(), opened.end(), counters));
}

TransferLedger::Opened TransferLedger::Open(const BindingPlaces& places) {
  auto counters = std::make_unique<TransferCounters>(places);
  const std::lock_guard<std::mutex> lock(mutex_);
  opened_.push_back(counters.get());
  return {counters.release(), {this}};
}

void TransferLedger::CountCopy(BindingKind kind, LayerBindingId binding, std::uint64_t size_bytes,
                               CopyReason reason) {
  const std::lock_guard<std::mutex> lock(mutex_);
  (kind == BindingKind::kInput ? gone_.inputs : gone_.outputs)[binding].CountCopy(size_bytes,
                                                                                  reason);
}

TransferReport TransferLedger::GetReport() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  TransferReport report = none_;
  AddAll(gone_, report);
  for (const TransferCounters* const counters : opened_) AddAll(*counters, report);
  return report;
}

}  // namespace backplane
