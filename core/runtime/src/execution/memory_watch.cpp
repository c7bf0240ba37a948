#include "execution/memory_watch.hpp"

#include "execution/looked_at.hpp"

#include <algorithm>
#include <cstring>

namespace backplane::execution {

namespace {

bool ShareBytes(const PlannedTensor& a, const PlannedTensor& b) {
  return a.place != TensorPlace::kConstant && b.place != TensorPlace::kConstant &&
         a.range.space == b.range.space && a.range.begin_bytes < b.range.end_bytes &&
         b.range.begin_bytes < a.range.end_bytes;
}

}  // namespace

bool SharesBytes(const ExecutionPlan& plan, std::uint32_t operand, std::uint32_t first,
                 std::uint32_t count) {
  for (std::uint32_t other = first; other < first + count; ++other) {
    if (ShareBytes(plan.GetTensor(operand), plan.GetTensor(other))) return true;
  }
  return false;
}

void MemoryWatch::Remember(std::size_t step) {
  RememberArenas();
  const PlannedStep& planned = plan_.steps[step];
  inputs_.assign(planned.num_inputs, std::nullopt);
  for (std::uint32_t i = 0; i < planned.num_inputs; ++i) {
    const std::uint32_t operand = planned.first_operand + i;
    // One that is overwritten does not stay as it is.
    if (SharesBytes(plan_, operand, planned.GetOutput(0), planned.num_outputs)) continue;
    inputs_[i] = ReadTensor(memory_.GetOperand(operand), *plan_.GetTensor(operand).info);
  }
}

void MemoryWatch::RememberArenas() {
  arenas_.resize(memory_.GetArenas().size());
  for (std::size_t i = 0; i < arenas_.size(); ++i) {
    const unsigned char* const data = GetArena(i);
    if (data != nullptr) arenas_[i].assign(data, data + plan_.arenas[i].size_bytes);
  }
}

std::optional<ChangedByte> MemoryWatch::FindForeign(std::size_t step) const {
  const PlannedStep& planned = plan_.steps[step];
  for (std::uint32_t i = 0; i < planned.num_inputs; ++i) {
    if (!inputs_[i]) continue;
    const std::uint32_t operand = planned.first_operand + i;
    const auto now = ReadTensor(memory_.GetOperand(operand), *plan_.GetTensor(operand).info);
    if (!now || *now == *inputs_[i]) continue;
    const auto changed = std::mismatch(now->begin(), now->end(), inputs_[i]->begin()).first;
    return ChangedByte{i, 0, static_cast<std::uint64_t>(changed - now->begin())};
  }
  for (std::uint32_t arena = 0; arena < arenas_.size(); ++arena) {
    std::uint64_t begin_bytes = 0;
    std::vector<Span> spans = FindOutputs(step, arena);
    spans.push_back({arenas_[arena].size(), arenas_[arena].size()});
    for (const Span& output : spans) {
      if (const auto at = FindIn(arena, {begin_bytes, output.begin_bytes})) {
        return ChangedByte{std::nullopt, arena, *at};
      }
      begin_bytes = std::max(begin_bytes, output.end_bytes);
    }
  }
  return std::nullopt;
}

std::optional<ChangedByte> MemoryWatch::FindAny() const {
  for (std::uint32_t arena = 0; arena < arenas_.size(); ++arena) {
    if (const auto at = FindIn(arena, {0, arenas_[arena].size()})) {
      return ChangedByte{std::nullopt, arena, *at};
    }
  }
  return std::nullopt;
}

bool MemoryWatch::Restore(const PlannedTensor& tensor) const {
  const PlannedRange& range = tensor.range;
  if (range.space >= arenas_.size() || arenas_[range.space].size() < range.end_bytes) return false;
  // The arena is the host's to write; only its blocks are handed out as const.
  std::memcpy(const_cast<unsigned char*>(GetArena(range.space)) + range.begin_bytes,
              arenas_[range.space].data() + range.begin_bytes, range.end_bytes - range.begin_bytes);
  return true;
}

const unsigned char* MemoryWatch::GetArena(std::size_t arena) const {
  const auto& block = memory_.GetArenas()[arena];
  if (block == nullptr || block->Get().source != MemorySource::kMalloc) return nullptr;
  return static_cast<const unsigned char*>(block->Get().data);
}

std::vector<MemoryWatch::Span> MemoryWatch::FindOutputs(std::size_t step,
                                                        std::uint32_t arena) const {
  const PlannedStep& planned = plan_.steps[step];
  std::vector<Span> spans;
  for (std::uint32_t i = 0; i < planned.num_outputs; ++i) {
    const PlannedRange& range = plan_.GetTensor(planned.GetOutput(i)).range;
    if (range.space == arena) spans.push_back({range.begin_bytes, range.end_bytes});
  }
  std::sort(spans.begin(), spans.end(),
            [](const Span& a, const Span& b) { return a.begin_bytes < b.begin_bytes; });
  return spans;
}

std::optional<std::uint64_t> MemoryWatch::FindIn(std::uint32_t arena, Span span) const {
  const unsigned char* const now = GetArena(arena);
  const auto& before = arenas_[arena];
  span.end_bytes = std::min<std::uint64_t>(span.end_bytes, before.size());
  if (now == nullptr || span.begin_bytes >= span.end_bytes) return std::nullopt;
  const std::size_t size = span.end_bytes - span.begin_bytes;
  if (std::memcmp(now + span.begin_bytes, before.data() + span.begin_bytes, size) == 0) {
    return std::nullopt;
  }
  const auto changed =
      std::mismatch(now + span.begin_bytes, now + span.end_bytes, before.data() + span.begin_bytes);
  return static_cast<std::uint64_t>(changed.first - now);
}

}  // namespace backplane::execution
