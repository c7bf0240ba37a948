#include "runtime/staged_networks.hpp"

#include <algorithm>
#include <utility>

namespace backplane {
namespace {

using staging::Plan;

/// Calls `visit` with each plan whose network is loaded, and that network.
template <typename Visit>
void ForEachLoaded(const StagedNetworks::Entry& entry, const NetworkTable& table,
                   const Visit& visit) {
  entry.network->ForEachPlan([&](const Plan& plan) {
    const NetworkTable::Use loaded = table.Find(plan.network);
    if (loaded) visit(plan, *loaded);
  });
}

void AddStages(const StagedNetworks::Entry& entry, const NetworkTable& table, const Plan& plan,
               PlanReport& report) {
  StageReport stage;
  const NetworkTable::Use loaded = table.Find(plan.network);
  if (loaded) {
    stage.placement = (*loaded).GetParts().placement;
    stage.memory = (*loaded).GetMemoryReport();
  }
  for (const StageStep& step : plan.stage.steps) {
    stage.operations.push_back(step.operation->GetDescription());
  }
  if (loaded || !stage.operations.empty()) report.stages.push_back(std::move(stage));
  for (const auto& next : entry.network->GetNext(plan)) AddStages(entry, table, *next, report);
}

}  // namespace

void StagedNetworks::Add(NetworkId id, Entry entry) {
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  entries_.emplace(id, std::move(entry));
}

StagedNetworks::Entry StagedNetworks::Find(NetworkId id) const {
  const std::shared_lock<std::shared_mutex> lock(mutex_);
  const auto found = entries_.find(id);
  return found != entries_.end() ? found->second : Entry();
}

void StagedNetworks::Remove(NetworkId id) {
  Entry removed;  // goes without the lock
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  const auto found = entries_.find(id);
  if (found == entries_.end()) return;
  removed = std::move(found->second);
  entries_.erase(found);
}

std::vector<NetworkId> StagedNetworks::GetIds() const {
  const std::shared_lock<std::shared_mutex> lock(mutex_);
  std::vector<NetworkId> ids;
  for (const auto& [id, entry] : entries_) ids.push_back(id);
  return ids;
}

// Constants are shared by plans, as far as backends can.
MemoryReport AddUpMemory(const StagedNetworks::Entry& entry, const NetworkTable& table) {
  MemoryReport sum;
  ForEachLoaded(entry, table, [&](const Plan& /*plan*/, const LoadedNetwork& network) {
    const MemoryReport& report = network.GetMemoryReport();
    sum.arena_bytes += report.arena_bytes;
    sum.lower_bound_bytes += report.lower_bound_bytes;
    sum.constants_bytes = std::max(sum.constants_bytes, report.constants_bytes);
    sum.arenas.insert(sum.arenas.end(), report.arenas.begin(), report.arenas.end());
    if (sum.packed_constants.size() < report.packed_constants.size()) {
      sum.packed_constants = report.packed_constants;
    }
  });
  return sum;
}

TransferReport AddUpTransfers(const StagedNetworks::Entry& entry, const NetworkTable& table) {
  TransferReport sum = entry.transfers->GetKept();
  ForEachLoaded(entry, table, [&](const Plan& plan, const LoadedNetwork& network) {
    staging::StagedTransfers::Add(plan, network.GetTransferReport(), sum);
  });
  return sum;
}

CheckReport AddUpChecks(const StagedNetworks::Entry& entry, const NetworkTable& table) {
  CheckReport sum;
  ForEachLoaded(entry, table, [&](const Plan& /*plan*/, const LoadedNetwork& network) {
    CheckReport report = network.GetCheckReport();
    sum.checks |= report.checks;
    sum.num_runs += report.num_runs;
    std::move(report.findings.begin(), report.findings.end(), std::back_inserter(sum.findings));
    std::move(report.unchecked.begin(), report.unchecked.end(), std::back_inserter(sum.unchecked));
  });
  return sum;
}

std::vector<PlanReport> DescribePlans(const StagedNetworks::Entry& entry,
                                      const NetworkTable& table) {
  std::vector<PlanReport> reports;
  for (const auto& plan : entry.network->GetFirstPlans()) {
    PlanReport report;
    report.input_shapes = plan->input_shapes;
    report.num_runs = plan->num_runs;
    AddStages(entry, table, *plan, report);
    reports.push_back(std::move(report));
  }
  return reports;
}

}  // namespace backplane
