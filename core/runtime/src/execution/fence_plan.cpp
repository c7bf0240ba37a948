#include "execution/fence_plan.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace backplane {
namespace {

/// Who used the bytes of one block last, while a plan goes through the steps of a run.
class ByteUses {
 public:
  static constexpr std::uint32_t kNobody = 0xffffffffU;
  /// As many readers of the same bytes stand beside each other. The next one comes after them, so
  /// that who writes there later has few to wait for.
  static constexpr std::size_t kMaxReaders = 32;

  /// Adds those that a reader comes after to `found`.
  void FindForRead(std::uint64_t begin, std::uint64_t end, std::vector<std::uint32_t>& found) const;

  /// Adds those that a writer comes after to `found`.
  void FindForWrite(std::uint64_t begin, std::uint64_t end,
                    std::vector<std::uint32_t>& found) const;

  void Read(std::uint64_t begin, std::uint64_t end, std::uint32_t step);

  /// `step` is kNobody for one that has finished when the next one begins.
  void Write(std::uint64_t begin, std::uint64_t end, std::uint32_t step);

 private:
  struct Use {
    std::uint64_t end = 0;
    std::uint32_t writer = kNobody;
    std::vector<std::uint32_t> readers;  // since it was written
  };
  using Uses = std::map<std::uint64_t, Use>;  // by their begin; none overlap

  template <typename Take>
  void ForEach(std::uint64_t begin, std::uint64_t end, const Take& take) const;
  void SplitAt(std::uint64_t at);
  void FillGaps(std::uint64_t begin, std::uint64_t end);

  Uses uses_;
};

template <typename Take>
void ByteUses::ForEach(std::uint64_t begin, std::uint64_t end, const Take& take) const {
  auto use = uses_.upper_bound(begin);
  if (use != uses_.begin() && std::prev(use)->second.end > begin) --use;
  for (; use != uses_.end() && use->first < end; ++use) take(use->second);
}

void ByteUses::FindForRead(std::uint64_t begin, std::uint64_t end,
                           std::vector<std::uint32_t>& found) const {
  ForEach(begin, end, [&found](const Use& use) {
    if (use.writer != kNobody) found.push_back(use.writer);
    if (use.readers.size() < kMaxReaders) return;
    found.insert(found.end(), use.readers.begin(), use.readers.end());
  });
}

void ByteUses::FindForWrite(std::uint64_t begin, std::uint64_t end,
                            std::vector<std::uint32_t>& found) const {
  ForEach(begin, end, [&found](const Use& use) {
    if (use.writer != kNobody) found.push_back(use.writer);
    found.insert(found.end(), use.readers.begin(), use.readers.end());
  });
}

void ByteUses::Read(std::uint64_t begin, std::uint64_t end, std::uint32_t step) {
  if (begin == end) return;
  SplitAt(begin);
  SplitAt(end);
  FillGaps(begin, end);
  for (auto use = uses_.find(begin); use != uses_.end() && use->first < end; ++use) {
    std::vector<std::uint32_t>& readers = use->second.readers;
    if (readers.size() >= kMaxReaders) readers.clear();
    readers.push_back(step);
  }
}

void ByteUses::Write(std::uint64_t begin, std::uint64_t end, std::uint32_t step) {
  if (begin == end) return;
  SplitAt(begin);
  SplitAt(end);
  uses_.erase(uses_.lower_bound(begin), uses_.lower_bound(end));
  if (step != kNobody) uses_[begin] = {end, step, {}};
}

void ByteUses::SplitAt(std::uint64_t at) {
  const auto next = uses_.upper_bound(at);
  if (next == uses_.begin()) return;
  const auto use = std::prev(next);
  if (use->first == at || use->second.end <= at) return;
  uses_.emplace_hint(next, at, use->second);
  use->second.end = at;
}

void ByteUses::FillGaps(std::uint64_t begin, std::uint64_t end) {
  auto use = uses_.lower_bound(begin);
  while (begin < end) {
    const std::uint64_t next = use != uses_.end() ? std::min(use->first, end) : end;
    if (begin < next) uses_.emplace_hint(use, begin, Use{next, kNobody, {}});
    if (next == end) return;
    begin = use->second.end;
    ++use;
  }
}

class FencePlanner {
 public:
  FencePlanner(const ExecutionPlan& plan, std::vector<StepCompletion> completions)
      : plan_(plan), has_finished_(plan.steps.size()), seen_by_(plan.steps.size(), kNoStep) {
    fences_.completions = std::move(completions);
    fences_.num_fences = static_cast<std::uint32_t>(
        std::count(fences_.completions.begin(), fences_.completions.end(), kByFence));
  }

