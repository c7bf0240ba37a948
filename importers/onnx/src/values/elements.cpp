#include "values/elements.hpp"

#include "tensors/element_types.hpp"

#include <backplane/api/narrow_types.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

namespace backplane::onnx {
namespace {

std::int64_t CutOff(double value) {
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (std::isnan(value)) return 0;
  if (value >= kLimit) return std::numeric_limits<std::int64_t>::max();
  if (value < -kLimit) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(value);
}

template <typename Number, typename Element>
Number FromElement(Element element) {
  if constexpr (std::is_same_v<Element, Float16> || std::is_same_v<Element, BFloat16>) {
    return FromElement<Number>(ToFloat(element));
  } else if constexpr (std::is_same_v<Number, std::int64_t> && std::is_floating_point_v<Element>) {
    return CutOff(static_cast<double>(element));
  } else {
    return static_cast<Number>(element);
  }
}

template <typename Element, typename Number>
Element ToElement(Number number) {
  if constexpr (std::is_same_v<Element, Float16>) {
    return ToFloat16(static_cast<double>(number));
  } else if constexpr (std::is_same_v<Element, BFloat16>) {
    return ToBFloat16(static_cast<float>(number));
  } else if constexpr (std::is_same_v<Element, bool>) {
    return number != 0;
  } else if constexpr (std::is_same_v<Element, std::uint64_t> && std::is_same_v<Number, double>) {
    constexpr double kHalf = 9223372036854775808.0;  // 2^63
    if (number < kHalf) return static_cast<std::uint64_t>(CutOff(number));
    return static_cast<std::uint64_t>(CutOff(number - kHalf)) + (std::uint64_t{1} << 63U);
  } else if constexpr (std::is_integral_v<Element> && std::is_same_v<Number, double>) {
    return static_cast<Element>(CutOff(number));
  } else {
    return static_cast<Element>(number);
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

template <typename Number>
Value MakeNarrowElements(const TensorInfo& info, const std::vector<Number>& numbers) {
  std::vector<std::uint8_t> elements;
  elements.reserve(numbers.size());
  for (const Number number : numbers) {
    const auto whole = static_cast<std::uint64_t>(FromElement<std::int64_t>(number));
    elements.push_back(IsNarrowInteger(info.data_type)
                           ? EncodeNarrowInteger(info.data_type, whole)
                           : EncodeNarrowFloat(info.data_type, static_cast<double>(number)));
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
template Value MakeElements(const TensorInfo& info, const std::vector<double>& numbers);
template Value MakeElements(const TensorInfo& info, const std::vector<std::int64_t>& numbers);

}  // namespace backplane::onnx
