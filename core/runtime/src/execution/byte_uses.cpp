#include "execution/byte_uses.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace backplane {

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

}  // namespace backplane
