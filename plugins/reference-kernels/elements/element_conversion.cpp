#include "elements/element_conversion.hpp"

#include "cpu_layers/float16.hpp"
#include "cpu_layers/quantised_number.hpp"
#include "elements/bfloat16.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace backplane {
namespace reference {
namespace {

template <typename Computed, typename Stored>
Computed Widened(Stored stored) {
  return static_cast<Computed>(stored);
}
template <>
float Widened(Float16 stored) {
  return ToFloat32(stored);
}
template <>
float Widened(BFloat16 stored) {
  return ToFloat32(stored);
}

template <typename Stored, typename Computed>
Stored Narrowed(Computed computed) {
  return static_cast<Stored>(computed);
}
template <>
Float16 Narrowed(float computed) {
  return ToFloat16(computed);
}
template <>
BFloat16 Narrowed(float computed) {
  return ToBFloat16(computed);
}

}  // namespace

template <typename Stored, typename Computed>
struct ElementConversion::Plain {
  static void Widen(const void* from, void* to, const Run& run) {
    const auto* stored = static_cast<const Stored*>(from) + run.begin;
    auto* computed = static_cast<Computed*>(to) + run.begin;
    for (std::int64_t i = 0; i < run.count; ++i) computed[i] = Widened<Computed>(stored[i]);
  }
  static void Narrow(const void* from, void* to, const Run& run) {
    const auto* computed = static_cast<const Computed*>(from) + run.begin;
    auto* stored = static_cast<Stored*>(to) + run.begin;
    for (std::int64_t i = 0; i < run.count; ++i) stored[i] = Narrowed<Stored>(computed[i]);
  }
};

template <typename Stored>
struct ElementConversion::Quantized {
  static void Widen(const void* from, void* to, const Run& run) {
    const auto* stored = static_cast<const Stored*>(from) + run.begin;
    auto* real = static_cast<double*>(to) + run.begin;
    for (std::int64_t i = 0; i < run.count; ++i) {
      real[i] = cpu_layers::ToReal(stored[i], run.scale, run.zero_point);
    }
  }
  static void Narrow(const void* from, void* to, const Run& run) {
    const auto* real = static_cast<const double*>(from) + run.begin;
    auto* stored = static_cast<Stored*>(to) + run.begin;
    for (std::int64_t i = 0; i < run.count; ++i) {
      stored[i] = cpu_layers::ToStored<Stored>(real[i], run.scale, run.zero_point);
    }
  }
};

ElementConversion::ElementConversion(const TensorInfo& info)
    : convert_(FindFunctions(info)),
      quantization_(info.quantization),
      num_elements_(info.shape.GetNumElements()),
      run_elements_(num_elements_) {
  if (!quantization_.IsPerAxis()) return;
  run_elements_ = 1;
  for (auto axis = static_cast<std::uint32_t>(quantization_.axis) + 1; axis < info.shape.rank;
       ++axis) {
    run_elements_ *= info.shape[axis];
  }
}

ElementConversion::Functions ElementConversion::FindFunctions(const TensorInfo& info) {
#define REFERENCE_CONVERSION(Case, ...) \
  case DataType::Case:                  \
    return {&__VA_ARGS__::Widen, &__VA_ARGS__::Narrow};
  if (info.quantization.IsQuantized()) {
    switch (info.data_type) {
      REFERENCE_CONVERSION(kInt8, Quantized<std::int8_t>)
      REFERENCE_CONVERSION(kUInt8, Quantized<std::uint8_t>)
      REFERENCE_CONVERSION(kInt16, Quantized<std::int16_t>)
      REFERENCE_CONVERSION(kUInt16, Quantized<std::uint16_t>)
      REFERENCE_CONVERSION(kInt32, Quantized<std::int32_t>)
      default:
        return {};
    }
  }
  switch (info.data_type) {
    REFERENCE_CONVERSION(kFloat16, Plain<Float16, float>)
    REFERENCE_CONVERSION(kBFloat16, Plain<BFloat16, float>)
    REFERENCE_CONVERSION(kInt8, Plain<std::int8_t, std::int64_t>)
    REFERENCE_CONVERSION(kUInt8, Plain<std::uint8_t, std::uint64_t>)
    REFERENCE_CONVERSION(kInt16, Plain<std::int16_t, std::int64_t>)
    REFERENCE_CONVERSION(kUInt16, Plain<std::uint16_t, std::uint64_t>)
    REFERENCE_CONVERSION(kInt32, Plain<std::int32_t, std::int64_t>)
    REFERENCE_CONVERSION(kUInt32, Plain<std::uint32_t, std::uint64_t>)
    default:
      return {};
  }
#undef REFERENCE_CONVERSION
}

std::uint64_t ElementConversion::GetComputedBytes() const {
  // No converted number is wider.
  return static_cast<std::uint64_t>(num_elements_) * sizeof(std::uint64_t);
}

void ElementConversion::Widen(const void* stored, void* computed) const {
  ForEachRun(convert_.widen, stored, computed);
}

void ElementConversion::Narrow(const void* computed, void* stored) const {
  ForEachRun(convert_.narrow, computed, stored);
}

void ElementConversion::ForEachRun(Function convert, const void* from, void* to) const {
  Run run = {0, run_elements_, 1.0, 0.0};
  const SharedVector<float>& scales = quantization_.scales;
  for (std::size_t index = 0; run.begin < num_elements_; run.begin += run_elements_, ++index) {
    if (!scales.empty()) {
      const std::size_t channel = index % scales.size();
      run.scale = static_cast<double>(scales[channel]);
      if (!quantization_.zero_points.empty()) run.zero_point = quantization_.zero_points[channel];
    }
    convert(from, to, run);
  }
}

}  // namespace reference
}  // namespace backplane
