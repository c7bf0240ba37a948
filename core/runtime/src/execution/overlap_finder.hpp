#pragma once

#include "execution/memory_range.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace backplane {

/// What memory of the application is in one run. A set of them has a bit for each.
enum class RangeUse : std::uint8_t {
  kGivenInput = 1,   // an address is given
  kGivenOutput = 2,  //
  kTakenInput = 4,   // a tensor that was imported before
  kTakenOutput = 8,  //
};

/// Finds out which of the memory of one run overlaps, in n log n, and only when it is other memory
/// than in the run before. Allocates only when it is made.
class OverlapFinder {
 public:
  OverlapFinder(std::size_t num_inputs, std::size_t num_outputs);

  void Clear() { num_added_ = 0; }

  /// `binding` is the index of the input or output, each of which is added once at the most.
  void Add(const MemoryRange& range, RangeUse use, std::size_t binding);

  /// After all were added. False: they are those of the last time, and so is what was found.
  bool Find();

  /// What another of these uses that shares a byte with it: a set.
  std::uint8_t GetMetByInput(std::size_t binding) const { return met_by_input_[binding]; }
  std::uint8_t GetMetByOutput(std::size_t binding) const { return met_by_output_[binding]; }

 private:
  static constexpr std::size_t kNumUses = 4;

  struct Used {
    MemoryRange range;
    std::size_t binding = 0;
    std::size_t use = 0;  // the number of its bit
    std::uint8_t met = 0;
  };

  std::uint8_t& GetMet(const Used& used);
  void MeetEarlier();
  void MeetLater();

  std::vector<Used> added_;  // as they came
  std::size_t num_added_ = 0;
  bool is_known_ = false;     // what was added until now is what was found the last time
  std::vector<Used> ranges_;  // those that are not empty, by their begin
  std::vector<std::uint8_t> met_by_input_;
  std::vector<std::uint8_t> met_by_output_;
};

constexpr std::uint8_t ToSet(RangeUse use) {
  return static_cast<std::uint8_t>(use);
}
constexpr std::uint8_t operator|(RangeUse a, RangeUse b) {
  return static_cast<std::uint8_t>(ToSet(a) | ToSet(b));
}

/// Which rooms of outputs share a byte with an input or with another room: nothing is written there
/// before the run has ended.
std::vector<std::uint8_t> FindSharedRooms(const std::vector<MemoryRange>& inputs,
                                          const std::vector<MemoryRange>& rooms);

}  // namespace backplane
