#include "simd/functions/functions.hpp"
#include "simd/functions/number_bits.hpp"

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {

/// An integer that is greater for a greater element, and the same for equal ones.
CPUACC_INLINE std::int32_t GetOrder(float x) {
  const auto bits = static_cast<std::int32_t>(ToBits(x));
  const std::int32_t size = bits & 0x7FFFFFFF;
  const std::int32_t order = bits < 0 ? -size : size;
  return x != x ? 0x7FFFFFFF : order;
}
CPUACC_INLINE std::int32_t GetOrder(std::int32_t x) {
  return x;
}
CPUACC_INLINE std::int64_t GetOrder(std::int64_t x) {
  return x;
}

/// Elements as candidates, whose upper half is the order, or its complement where the smallest
/// element is the best.
template <typename Element, typename Number>
class Candidates {
 public:
  using Order = decltype(GetOrder(Element()));

  Candidates(const void* line, Preference preference)
      : elements_(static_cast<const Element*>(line)),
        flip_(preference == Preference::kLargest ? 0 : -1) {}

  CPUACC_INLINE Order GetUpper(std::int64_t index) const {
    return GetOrder(elements_[index]) ^ flip_;
  }

  CPUACC_INLINE Number Get(std::int64_t index) const {
    constexpr Number kLower = (Number{1} << kHalf) - 1;
    const Number upper = static_cast<Number>(GetUpper(index)) << kHalf;
    return (upper ^ kSign) | (static_cast<Number>(~index) & kLower);
  }

  static CPUACC_INLINE Order GetUpperOf(Number candidate) {
    return static_cast<Order>((candidate ^ kSign) >> kHalf);
  }

  CPUACC_INLINE bool HasBetter(std::int64_t begin, std::int64_t count, Order threshold) const {
    std::int32_t num_better = 0;
#pragma omp simd reduction(+ : num_better)
    for (std::int64_t i = 0; i < count; ++i) num_better += GetUpper(begin + i) > threshold ? 1 : 0;
    return num_better != 0;
  }

 private:
  static constexpr int kHalf = 8 * sizeof(Order);
  static constexpr Number kSign = Number{1} << (2 * kHalf - 1);

  const Element* elements_;
  const Order flip_;
};

template <typename Element, typename Number>
void CollectFirst(const void* line, std::int64_t count, Preference preference,
                  CandidateList<Number>& list) {
  const Candidates<Element, Number> candidates(line, preference);
  Number* results = list.candidates + list.count;
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) results[i] = candidates.Get(i);
  list.count += count;
}

template <typename Element, typename Number>
std::int64_t CollectBetter(const void* line, std::int64_t begin, std::int64_t end,
                           Preference preference, CandidateList<Number>& list) {
  constexpr std::int64_t kMost = SelectionFunctions::kMostAtOnce;
  const Candidates<Element, Number> candidates(line, preference);
  const auto threshold = candidates.GetUpperOf(list.threshold);
  for (; begin < end && list.count + kMost <= list.capacity; begin += kMost) {
    const bool is_whole = end - begin >= kMost;
    const std::int64_t count = is_whole ? kMost : end - begin;
    // The compiler knows the first count.
    if (!(is_whole ? candidates.HasBetter(begin, kMost, threshold)
                   : candidates.HasBetter(begin, count, threshold))) {
      continue;
    }
    for (std::int64_t i = begin; i < begin + count; ++i) {
      list.candidates[list.count] = candidates.Get(i);
      list.count += candidates.GetUpper(i) > threshold ? 1 : 0;
    }
  }
  return begin < end ? begin : end;
}

template <typename Element, typename Number>
void FillCollect(CollectFunctions<Number>& functions) {
  functions.collect_first = &CollectFirst<Element, Number>;
  functions.collect_better = &CollectBetter<Element, Number>;
}

void FillSelection(SelectionFunctions& functions) {
  FillCollect<float>(functions.of_float32);
  FillCollect<std::int32_t>(functions.of_int32);
  FillCollect<std::int64_t>(functions.of_int64);
  FillCollect<std::uint8_t>(functions.of_uint8);
  FillCollect<std::int8_t>(functions.of_int8);
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
