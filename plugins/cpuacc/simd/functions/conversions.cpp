#include "simd/functions/functions.hpp"
#include "simd/functions/number_bits.hpp"

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {

/// bool as it is stored, told apart from the integer of the same size.
struct Bool {
  std::uint8_t bits;
};

/// The greatest value of an integer type, and the least float32 that is above all of them.
template <typename Integer>
struct Limits;
template <>
struct Limits<std::int32_t> {
  static constexpr std::int32_t kGreatest = 0x7fffffff;
  static constexpr std::int32_t kLeast = -kGreatest - 1;
  static constexpr float kAbove = 2147483648.0F;
};
template <>
struct Limits<std::int64_t> {
  static constexpr std::int64_t kGreatest = 0x7fffffffffffffff;
  static constexpr std::int64_t kLeast = -kGreatest - 1;
  static constexpr float kAbove = 9223372036854775808.0F;
};

/// What is behind the point is dropped; outside of the range the nearest value in it. NaN is 0. The
/// number that is converted is always in range.
template <typename Integer>
CPUACC_INLINE Integer Truncate(float x) {
  using Range = Limits<Integer>;
  const bool is_above = x >= Range::kAbove;
  const bool is_below = x < -Range::kAbove;
  const bool is_inside = x >= -Range::kAbove && x < Range::kAbove;
  const auto truncated = static_cast<Integer>(is_inside ? x : 0.0F);
  const Integer raised = is_above ? Range::kGreatest : truncated;
  return is_below ? Range::kLeast : raised;
}

/// The same for 8 bits: the bounds are exact, and NaN passes neither.
CPUACC_INLINE std::int32_t TruncateToBytes(float x, float least, float greatest) {
  x = x == x ? x : 0.0F;
  x = x > least ? x : least;
  return static_cast<std::int32_t>(x < greatest ? x : greatest);
}

CPUACC_INLINE void Convert(float x, std::int32_t& y) {
  y = Truncate<std::int32_t>(x);
}
CPUACC_INLINE void Convert(float x, std::int64_t& y) {
  y = Truncate<std::int64_t>(x);
}
CPUACC_INLINE void Convert(float x, std::uint8_t& y) {
  y = static_cast<std::uint8_t>(TruncateToBytes(x, 0.0F, 255.0F));
}
CPUACC_INLINE void Convert(float x, std::int8_t& y) {
  y = static_cast<std::int8_t>(TruncateToBytes(x, -128.0F, 127.0F));
}
template <typename From>
CPUACC_INLINE void Convert(From x, Bool& y) {
  y.bits = x != From{0} ? 1 : 0;
}
CPUACC_INLINE void Convert(Bool x, Bool& y) {
  y.bits = x.bits != 0 ? 1 : 0;
}
template <typename To>
CPUACC_INLINE void Convert(Bool x, To& y) {
  y = static_cast<To>(x.bits != 0 ? 1 : 0);
}
template <typename From, typename To>
CPUACC_INLINE void Convert(From x, To& y) {
  y = static_cast<To>(x);
}

template <typename From, typename To>
void Cast(const void* x, void* y, std::int64_t count) {
  const auto* from = static_cast<const From*>(x);
  auto* to = static_cast<To*>(y);
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) Convert(from[i], to[i]);
}

template <typename From>
void FillCastsFrom(CastFunction* casts) {
  const auto set = [casts](NumberType to, CastFunction function) {
    casts[static_cast<std::size_t>(to)] = function;
  };
  set(NumberType::kFloat32, &Cast<From, float>);
  set(NumberType::kInt32, &Cast<From, std::int32_t>);
  set(NumberType::kInt64, &Cast<From, std::int64_t>);
  set(NumberType::kUInt8, &Cast<From, std::uint8_t>);
  set(NumberType::kInt8, &Cast<From, std::int8_t>);
  set(NumberType::kBool, &Cast<From, Bool>);
}

/// A number that is bounded before it is rounded, as values are whole numbers.
template <typename Stored>
void Quantize(const float* x, Stored* y, std::int64_t count, float scale, std::int32_t zero_point) {
  constexpr std::int32_t kCount = 1 << (8 * sizeof(Stored));
  constexpr std::int32_t kLeast = static_cast<Stored>(-1) < 0 ? -kCount / 2 : 0;
  const auto least = static_cast<float>(kLeast - zero_point);
  const auto greatest = static_cast<float>(kLeast + kCount - 1 - zero_point);
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) {
    const float quotient = x[i] / scale;
    const float number = quotient == quotient ? quotient : 0.0F;
    const float raised = number > least ? number : least;
    const float bounded = raised < greatest ? raised : greatest;
    const float rounded = (bounded + kRounder) - kRounder;
    y[i] = static_cast<Stored>(static_cast<std::int32_t>(rounded) + zero_point);
  }
}

/// The difference of up to 16 bits has at most 17, and is exact: the product alone rounds.
template <typename Stored>
void Dequantize(const Stored* x, float* y, std::int64_t count, float scale,
                std::int32_t zero_point) {
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) y[i] = static_cast<float>(x[i] - zero_point) * scale;
}

void DequantizeInt32(const std::int32_t* x, float* y, std::int64_t count, float scale,
                     std::int32_t zero_point) {
  const auto wide_scale = static_cast<double>(scale);
  const auto wide_zero_point = static_cast<double>(zero_point);
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) {
    y[i] = static_cast<float>(wide_scale * (static_cast<double>(x[i]) - wide_zero_point));
  }
}

NumberRange FindRange(const float* x, std::int64_t count) {
  float least = 0.0F;
  float greatest = 0.0F;
#pragma omp simd reduction(min : least) reduction(max : greatest)
  for (std::int64_t i = 0; i < count; ++i) {
    least = x[i] < least ? x[i] : least;
    greatest = x[i] > greatest ? x[i] : greatest;
  }
  return {least, greatest};
}

void FillConversions(ConversionFunctions& functions) {
  const auto get = [&functions](NumberType from) {
    return functions.casts[static_cast<std::size_t>(from)];
  };
  FillCastsFrom<float>(get(NumberType::kFloat32));
  FillCastsFrom<std::int32_t>(get(NumberType::kInt32));
  FillCastsFrom<std::int64_t>(get(NumberType::kInt64));
  FillCastsFrom<std::uint8_t>(get(NumberType::kUInt8));
  FillCastsFrom<std::int8_t>(get(NumberType::kInt8));
  FillCastsFrom<Bool>(get(NumberType::kBool));
  functions.quantize_uint8 = &Quantize<std::uint8_t>;
  functions.quantize_int8 = &Quantize<std::int8_t>;
  functions.quantize_uint16 = &Quantize<std::uint16_t>;
  functions.quantize_int16 = &Quantize<std::int16_t>;
  functions.dequantize_uint8 = &Dequantize<std::uint8_t>;
  functions.dequantize_int8 = &Dequantize<std::int8_t>;
  functions.dequantize_uint16 = &Dequantize<std::uint16_t>;
  functions.dequantize_int16 = &Dequantize<std::int16_t>;
  functions.dequantize_int32 = &DequantizeInt32;
  functions.find_range = &FindRange;
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