  FencePlan Plan() {
    fences_.first.reserve(plan_.steps.size() + 1);
    for (std::uint32_t step = 0; step < plan_.steps.size(); ++step) {
      fences_.first.push_back(static_cast<std::uint32_t>(fences_.dependencies.size()));
      if (fences_.HasFences() && fences_.completions[step] != StepCompletion::kNoWork) {
        PlanStep(step);
      }
    }
    fences_.first.push_back(static_cast<std::uint32_t>(fences_.dependencies.size()));
    FindCompletionKinds();
    return std::move(fences_);
  }

 private:
  static constexpr StepCompletion kByFence = StepCompletion::kByFence;
  static constexpr std::uint32_t kNoStep = ByteUses::kNobody;
  // How many steps are looked at to find out what is implied.
  static constexpr std::size_t kMaxVisits = 256;

  void PlanStep(std::uint32_t step) {
    FindDependencies(plan_.steps[step]);
    DropImplied(step);
    fences_.dependencies.insert(fences_.dependencies.end(), found_.begin(), found_.end());
    const auto count = static_cast<std::uint32_t>(found_.size());
    fences_.max_dependencies = std::max(fences_.max_dependencies, count);
    if (fences_.completions[step] != kByFence) Finish(found_);
    RecordUses(step);
  }

  /// Calls `take` with the uses of each operand in [begin, end) and its range.
  template <typename Take>
  void ForEach(std::uint32_t begin, std::uint32_t end, const Take& take) {
    for (std::uint32_t operand = begin; operand < end; ++operand) {
      const PlannedRange& range = plan_.tensors[plan_.operands[operand].tensor].range;
      if (range.begin_bytes < range.end_bytes) take(spaces_[range.space], range);
    }
  }

  void FindDependencies(const PlannedStep& step) {
    found_.clear();
    const std::uint32_t outputs = step.first_operand + step.num_inputs;
    ForEach(step.first_operand, outputs, [this](const ByteUses& uses, const PlannedRange& range) {
      uses.FindForRead(range.begin_bytes, range.end_bytes, found_);
    });
    ForEach(outputs, outputs + step.num_outputs,
            [this](const ByteUses& uses, const PlannedRange& range) {
              uses.FindForWrite(range.begin_bytes, range.end_bytes, found_);
            });
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    Drop([this](std::uint32_t earlier) { return has_finished_[earlier] != 0; });
  }

  template <typename Condition>
  void Drop(const Condition& condition) {
    found_.erase(std::remove_if(found_.begin(), found_.end(), condition), found_.end());
  }

  // Goes back from the dependencies along theirs; those that are met are implied.
  void DropImplied(std::uint32_t step) {
    if (found_.size() < 2) return;
    ahead_.assign(found_.begin(), found_.end());
    for (std::size_t visits = 0; visits < kMaxVisits && !ahead_.empty(); ++visits) {
      const std::uint32_t from = ahead_.back();
      ahead_.pop_back();
      for (std::uint32_t i = fences_.first[from]; i < fences_.first[from + 1]; ++i) {
        const std::uint32_t earlier = fences_.dependencies[i];
        if (earlier < found_.front() || seen_by_[earlier] == step) continue;
        seen_by_[earlier] = step;
        ahead_.push_back(earlier);
      }
    }
    Drop([this, step](std::uint32_t earlier) { return seen_by_[earlier] == step; });
  }

