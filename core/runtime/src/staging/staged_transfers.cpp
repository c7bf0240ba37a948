#include "staging/staged_transfers.hpp"

namespace backplane::staging {
namespace {

std::vector<BindingTransfers> MakeEmpty(const std::vector<OpenBinding>& bindings) {
  std::vector<BindingTransfers> empty;
  for (const OpenBinding& binding : bindings) {
    BindingTransfers transfers;
    transfers.id = binding.id;
    transfers.name = binding.name;
    empty.push_back(std::move(transfers));
  }
  return empty;
}

void AddOne(const BindingTransfers& one, BindingTransfers& sum) {
  sum.imported_runs += one.imported_runs;
  sum.copied_runs += one.copied_runs;
  sum.copied_bytes += one.copied_bytes;
  if (!one.reason.empty()) sum.reason = one.reason;
}

}  // namespace

StagedTransfers::StagedTransfers(const std::vector<OpenBinding>& inputs,
                                 const std::vector<OpenBinding>& outputs)
    : kept_{MakeEmpty(inputs), MakeEmpty(outputs)} {}

void StagedTransfers::Keep(const Plan& plan, const TransferReport& report) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Add(plan, report, kept_);
}

TransferReport StagedTransfers::GetKept() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return kept_;
}

void StagedTransfers::Add(const Plan& plan, const TransferReport& report, TransferReport& sum) {
  if (!plan.is_outermost) return;
  const NetworkStage& stage = plan.stage;
  for (const BindingTransfers& input : report.inputs) {
    const StageValueId id = stage.network_inputs[input.id];
    if (id < sum.inputs.size()) AddOne(input, sum.inputs[id]);
  }
  for (const BindingTransfers& output : report.outputs) {
    const StageValueId id = stage.network_outputs[output.id];
    for (std::size_t i = 0; i < stage.results.size(); ++i) {
      if (stage.results[i] == id) AddOne(output, sum.outputs[i]);
    }
  }
}

}  // namespace backplane::staging
