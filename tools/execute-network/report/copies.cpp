#include "report/report.hpp"

namespace backplane::execute_network {
namespace {

std::string GetEnd(const std::string& backend_id) {
  return backend_id.empty() ? "application" : backend_id;
}

std::string GetSource(const PlacedTransfer& transfer) {
  return transfer.layer.empty() ? "#" + std::to_string(transfer.from) : transfer.layer;
}

/// "" for a step that copies nothing, that another transfer counts, or that the runs tell of.
std::string GetStrategy(const TransferStep& step) {
  const bool is_of_application = step.from_factory.empty() || step.to_factory.empty();
  if (is_of_application || step.is_shared) return "";
  switch (step.strategy) {
    case TransferStrategy::kImport:
      return "";
    case TransferStrategy::kDeviceCopy:
      return "device copy";
    case TransferStrategy::kMapCopy:
      return "map and copy";
  }
  return "";
}

void AddPlanned(const PlacedTransfer& transfer, std::vector<CopyReport>& copies) {
  for (const TransferStep& step : transfer.steps) {
    const std::string strategy = GetStrategy(step);
    if (strategy.empty()) continue;
    copies.push_back({GetSource(transfer) + " -> " + GetEnd(transfer.to_backend), strategy,
                      step.bytes, transfer.reason});
  }
}

void AddOfApplication(const BindingTransfers& binding, const std::string& edge,
                      std::vector<CopyReport>& copies) {
  if (binding.copied_runs == 0) return;
  copies.push_back({edge, "copy", binding.copied_bytes / binding.copied_runs, binding.reason});
}

}  // namespace

std::vector<CopyReport> CollectCopies(const Placement& placement,
                                      const TransferReport& memory_use) {
  std::vector<CopyReport> copies;
  for (const BindingTransfers& input : memory_use.inputs) {
    AddOfApplication(input, "application -> " + input.name, copies);
  }
  for (const PlacedTransfer& transfer : placement.transfers) AddPlanned(transfer, copies);
  for (const BindingTransfers& output : memory_use.outputs) {
    AddOfApplication(output, output.name + " -> application", copies);
  }
  return copies;
}

}  // namespace backplane::execute_network