  // The host has waited for them, and so for all that they came after.
  void Finish(const std::vector<std::uint32_t>& steps) {
    ahead_ = steps;
    while (!ahead_.empty()) {
      const std::uint32_t step = ahead_.back();
      ahead_.pop_back();
      if (std::exchange(has_finished_[step], std::uint8_t{1}) != 0) continue;
      const auto* dependencies = fences_.dependencies.data();
      ahead_.insert(ahead_.end(), dependencies + fences_.first[step],
                    dependencies + fences_.first[step + 1]);
    }
  }

  void RecordUses(std::uint32_t step) {
    const bool may_go_on = fences_.completions[step] == kByFence;
    const PlannedStep& planned = plan_.steps[step];
    const std::uint32_t outputs = planned.first_operand + planned.num_inputs;
    if (may_go_on) {
      ForEach(planned.first_operand, outputs, [step](ByteUses& uses, const PlannedRange& range) {
        uses.Read(range.begin_bytes, range.end_bytes, step);
      });
    }
    const std::uint32_t writer = may_go_on ? step : ByteUses::kNobody;
    ForEach(outputs, outputs + planned.num_outputs,
            [writer](ByteUses& uses, const PlannedRange& range) {
              uses.Write(range.begin_bytes, range.end_bytes, writer);
            });
  }

  // Opaque fences are waited for by their own backend alone, all others by each that waits itself.
  void FindCompletionKinds() {
    constexpr FenceKindFlags kOpaque = ToFlags(FenceKind::kOpaque);
    constexpr FenceKindFlags kByAll = ToFlags(FenceKind::kSyncFile) | ToFlags(FenceKind::kEventFd);
    std::vector<std::uint8_t> has_others(plan_.steps.size());
    fences_.completion_kinds.assign(plan_.steps.size(), 0);
    for (std::uint32_t step = 0; step < plan_.steps.size(); ++step) {
      if (fences_.completions[step] != kByFence) continue;
      for (std::uint32_t i = fences_.first[step]; i < fences_.first[step + 1]; ++i) {
        const std::uint32_t earlier = fences_.dependencies[i];
        fences_.completion_kinds[earlier] |= kByAll | kOpaque;
        if (plan_.steps[earlier].backend != plan_.steps[step].backend) has_others[earlier] = 1;
      }
    }
    for (std::size_t step = 0; step < has_others.size(); ++step) {
      if (has_others[step] != 0) fences_.completion_kinds[step] = kByAll;
    }
  }

  const ExecutionPlan& plan_;
  FencePlan fences_;
  std::unordered_map<std::uint32_t, ByteUses> spaces_;
  std::vector<std::uint8_t> has_finished_;  // for each step, before the one that is planned
  std::vector<std::uint32_t> seen_by_;      // for each step, for whom DropImplied met it last
  std::vector<std::uint32_t> found_;
  std::vector<std::uint32_t> ahead_;
};

}  // namespace

std::vector<StepCompletion> FindStepCompletions(const ExecutionPlan& plan,
                                                const BridgedNetwork& network,
                                                const KindTable& table,
                                                const std::vector<std::uint8_t>& hands_over) {
  const auto get_owner = [&](std::uint32_t operand) {
    const KindIndex kind = plan.tensors[plan.operands[operand].tensor].kind;
    return kind == kNoKind ? kCoreBackend : table.kinds[kind].owner;
  };
  std::vector<StepCompletion> completions;
  completions.reserve(plan.steps.size());
  for (const PlannedStep& step : plan.steps) {
    const LayerType type = network.graph.layers[step.layer].type;
    StepCompletion completion = StepCompletion::kAtReturn;
    if (type == LayerType::kImport) {
      completion = StepCompletion::kNoWork;
    } else if (step.backend != kCoreBackend && hands_over[step.backend] != 0) {
      const bool is_between_owners =
          type == LayerType::kCopy &&
          get_owner(step.first_operand) != get_owner(step.first_operand + 1);
      if (!is_between_owners) completion = StepCompletion::kByFence;
    }
    completions.push_back(completion);
  }
  return completions;
}

FencePlan PlanFences(const ExecutionPlan& plan, std::vector<StepCompletion> completions) {
  return FencePlanner(plan, std::move(completions)).Plan();
}

}  // namespace backplane
