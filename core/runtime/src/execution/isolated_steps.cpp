#include "execution/isolated_steps.hpp"

#include <algorithm>
#include <utility>

namespace backplane {

namespace {

void MarkShared(std::vector<PlannedBinding>& bindings, const std::vector<std::uint8_t>& is_used) {
  for (PlannedBinding& binding : bindings) {
    for (const BoundMember& member : binding.members) {
      binding.must_be_shared =
          binding.must_be_shared ||
          std::any_of(member.operands.begin(), member.operands.end(),
                      [&](std::uint32_t operand) { return is_used[operand] != 0; });
    }
  }
}

}  // namespace

IsolatedSteps FindIsolatedSteps(std::vector<std::shared_ptr<IsolatedProcess>> processes,
                                const KindTable& table, ExecutionPlan& plan) {
  IsolatedSteps isolated;
  const bool has_any = std::any_of(processes.begin(), processes.end(),
                                   [](const auto& one) { return one != nullptr; });
  if (!has_any) return isolated;
  isolated.processes = std::move(processes);
  std::vector<std::uint8_t> is_used(plan.operands.size(), 0);
  for (const PlannedStep& step : plan.steps) {
    IsolatedProcess* const process =
        step.backend == kCoreBackend ? nullptr : isolated.processes[step.backend].get();
    isolated.of_step.push_back(process);
    if (process == nullptr) continue;
    const auto begin = is_used.begin() + step.first_operand;
    std::fill(begin, begin + step.num_inputs + step.num_outputs, std::uint8_t{1});
  }
  const auto mark = [&](std::vector<PlannedBinding>& bindings) {
    MarkShared(bindings, is_used);
    for (PlannedBinding& binding : bindings) {
      if (binding.kind == kNoKind) continue;
      const std::uint32_t owner = table.kinds[binding.kind].owner;
      const bool is_away = owner != kCoreBackend && isolated.processes[owner] != nullptr;
      const bool imports = binding.reason == CopyReason::kNone &&
                           (binding.import_sources & ToFlags(MemorySource::kMalloc)) != 0;
      binding.is_staged = is_away && imports;
    }
  };
  mark(plan.inputs);
  mark(plan.outputs);
  return isolated;
}

}  // namespace backplane
