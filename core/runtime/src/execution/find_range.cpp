#include "execution/float_format.hpp"
#include "execution/scan_view.hpp"
#include "tensors/view_runs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace backplane::execution {

namespace {

/// The least and the greatest of keys. As many are looked at side by side as fill a cache line, so
/// that compilers use vectors for it.
template <typename Format>
class KeyRange {
 public:
  using Key = typename Format::Key;

  KeyRange() {
    std::fill(least_, least_ + kLanes, std::numeric_limits<Key>::max());
    std::fill(greatest_, greatest_ + kLanes, std::numeric_limits<Key>::min());
  }

  void Add(const unsigned char* data, std::size_t count) {
    num_values_ += count;
    std::size_t at = 0;
    for (; at + kLanes <= count; at += kLanes) AddBlock(data + at * sizeof(Key));
    for (; at < count; ++at) {
      Key bits;
      std::memcpy(&bits, data + at * sizeof(Key), sizeof(Key));
      AddKey(0, Format::ToKey(bits));
    }
  }

  ValueRange Get() const {
    const Key least = *std::min_element(least_, least_ + kLanes);
    const Key greatest = *std::max_element(greatest_, greatest_ + kLanes);
    ValueRange range;
    range.has_values = least <= greatest;
    range.num_values = num_values_;
    range.is_finite = !range.has_values || (Format::IsFinite(least) && Format::IsFinite(greatest));
    if (!range.has_values || !range.is_finite) return range;
    range.least = ToDouble(Format{}, least);
    range.greatest = ToDouble(Format{}, greatest);
    return range;
  }

 private:
  static constexpr std::size_t kLanes = 64 / sizeof(Key);

  void AddBlock(const unsigned char* data) {
    Key bits[kLanes];
    std::memcpy(bits, data, sizeof(bits));
    for (std::size_t lane = 0; lane < kLanes; ++lane) AddKey(lane, Format::ToKey(bits[lane]));
  }

  void AddKey(std::size_t lane, Key key) {
    least_[lane] = key < least_[lane] ? key : least_[lane];
    greatest_[lane] = key > greatest_[lane] ? key : greatest_[lane];
  }

  Key least_[kLanes];
  Key greatest_[kLanes];
  std::uint64_t num_values_ = 0;
};

}  // namespace

ValueRange FindRange(const MemoryView& view) {
  ValueRange range;
  WithFloatFormat(view.data_type, [&](auto format) {
    KeyRange<decltype(format)> keys;
    ViewRuns(view).ForEach(
        [&](const unsigned char* data, std::size_t count) { keys.Add(data, count); });
    range = keys.Get();
  });
  return range;
}

}  // namespace backplane::execution
