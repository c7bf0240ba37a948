#include "results/compare.hpp"

#include "tensors/elements.hpp"
#include "tensors/shape_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>
#include <type_traits>

namespace backplane::execute_network {
namespace {

template <typename Element>
std::vector<Element> ReadAs(const onnx::NamedTensor& tensor) {
  std::vector<Element> elements(tensor.data.size() / sizeof(Element));
  if (!elements.empty()) std::memcpy(elements.data(), tensor.data.data(), tensor.data.size());
  return elements;
}

double FindLargest(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

template <typename Value>
std::string DescribeElement(std::size_t index, Value found, Value expected, double allowed) {
  std::ostringstream text;
  text.precision(9);
  text << "element " << index << " is " << +found << ", expected " << +expected;
  if (allowed > 0) text << " +- " << allowed;
  return text.str();
}

Comparison CompareFloats(const std::vector<double>& found, const std::vector<double>& expected,
                         const Tolerance& tolerance) {
  const double common = tolerance.absolute + tolerance.of_max * FindLargest(expected);
  Comparison comparison;
  comparison.max_abs_error = 0;
  comparison.allowed_base = common;
  comparison.allowed_relative = tolerance.relative;
  double worst_excess = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] == expected[i] || (std::isnan(found[i]) && std::isnan(expected[i]))) continue;
    const double error = std::abs(found[i] - expected[i]);
    if (std::isfinite(error)) {
      comparison.max_abs_error = std::max(*comparison.max_abs_error, error);
    }
    const double allowed = common + tolerance.relative * std::abs(expected[i]);
    if (std::isfinite(error) && error <= allowed) continue;
    const double excess = std::isfinite(error) ? error / allowed : INFINITY;
    if (excess <= worst_excess) continue;
    worst_excess = excess;
    comparison.difference = DescribeElement(i, found[i], expected[i], allowed);
    comparison.worst = {i, found[i], expected[i], allowed};
  }
  comparison.is_equal = comparison.difference.empty();
  return comparison;
}

template <typename Element>
Comparison CompareExactly(const onnx::NamedTensor& found, const onnx::NamedTensor& expected) {
  const auto a = ReadAs<Element>(found);
  const auto b = ReadAs<Element>(expected);
  Comparison comparison;
  comparison.max_abs_error = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    // The difference of the larger and the smaller fits the unsigned type.
    using Unsigned = std::make_unsigned_t<Element>;
    const auto error = static_cast<double>(static_cast<Unsigned>(
        static_cast<Unsigned>(std::max(a[i], b[i])) - static_cast<Unsigned>(std::min(a[i], b[i]))));
    if (error <= *comparison.max_abs_error) continue;
    comparison.max_abs_error = error;
    comparison.difference = DescribeElement(i, a[i], b[i], 0);
    comparison.worst = {i, static_cast<double>(a[i]), static_cast<double>(b[i]), 0};
  }
  comparison.is_equal = comparison.difference.empty();
  return comparison;
}

std::string Describe(const TensorInfo& info) {
  return ToText(info.shape) + " " + GetDataTypeName(info.data_type);
}

}  // namespace

std::string DescribeTolerance(const Comparison& comparison) {
  if (comparison.allowed_base == 0 && comparison.allowed_relative == 0) return "exact";
  std::ostringstream text;
  text.precision(3);
  text << comparison.allowed_base << " + " << comparison.allowed_relative << "|b|";
  return text.str();
}

Comparison Compare(const onnx::NamedTensor& found, const onnx::NamedTensor& expected,
                   const WantedTolerance& wanted) {
  if (found.info.shape != expected.info.shape || found.info.data_type != expected.info.data_type) {
    Comparison comparison;
    comparison.difference =
        "it is " + Describe(found.info) + ", expected " + Describe(expected.info);
    return comparison;
  }
  switch (found.info.data_type) {
    case DataType::kInt8:
    case DataType::kInt4:
    case DataType::kInt2:
      return CompareExactly<std::int8_t>(found, expected);
    case DataType::kBool:
    case DataType::kUInt8:
    case DataType::kUInt4:
    case DataType::kUInt2:
      return CompareExactly<std::uint8_t>(found, expected);
    case DataType::kInt16:
      return CompareExactly<std::int16_t>(found, expected);
    case DataType::kUInt16:
      return CompareExactly<std::uint16_t>(found, expected);
    case DataType::kInt32:
      return CompareExactly<std::int32_t>(found, expected);
    case DataType::kUInt32:
      return CompareExactly<std::uint32_t>(found, expected);
    case DataType::kInt64:
      return CompareExactly<std::int64_t>(found, expected);
    case DataType::kUInt64:
      return CompareExactly<std::uint64_t>(found, expected);
    default:
      return CompareFloats(ReadElements(found), ReadElements(expected),
                           GetTolerance(found.info.data_type, wanted));
  }
}

}  // namespace backplane::execute_network
