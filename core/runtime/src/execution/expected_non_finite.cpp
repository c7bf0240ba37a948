#include "execution/expected_non_finite.hpp"

#include <backplane/api/descriptors.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace backplane::execution {

namespace {

double GetLargest(DataType type) {
  switch (type) {
    case DataType::kFloat16:
      return 65504;
    case DataType::kBFloat16:
      return 3.3895313892515355e38;
    case DataType::kFloat64:
      return 1.7976931348623157e308;
    default:
      return 3.4028234663852886e38;
  }
}

double GetMagnitude(const ValueRange& range) {
  return std::max(std::abs(range.least), std::abs(range.greatest));
}

double Count(const ValueRange& range) {
  return static_cast<double>(std::max<std::uint64_t>(range.num_values, 1));
}

bool Includes(const ValueRange& range, double value) {
  return range.least <= value && range.greatest >= value;
}

bool LiesWithin(const ValueRange& range, double least, double greatest) {
  return range.least >= least && range.greatest <= greatest;
}

struct UnaryRule {
  UnaryOperation operation;
  const char* text;
  bool (*applies)(const ValueRange& input, double largest);
};

constexpr UnaryRule kUnaryRules[] = {
    {UnaryOperation::kSqrt, "Sqrt gives NaN below 0",
     [](const ValueRange& input, double) { return input.least < 0; }},
    {UnaryOperation::kReciprocal, "Reciprocal gives infinity for 0, and for what is near it",
     [](const ValueRange& input, double largest) {
       return Includes(input, 0) ||
              1 / std::min(std::abs(input.least), std::abs(input.greatest)) > largest;
     }},
    {UnaryOperation::kExp, "Exp gives infinity for what is large",
     [](const ValueRange& input, double largest) { return input.greatest >= std::log(largest); }},
    {UnaryOperation::kLog, "Log gives -infinity for 0 and NaN below",
     [](const ValueRange& input, double) { return input.least <= 0; }},
    {UnaryOperation::kAsin, "Asin gives NaN beyond -1 and 1",
     [](const ValueRange& input, double) { return !LiesWithin(input, -1, 1); }},
    {UnaryOperation::kAcos, "Acos gives NaN beyond -1 and 1",
     [](const ValueRange& input, double) { return !LiesWithin(input, -1, 1); }},
    {UnaryOperation::kSinh, "Sinh gives an infinity for what is large",
     [](const ValueRange& input, double largest) {
       return GetMagnitude(input) >= std::log(largest);
     }},
    {UnaryOperation::kCosh, "Cosh gives infinity for what is large",
     [](const ValueRange& input, double largest) {
       return GetMagnitude(input) >= std::log(largest);
     }},
    {UnaryOperation::kAcosh, "Acosh gives NaN below 1",
     [](const ValueRange& input, double) { return input.least < 1; }},
    {UnaryOperation::kAtanh, "Atanh gives an infinity for -1 and 1 and NaN beyond",
     [](const ValueRange& input, double) { return GetMagnitude(input) >= 1; }},
};

std::string ExplainUnary(const Layer& layer, const ValueRange& input, double largest) {
  const auto operation = CopyDescriptor<ElementwiseUnaryDescriptor>(*layer.descriptor).operation;
  for (const UnaryRule& rule : kUnaryRules) {
    if (rule.operation == operation && rule.applies(input, largest)) return rule.text;
  }
  return "";
}

struct BinaryRule {
  BinaryOperation operation;
  const char* text;
  bool (*applies)(const ValueRange& a, const ValueRange& b, double largest);
};

constexpr BinaryRule kBinaryRules[] = {
    {BinaryOperation::kAdd, "the sum can be too large for the data type",
     [](const ValueRange& a, const ValueRange& b, double largest) {
       return GetMagnitude(a) + GetMagnitude(b) > largest;
     }},
    {BinaryOperation::kSub, "the difference can be too large for the data type",
     [](const ValueRange& a, const ValueRange& b, double largest) {
       return GetMagnitude(a) + GetMagnitude(b) > largest;
     }},
    {BinaryOperation::kMul, "the product can be too large for the data type",
     [](const ValueRange& a, const ValueRange& b, double largest) {
       return GetMagnitude(a) * GetMagnitude(b) > largest;
     }},
    {BinaryOperation::kDiv, "a number divided by 0 is an infinity, and 0 divided by 0 is NaN",
     [](const ValueRange&, const ValueRange& b, double) { return Includes(b, 0); }},
    {BinaryOperation::kDiv, "the quotient can be too large for the data type",
     [](const ValueRange& a, const ValueRange& b, double largest) {
       return GetMagnitude(a) / std::min(std::abs(b.least), std::abs(b.greatest)) > largest;
     }},
    {BinaryOperation::kPower,
     "0 raised to a negative number is infinity, and a negative one raised to a fraction is NaN",
     [](const ValueRange& a, const ValueRange& b, double) {
       return a.least < 0 || (Includes(a, 0) && b.least < 0);
     }},
    {BinaryOperation::kPower, "the power can be too large for the data type",
     [](const ValueRange& a, const ValueRange& b, double largest) {
       return std::max({std::pow(a.greatest, b.greatest), std::pow(a.least, b.least)}) > largest;
     }},
    {BinaryOperation::kModulo, "what is left of a division by 0 is NaN",
     [](const ValueRange&, const ValueRange& b, double) { return Includes(b, 0); }},
    {BinaryOperation::kRemainder, "what is left of a division by 0 is NaN",
     [](const ValueRange&, const ValueRange& b, double) { return Includes(b, 0); }},
    {BinaryOperation::kSquaredDifference, "the square can be too large for the data type",
     [](const ValueRange& a, const ValueRange& b, double largest) {
       return std::pow(GetMagnitude(a) + GetMagnitude(b), 2) > largest;
     }},
};

std::string ExplainBinary(const Layer& layer, const ValueRange& a, const ValueRange& b,
                          double largest) {
  const auto operation = CopyDescriptor<ElementwiseBinaryDescriptor>(*layer.descriptor).operation;
  for (const BinaryRule& rule : kBinaryRules) {
    if (rule.operation == operation && rule.applies(a, b, largest)) return rule.text;
  }
  return "";
}

std::string ExplainActivation(const Layer& layer, const ValueRange& input, double largest) {
  const auto activation = CopyDescriptor<ActivationDescriptor>(*layer.descriptor);
  const bool is_linear = activation.function == ActivationFunction::kLinear;
  if (!is_linear && activation.function != ActivationFunction::kLeakyRelu) return "";
  const double added = is_linear ? std::abs(activation.beta) : 0;
  return GetMagnitude(input) * std::abs(activation.alpha) + added > largest
             ? "the product can be too large for the data type"
             : "";
}

/// As if all elements were multiplied with each other.
std::string ExplainSumOfProducts(const ValueRange& a, const ValueRange& b, double largest) {
  const double most = GetMagnitude(a) * GetMagnitude(b) * std::min(Count(a), Count(b));
  return most > largest ? "the sum of the products can be too large for the data type" : "";
}

std::string ExplainReduce(const Layer& layer, const ValueRange& input, double largest) {
  if (!input.has_values) return "it reduces no elements";
  switch (CopyDescriptor<ReduceDescriptor>(*layer.descriptor).operation) {
    case ReduceOperation::kLogSum:
      return input.least <= 0 ? "the logarithm of a sum of 0 is -infinity, below it is NaN" : "";
    case ReduceOperation::kSum:
    case ReduceOperation::kL1:
      return GetMagnitude(input) * Count(input) > largest
                 ? "the sum can be too large for the data type"
                 : "";
    case ReduceOperation::kProduct:
      return std::pow(GetMagnitude(input), Count(input)) > largest
                 ? "the product can be too large for the data type"
                 : "";
    case ReduceOperation::kSumSquare:
    case ReduceOperation::kL2:
      return std::pow(GetMagnitude(input), 2) * Count(input) > largest
                 ? "the sum of the squares can be too large for the data type"
                 : "";
    default:
      return "";
  }
}

std::string ExplainCast(const ValueRange& input, DataType from, DataType to) {
  // The values of integers are not looked at; those of 64 bits fit every type but float16.
  const bool may_be_large =
      CanBeNonFinite(from) ? GetMagnitude(input) > GetLargest(to) : to == DataType::kFloat16;
  return may_be_large ? "what is cast can be too large for the data type" : "";
}

std::string ExplainNorm(const ValueRange& input) {
  return Includes(input, 0) ? "what has the norm 0 cannot be divided by it" : "";
}

}  // namespace

std::string ExplainNonFinite(const Layer& layer, const std::vector<ValueRange>& inputs,
                             const std::vector<DataType>& types) {
  if (inputs.empty() || layer.outputs.empty()) return "";
  const double largest = GetLargest(layer.outputs.front().data_type);
  switch (layer.type) {
    case LayerType::kElementwiseUnary:
      return ExplainUnary(layer, inputs[0], largest);
    case LayerType::kElementwiseBinary:
      return inputs.size() == 2 ? ExplainBinary(layer, inputs[0], inputs[1], largest) : "";
    case LayerType::kActivation:
      return ExplainActivation(layer, inputs[0], largest);
    case LayerType::kBatchMatMul:
    case LayerType::kFullyConnected:
    case LayerType::kConvolution:
    case LayerType::kTransposedConvolution:
      return inputs.size() >= 2 ? ExplainSumOfProducts(inputs[0], inputs[1], largest) : "";
    case LayerType::kReduce:
      return ExplainReduce(layer, inputs[0], largest);
    case LayerType::kCast:
      return ExplainCast(inputs[0], types[0], layer.outputs.front().data_type);
    case LayerType::kLpNormalization:
      return ExplainNorm(inputs[0]);
    default:
      return "";
  }
}

}  // namespace backplane::execution
