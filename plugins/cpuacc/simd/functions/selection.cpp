#include "simd/functions/functions.hpp"
#include "simd/functions/vectors.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

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

// A table, because not every instruction set shifts each element of a vector by its own number.
constexpr std::uint32_t kBits[SelectionFunctions::kMostAtOnce] = {
    1U << 0,  1U << 1,  1U << 2,  1U << 3,  1U << 4,  1U << 5,  1U << 6,  1U << 7,
    1U << 8,  1U << 9,  1U << 10, 1U << 11, 1U << 12, 1U << 13, 1U << 14, 1U << 15,
    1U << 16, 1U << 17, 1U << 18, 1U << 19, 1U << 20, 1U << 21, 1U << 22, 1U << 23,
    1U << 24, 1U << 25, 1U << 26, 1U << 27, 1U << 28, 1U << 29, 1U << 30, 1U << 31};

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

  /// A bit for each of `count` elements, at most 32, that is better than the threshold.
  CPUACC_INLINE std::uint32_t FindBetter(std::int64_t begin, std::int64_t count,
                                         Order threshold) const {
    std::uint32_t bits = 0;
#pragma omp simd reduction(| : bits)
    for (std::int64_t i = 0; i < count; ++i) {
      bits |= GetUpper(begin + i) > threshold ? kBits[i] : 0;
    }
    return bits;
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
    // The compiler knows the first count.
    std::uint32_t better = is_whole ? candidates.FindBetter(begin, kMost, threshold)
                                    : candidates.FindBetter(begin, end - begin, threshold);
    for (; better != 0; better &= better - 1) {
      list.candidates[list.count++] = candidates.Get(begin + __builtin_ctz(better));
    }
  }
  return begin < end ? begin : end;
}

typedef std::int32_t Orders __attribute__((vector_size(sizeof(Vector)), may_alias));

/// Whether a comparison is true anywhere. Written with intrinsics because the compiler makes many
/// instructions of it.
CPUACC_INLINE bool HasAny(Orders truth) {
#if defined(__AVX512DQ__)
  return _mm512_movepi32_mask(reinterpret_cast<__m512i>(truth)) != 0;
#elif defined(__AVX2__)
  return _mm256_movemask_epi8(reinterpret_cast<__m256i>(truth)) != 0;
#elif defined(__SSE2__)
  return _mm_movemask_epi8(reinterpret_cast<__m128i>(truth)) != 0;
#else
  std::int32_t any = 0;
  for (int i = 0; i < kLanes; ++i) any |= truth[i];
  return any != 0;
#endif
}

/// The best elements of as many columns as a vector has, and their rows.
struct BestOfColumns {
  CPUACC_INLINE bool HasBetter(Orders order, std::int64_t level) const {
    return HasAny(order > orders[level]);
  }

  /// Puts elements of one row before the first of the levels that they are better than, which come
  /// into the next ones; the last into one more, when there is one.
  CPUACC_INLINE void Insert(Orders order, Orders row, std::int64_t num_levels, bool has_next) {
    Orders moved_order = order;
    Orders moved_row = row;
    for (std::int64_t level = 0; level < num_levels; ++level) {
      const Orders is_better = order > orders[level];
      const Orders next_order = is_better ? orders[level] : moved_order;
      const Orders next_row = is_better ? rows[level] : moved_row;
      orders[level] = is_better ? moved_order : orders[level];
      rows[level] = is_better ? moved_row : rows[level];
      moved_order = next_order;
      moved_row = next_row;
    }
    if (!has_next) return;
    orders[num_levels] = moved_order;
    rows[num_levels] = moved_row;
  }

  Orders orders[SelectionFunctions::kMostOfColumn];
  Orders rows[SelectionFunctions::kMostOfColumn];
};

/// Of `count` columns, at most as many as a vector has.
template <typename Element>
CPUACC_INLINE void SelectOfVector(const Element* x, const Panel& panel, Preference preference,
                                  std::int64_t k, std::int64_t count, std::int32_t* rows) {
  const std::int32_t flip = preference == Preference::kLargest ? 0 : -1;
  const auto load = [&](std::int64_t row) {
    alignas(sizeof(Orders)) std::int32_t orders[kLanes] = {};
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) orders[i] = GetOrder(x[row * panel.step + i]) ^ flip;
    return *reinterpret_cast<const Orders*>(orders);
  };
  BestOfColumns best;
  for (std::int64_t row = 0; row < k; ++row) {
    best.Insert(load(row), Orders{} + static_cast<std::int32_t>(row), row, true);
  }
  // Before so many rows, most have an element that is better; one level takes less than a test.
  const bool is_tested = k > 1 && panel.num_rows > 64 * k;
  for (std::int64_t row = k; row < panel.num_rows; ++row) {
    const Orders order = load(row);
    if (is_tested && !best.HasBetter(order, k - 1)) continue;
    best.Insert(order, Orders{} + static_cast<std::int32_t>(row), k, false);
  }
  for (std::int64_t level = 0; level < k; ++level) {
    for (std::int64_t i = 0; i < count; ++i) rows[level * panel.width + i] = best.rows[level][i];
  }
}

template <typename Element>
void SelectColumns(const void* x, const Panel& panel, Preference preference, std::int64_t k,
                   std::int32_t* rows) {
  const auto* elements = static_cast<const Element*>(x);
  if (panel.width < kLanes) {
    SelectOfVector(elements, panel, preference, k, panel.width, rows);
    return;
  }
  for (std::int64_t i = 0; i < panel.width; i += kLanes) {
    // The last vector begins among the columns of the one before where it would reach too far.
    const std::int64_t first = i + kLanes <= panel.width ? i : panel.width - kLanes;
    // The compiler keeps one level, of which it knows, in registers.
    if (k == 1) {
      SelectOfVector(elements + first, panel, preference, 1, kLanes, rows + first);
    } else {
      SelectOfVector(elements + first, panel, preference, k, kLanes, rows + first);
    }
  }
}

template <typename Element, typename Number>
void FillLine(LineFunctions<Number>& functions) {
  functions.collect_first = &CollectFirst<Element, Number>;
  functions.collect_better = &CollectBetter<Element, Number>;
}

void FillSelection(SelectionFunctions& functions) {
  FillLine<float>(functions.of_float32);
  FillLine<std::int32_t>(functions.of_int32);
  FillLine<std::int64_t>(functions.of_int64);
  FillLine<std::uint8_t>(functions.of_uint8);
  FillLine<std::int8_t>(functions.of_int8);
  const auto select = [&functions](NumberType type) -> SelectColumnsFunction& {
    return functions.select_columns[static_cast<std::size_t>(type)];
  };
  select(NumberType::kFloat32) = &SelectColumns<float>;
  select(NumberType::kInt32) = &SelectColumns<std::int32_t>;
  select(NumberType::kUInt8) = &SelectColumns<std::uint8_t>;
  select(NumberType::kInt8) = &SelectColumns<std::int8_t>;
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
