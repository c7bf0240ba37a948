#include "simd/functions/functions.hpp"
#include "simd/functions/number_bits.hpp"

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {

/// How one element is folded, and how two parts of a row are joined. Lane is what is kept.
#define CPUACC_FOLD(name, lane, start, folded, joined)                                \
  struct name##Fold {                                                                 \
    using Lane = lane;                                                                \
    static constexpr Lane kStart = start;                                             \
    static CPUACC_INLINE Lane Of(Lane state, float x, [[maybe_unused]] Lane origin) { \
      return folded;                                                                  \
    }                                                                                 \
    static CPUACC_INLINE Lane Join(Lane state, Lane other) { return joined; }         \
  };
CPUACC_FOLD(Sum, double, 0.0, state + static_cast<double>(x), state + other)
CPUACC_FOLD(Magnitudes, double, 0.0, state + static_cast<double>(__builtin_fabsf(x)), state + other)
CPUACC_FOLD(Squares, double, 0.0, state + static_cast<double>(x) * static_cast<double>(x),
            state + other)
CPUACC_FOLD(SquareDifferences, double, 0.0,
            state + (static_cast<double>(x) - origin) * (static_cast<double>(x) - origin),
            state + other)
CPUACC_FOLD(Product, double, 1.0, state* static_cast<double>(x), state* other)
CPUACC_FOLD(Maximum, float, -kInfinity, x > state || x != x ? x : state,
            other > state || other != other ? other : state)
CPUACC_FOLD(Minimum, float, kInfinity, x < state || x != x ? x : state,
            other < state || other != other ? other : state)
#undef CPUACC_FOLD

/// In pairs, so that fewer roundings pile up.
template <typename Fold, std::int64_t kHalf>
CPUACC_INLINE typename Fold::Lane JoinLanes(typename Fold::Lane* lanes) {
#pragma omp simd
  for (std::int64_t k = 0; k < kHalf; ++k) lanes[k] = Fold::Join(lanes[k], lanes[k + kHalf]);
  if constexpr (kHalf > 1) return JoinLanes<Fold, kHalf / 2>(lanes);
  return lanes[0];
}

/// The elements that fill all lanes, whose number is returned. Many lanes: the processor folds into
/// one while others wait for theirs.
template <typename Fold, std::int64_t kLanes>
CPUACC_INLINE std::int64_t FoldLanes(const float* x, std::int64_t count, typename Fold::Lane origin,
                                     typename Fold::Lane& state) {
  typename Fold::Lane lanes[kLanes];
  for (std::int64_t k = 0; k < kLanes; ++k) lanes[k] = Fold::kStart;
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
#pragma omp simd
    for (std::int64_t k = 0; k < kLanes; ++k) lanes[k] = Fold::Of(lanes[k], x[i + k], origin);
  }
  state = Fold::Join(state, JoinLanes<Fold, kLanes / 2>(lanes));
  return i;
}

template <typename Fold>
double ReduceRow(const float* x, std::int64_t count, double state, double origin) {
  constexpr std::int64_t kLanes = 64;
  constexpr std::int64_t kFewLanes = 8;
  using Lane = typename Fold::Lane;
  const auto lane_origin = static_cast<Lane>(origin);
  auto result = static_cast<Lane>(state);
  std::int64_t i = 0;
  if (count >= 2 * kLanes) i = FoldLanes<Fold, kLanes>(x, count, lane_origin, result);
  if (count - i >= kFewLanes) {
    i += FoldLanes<Fold, kFewLanes>(x + i, count - i, lane_origin, result);
  }
  for (; i < count; ++i) result = Fold::Of(result, x[i], lane_origin);
  return static_cast<double>(result);
}

template <typename Fold>
void ReduceColumns(const float* x, const Panel& panel, double* states, const double* origins) {
  using Lane = typename Fold::Lane;
  for (std::int64_t row = 0; row < panel.num_rows; ++row, x += panel.step) {
#pragma omp simd
    for (std::int64_t i = 0; i < panel.width; ++i) {
      const Lane origin = origins == nullptr ? Lane{0} : static_cast<Lane>(origins[i]);
      states[i] = static_cast<double>(Fold::Of(static_cast<Lane>(states[i]), x[i], origin));
    }
  }
}

void FillReductions(RowFunctions& functions) {
#define CPUACC_REDUCTION(name)                                                                 \
  functions.reduce_row[static_cast<std::size_t>(Reduction::k##name)] = &ReduceRow<name##Fold>; \
  functions.reduce_columns[static_cast<std::size_t>(Reduction::k##name)] =                     \
      &ReduceColumns<name##Fold>;
  CPUACC_REDUCTION(Sum)
  CPUACC_REDUCTION(Magnitudes)
  CPUACC_REDUCTION(Squares)
  CPUACC_REDUCTION(SquareDifferences)
  CPUACC_REDUCTION(Product)
  CPUACC_REDUCTION(Maximum)
  CPUACC_REDUCTION(Minimum)
#undef CPUACC_REDUCTION
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
