#include "simd/functions/functions.hpp"
#include "simd/functions/number_bits.hpp"

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {

/// A loop for each case, so that each is made of vector instructions.
template <typename Number, typename Operation>
void CombineBytes(OperandRow a, OperandRow b, void* y, std::int64_t count) {
  const auto* first = static_cast<const Number*>(a.begin);
  const auto* second = static_cast<const Number*>(b.begin);
  auto* results = static_cast<std::uint8_t*>(y);
  if (a.step == 0) {
    const Number repeated = *first;
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) results[i] = Operation::Of(repeated, second[i]);
  } else if (b.step == 0) {
    const Number repeated = *second;
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) results[i] = Operation::Of(first[i], repeated);
  } else {
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) results[i] = Operation::Of(first[i], second[i]);
  }
}

#define CPUACC_OPERATION(name, result)                         \
  struct name##Operation {                                     \
    template <typename Number>                                 \
    static CPUACC_INLINE std::uint8_t Of(Number a, Number b) { \
      return (result) ? 1 : 0;                                 \
    }                                                          \
  };
CPUACC_OPERATION(Equal, a == b)
CPUACC_OPERATION(NotEqual, a != b)
CPUACC_OPERATION(Greater, a > b)
CPUACC_OPERATION(GreaterOrEqual, a >= b)
CPUACC_OPERATION(Less, a < b)
CPUACC_OPERATION(LessOrEqual, a <= b)
// Every byte but 0 is true.
CPUACC_OPERATION(And, (a != 0) & (b != 0))
CPUACC_OPERATION(Or, (a | b) != 0)
CPUACC_OPERATION(Xor, (a != 0) != (b != 0))
CPUACC_OPERATION(SameTruth, (a != 0) == (b != 0))
#undef CPUACC_OPERATION

template <typename Number>
void FillComparisonsOf(CombineRows* comparisons) {
#define CPUACC_COMPARISON(name)                                         \
  comparisons[static_cast<std::size_t>(ComparisonOperation::k##name)] = \
      &CombineBytes<Number, name##Operation>;
  CPUACC_COMPARISON(Equal)
  CPUACC_COMPARISON(NotEqual)
  CPUACC_COMPARISON(Greater)
  CPUACC_COMPARISON(GreaterOrEqual)
  CPUACC_COMPARISON(Less)
  CPUACC_COMPARISON(LessOrEqual)
#undef CPUACC_COMPARISON
}

template <typename Element>
struct GoesOn {
  explicit GoesOn(OperandRow row) : begin(static_cast<const Element*>(row.begin)) {}
  CPUACC_INLINE Element Get(std::int64_t i) const { return begin[i]; }
  const Element* begin;
};

template <typename Element>
struct Repeats {
  explicit Repeats(OperandRow row) : value(*static_cast<const Element*>(row.begin)) {}
  CPUACC_INLINE Element Get(std::int64_t) const { return value; }
  Element value;
};

/// Both elements are read whichever is taken.
template <typename Element, typename A, typename B>
CPUACC_INLINE void SelectFrom(const std::uint8_t* condition, A a, B b, Element* y,
                              std::int64_t count) {
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) {
    const Element of_true = a.Get(i);
    const Element of_false = b.Get(i);
    y[i] = condition[i] != 0 ? of_true : of_false;
  }
}

template <typename Element>
void CopyRow(OperandRow row, Element* y, std::int64_t count) {
  const auto* elements = static_cast<const Element*>(row.begin);
  for (std::int64_t i = 0; i < count; ++i) y[i] = elements[i * row.step];
}

template <typename Element>
void Select(OperandRow condition, OperandRow a, OperandRow b, void* y, std::int64_t count) {
  const auto* conditions = static_cast<const std::uint8_t*>(condition.begin);
  auto* results = static_cast<Element*>(y);
  if (condition.step == 0) {
    CopyRow(*conditions != 0 ? a : b, results, count);
  } else if (a.step == 0 && b.step == 0) {
    SelectFrom(conditions, Repeats<Element>(a), Repeats<Element>(b), results, count);
  } else if (a.step == 0) {
    SelectFrom(conditions, Repeats<Element>(a), GoesOn<Element>(b), results, count);
  } else if (b.step == 0) {
    SelectFrom(conditions, GoesOn<Element>(a), Repeats<Element>(b), results, count);
  } else {
    SelectFrom(conditions, GoesOn<Element>(a), GoesOn<Element>(b), results, count);
  }
}

void FillComparisons(ComparisonFunctions& functions) {
  const auto get = [&functions](NumberType type) {
    return functions.comparisons[static_cast<std::size_t>(type)];
  };
  FillComparisonsOf<float>(get(NumberType::kFloat32));
  FillComparisonsOf<std::int32_t>(get(NumberType::kInt32));
  FillComparisonsOf<std::int64_t>(get(NumberType::kInt64));
  FillComparisonsOf<std::uint8_t>(get(NumberType::kUInt8));
  FillComparisonsOf<std::int8_t>(get(NumberType::kInt8));
  CombineRows* of_bool = get(NumberType::kBool);
  of_bool[static_cast<std::size_t>(ComparisonOperation::kEqual)] =
      &CombineBytes<std::uint8_t, SameTruthOperation>;
  of_bool[static_cast<std::size_t>(ComparisonOperation::kNotEqual)] =
      &CombineBytes<std::uint8_t, XorOperation>;
  functions.logic[static_cast<std::size_t>(LogicalOperation::kAnd)] =
      &CombineBytes<std::uint8_t, AndOperation>;
  functions.logic[static_cast<std::size_t>(LogicalOperation::kOr)] =
      &CombineBytes<std::uint8_t, OrOperation>;
  functions.logic[static_cast<std::size_t>(LogicalOperation::kXor)] =
      &CombineBytes<std::uint8_t, XorOperation>;
  functions.select_1 = &Select<std::uint8_t>;
  functions.select_2 = &Select<std::uint16_t>;
  functions.select_4 = &Select<std::uint32_t>;
  functions.select_8 = &Select<std::uint64_t>;
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
