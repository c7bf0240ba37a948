#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace backplane::profiling {

/// The newest of what was added, in memory that is allocated at the beginning.
///
/// Threads: one at a time.
template <typename Record>
class Ring {
 public:
  explicit Ring(std::size_t capacity) : records_(capacity) {}

  void Add(const Record& record) {
    if (!records_.empty()) records_[num_added_ % records_.size()] = record;
    ++num_added_;
  }

  /// How many were added and are no longer there.
  std::uint64_t CountLost() const { return num_added_ - GetSize(); }

  /// Calls `take` for each that is there, the oldest first.
  template <typename Take>
  void ForEach(const Take& take) const {
    for (std::uint64_t i = num_added_ - GetSize(); i < num_added_; ++i) {
      take(records_[i % records_.size()]);
    }
  }

  /// Lets go of the memory that is not used.
  void Shrink() {
    if (num_added_ >= records_.size()) return;
    records_.resize(num_added_);
    records_.shrink_to_fit();
  }

 private:
  std::uint64_t GetSize() const {
    return num_added_ < records_.size() ? num_added_ : records_.size();
  }

  std::vector<Record> records_;
  std::uint64_t num_added_ = 0;
};

}  // namespace backplane::profiling
