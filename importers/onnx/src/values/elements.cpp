#include "values/elements.hpp"

#include "tensors/element_types.hpp"

#include <backplane/api/narrow_types.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

namespace backplane::onnx {
namespace {

template <typename Integer>
Integer CutOff(double value) {
  using Limits = std::numeric_limits<Integer>;
  if (std::isnan(value)) return 0;
  if (value >= std::ldexp(1.0, Limits::digits)) return Limits::max();
  if (value < static_cast<double>(Limits::min())) return Limits::min();
  return static_cast<Integer>(value);
}

/// A real number that a float of fewer digits than float32 rounds from as from the number: where an
/// integer is beyond float64, with an odd last digit, which is never a tie.
template <typename Number>
double ToRoundable(Number number) {
  if constexpr (std::is_floating_point_v<Number>) {
    return static_cast<double>(number);
  } else {
    constexpr std::uint64_t kBehind = 0x7ffU;
    const bool is_negative = number < 0;
    auto magnitude = static_cast<std::uint64_t>(number);
    if (is_negative) magnitude = 0 - magnitude;
    if (magnitude >> 53U != 0 && (magnitude & kBehind) != 0) {
      magnitude = (magnitude & ~kBehind) | (kBehind + 1);
    }
    const auto real = static_cast<double>(magnitude);
    return is_negative ? -real : real;
  }
}

template <typename Number, typename Element>
Number FromElement(Element element) {
  if constexpr (std::is_same_v<Element, Float16> || std::is_same_v<Element, BFloat16>) {
    return FromElement<Number>(ToFloat(element));
  } else if constexpr (std::is_integral_v<Number> && std::is_floating_point_v<Element>) {
    return CutOff<Number>(static_cast<double>(element));
  } else {
    return static_cast<Number>(element);
  }
}

template <typename Element, typename Number>
Element ToElement(Number number) {
  if constexpr (std::is_same_v<Element, Float16>) {
    return ToFloat16(ToRoundable(number));
  } else if constexpr (std::is_same_v<Element, BFloat16>) {
    return ToBFloat16(ToRoundable(number));
  } else if constexpr (std::is_same_v<Element, bool>) {
    return number != 0;
  } else {
    return FromElement<Element>(number);
  }
}

template <typename Number>
std::vector<Number> ReadNarrowElements(const Value& constant, std::size_t count) {
  const DataType type = constant.info.data_type;
  const auto* source = static_cast<const std::uint8_t*>(constant.data.get());
  std::vector<Number> numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    numbers[i] = IsNarrowInteger(type) ? FromElement<Number>(DecodeNarrowInteger(type, source[i]))
                                       : FromElement<Number>(DecodeNarrowFloat(type, source[i]));
  }
  return numbers;
}

/// A number whose lowest bits a narrow integer has.
template <typename Number>
std::uint64_t ToWhole(Number number) {
  if constexpr (std::is_integral_v<Number>) {
    return static_cast<std::uint64_t>(number);
  } else {
    return static_cast<std::uint64_t>(CutOff<std::int32_t>(std::nearbyint(number)));
  }
}

template <typename Number>
Value MakeNarrowElements(const TensorInfo& info, const std::vector<Number>& numbers) {
  std::vector<std::uint8_t> elements;
  elements.reserve(numbers.size());
  for (const Number number : numbers) {
    elements.push_back(IsNarrowInteger(info.data_type)
                           ? EncodeNarrowInteger(info.data_type, ToWhole(number))
                           : EncodeNarrowFloat(info.data_type, ToRoundable(number)));
  }
  return MakeConstant(info, static_cast<const void*>(elements.data()));
}

}  // namespace

template <typename Number>
std::vector<Number> ReadElements(const Value& constant) {
  const auto count = static_cast<std::size_t>(constant.info.shape.GetNumElements());
  if (IsNarrowType(constant.info.data_type)) return ReadNarrowElements<Number>(constant, count);
  return VisitElementType(constant.info.data_type, [&](auto type) {
    using Element = typename decltype(type)::Type;
    const auto* source = static_cast<const Element*>(constant.data.get());
    std::vector<Number> numbers(count);
    for (std::size_t i = 0; i < count; ++i) numbers[i] = FromElement<Number>(source[i]);
    return numbers;
  });
}

template <typename Number>
Value MakeElements(const TensorInfo& info, const std::vector<Number>& numbers) {
  if (IsNarrowType(info.data_type)) return MakeNarrowElements(info, numbers);
  return VisitElementType(info.data_type, [&](auto type) {
    using Element = typename decltype(type)::Type;
    // Not a vector, which has no array of bool.
    const auto elements = std::make_unique<Element[]>(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      elements[i] = ToElement<Element>(numbers[i]);
    }
    return MakeConstant(info, static_cast<const void*>(elements.get()));
  });
}

template std::vector<double> ReadElements(const Value& constant);
template std::vector<std::int64_t> ReadElements(const Value& constant);
template std::vector<std::uint64_t> ReadElements(const Value& constant);
template Value MakeElements(const TensorInfo& info, const std::vector<double>& numbers);
template Value MakeElements(const TensorInfo& info, const std::vector<std::int64_t>& numbers);
template Value MakeElements(const TensorInfo& info, const std::vector<std::uint64_t>& numbers);

}  // namespace backplane::onnx
