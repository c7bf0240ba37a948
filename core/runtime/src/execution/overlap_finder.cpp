#include "execution/overlap_finder.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>

namespace backplane {

namespace {

bool AreInOnePlace(const MemoryRange& a, const MemoryRange& b) {
  return a.device == b.device && a.file == b.file;
}

std::uint64_t GetEnd(const MemoryRange& range) {
  return range.begin + range.size_bytes;
}

}  // namespace

OverlapFinder::OverlapFinder(std::size_t num_inputs, std::size_t num_outputs)
    : met_by_input_(num_inputs, 0), met_by_output_(num_outputs, 0) {
  added_.reserve(num_inputs + num_outputs);
  ranges_.reserve(num_inputs + num_outputs);
}

void OverlapFinder::Add(const MemoryRange& range, RangeUse use, std::size_t binding) {
  const Used used{range, binding, static_cast<std::size_t>(__builtin_ctz(ToSet(use))), 0};
  if (num_added_ == added_.size()) {
    added_.push_back(used);
    is_known_ = false;
  } else {
    Used& before = added_[num_added_];
    const bool is_same =
        before.range == range && before.use == used.use && before.binding == binding;
    if (!is_same) is_known_ = false;
    before = used;
  }
  ++num_added_;
}

bool OverlapFinder::Find() {
  if (is_known_ && num_added_ == added_.size()) return false;
  added_.resize(num_added_);
  is_known_ = true;
  ranges_.clear();
  std::fill(met_by_input_.begin(), met_by_input_.end(), std::uint8_t{0});
  std::fill(met_by_output_.begin(), met_by_output_.end(), std::uint8_t{0});
  for (const Used& used : added_) {
    if (used.range.size_bytes != 0) ranges_.push_back(used);
  }
  std::sort(ranges_.begin(), ranges_.end(), [](const Used& a, const Used& b) {
    return std::tie(a.range.device, a.range.file, a.range.begin) <
           std::tie(b.range.device, b.range.file, b.range.begin);
  });
  MeetEarlier();
  MeetLater();
  for (const Used& used : ranges_) GetMet(used) = used.met;
  return true;
}

std::uint8_t& OverlapFinder::GetMet(const Used& used) {
  const bool is_input = ((1U << used.use) & (RangeUse::kGivenInput | RangeUse::kTakenInput)) != 0;
  return (is_input ? met_by_input_ : met_by_output_)[used.binding];
}

// Those that begin before one, or with it, share a byte with it when one of them ends behind its
// begin.
void OverlapFinder::MeetEarlier() {
  std::array<std::uint64_t, kNumUses> last_end{};
  const Used* before = nullptr;
  for (Used& used : ranges_) {
    if (before != nullptr && !AreInOnePlace(before->range, used.range)) last_end.fill(0);
    before = &used;
    for (std::size_t use = 0; use < kNumUses; ++use) {
      if (last_end[use] > used.range.begin) used.met |= static_cast<std::uint8_t>(1U << use);
    }
    last_end[used.use] = std::max(last_end[used.use], GetEnd(used.range));
  }
}

// Those that begin behind one, or with it, when the first of them begins before its end.
void OverlapFinder::MeetLater() {
  constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
  std::array<std::uint64_t, kNumUses> next_begin{};
  next_begin.fill(kNone);
  const Used* behind = nullptr;
  for (auto used = ranges_.rbegin(); used != ranges_.rend(); ++used) {
    if (behind != nullptr && !AreInOnePlace(behind->range, used->range)) next_begin.fill(kNone);
    behind = &*used;
    for (std::size_t use = 0; use < kNumUses; ++use) {
      if (next_begin[use] < GetEnd(used->range)) used->met |= static_cast<std::uint8_t>(1U << use);
    }
    next_begin[used->use] = used->range.begin;
  }
}

std::vector<std::uint8_t> FindSharedRooms(const std::vector<MemoryRange>& inputs,
                                          const std::vector<MemoryRange>& rooms) {
  OverlapFinder finder(inputs.size(), rooms.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) finder.Add(inputs[i], RangeUse::kGivenInput, i);
  for (std::size_t i = 0; i < rooms.size(); ++i) finder.Add(rooms[i], RangeUse::kGivenOutput, i);
  finder.Find();
  std::vector<std::uint8_t> is_shared;
  for (std::size_t i = 0; i < rooms.size(); ++i) is_shared.push_back(finder.GetMetByOutput(i));
  return is_shared;
}

}  // namespace backplane
