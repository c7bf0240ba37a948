/// The floating-point types by their bits. Looking at bits raises no exception of the processor,
/// whatever the numbers are, and does not depend on its modes.
#pragma once

#include <backplane/api/data_type.hpp>

#include <cstdint>
#include <limits>

namespace backplane::execution {

/// A type of IEEE 754 with as many bits as `Bits`, of which `kInfinity` are those of infinity.
template <DataType kFloatType, typename Bits, Bits kInfinity>
struct FloatFormat {
  using Key = Bits;
  static constexpr DataType kType = kFloatType;

  /// Orders as the numbers do; NaN lie beyond the infinities.
  static constexpr Bits ToKey(Bits bits) {
    constexpr int kSignShift = std::numeric_limits<Bits>::digits;
    return static_cast<Bits>(bits ^ ((bits >> kSignShift) & std::numeric_limits<Bits>::max()));
  }
  static constexpr Bits FromKey(Bits key) { return ToKey(key); }

  static constexpr Bits kInfinityKey = kInfinity;
  static constexpr Bits kNegativeInfinityKey = static_cast<Bits>(~kInfinity);

  static constexpr bool IsFinite(Bits key) {
    return key < kInfinityKey && key > kNegativeInfinityKey;
  }
  static constexpr bool IsNan(Bits key) { return key > kInfinityKey || key < kNegativeInfinityKey; }
};

using Float16Format = FloatFormat<DataType::kFloat16, std::int16_t, 0x7c00>;
using BFloat16Format = FloatFormat<DataType::kBFloat16, std::int16_t, 0x7f80>;
using Float32Format = FloatFormat<DataType::kFloat32, std::int32_t, 0x7f800000>;
using Float64Format = FloatFormat<DataType::kFloat64, std::int64_t, 0x7ff0000000000000>;

/// The value of a key that is finite.
double ToDouble(Float16Format format, std::int16_t key);
double ToDouble(BFloat16Format format, std::int16_t key);
double ToDouble(Float32Format format, std::int32_t key);
double ToDouble(Float64Format format, std::int64_t key);

/// Calls `use` with the format of the type; false when it is none of floating-point numbers.
template <typename Use>
bool WithFloatFormat(DataType type, const Use& use) {
  switch (type) {
    case DataType::kFloat16:
      use(Float16Format{});
      return true;
    case DataType::kBFloat16:
      use(BFloat16Format{});
      return true;
    case DataType::kFloat32:
      use(Float32Format{});
      return true;
    case DataType::kFloat64:
      use(Float64Format{});
      return true;
    default:
      return false;
  }
}

}  // namespace backplane::execution
