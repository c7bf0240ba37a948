#include "conformance/limits.hpp"
#include "conformance/random_operands.hpp"

#include <backplane/api/descriptors/elementwise_binary.hpp>

#include <algorithm>
#include <cmath>

namespace backplane {
namespace conformance {
namespace elementwise_binary {

std::vector<LayerCase> MakeCases(Random& random) {
  return MakeCaseOfEach<ElementwiseBinaryDescriptor>(LayerType::kElementwiseBinary,
                                                     BinaryOperation::kSquaredDifference, random);
}

LayerTraits GetTraits(const LayerCase& layer) {
  LayerTraits traits = {PlainTypes::kNumbers, QuantisedTypes::kCalculated};
  switch (layer.Get<ElementwiseBinaryDescriptor>().operation) {
    case BinaryOperation::kAdd:
    case BinaryOperation::kSub:
    case BinaryOperation::kMul:
    case BinaryOperation::kPower:
    case BinaryOperation::kSquaredDifference:
      traits.integers = IntegerResults::kWrap;
      return traits;
    default:
      return traits;
  }
}

template <typename Number>
Number GetRest(Number a, Number b, bool has_sign_of_divisor) {
  if constexpr (kIsReal<Number>) {
    const Number rest = std::fmod(a, b);
    return has_sign_of_divisor && rest * b < 0 ? rest + b : rest;
  } else {
    if (b == Number{0}) return Number{0};
    return has_sign_of_divisor ? (a % b + b) % b : a % b;
  }
}

template <typename Number>
Number Raise(Number base, Number exponent) {
  if constexpr (kIsReal<Number>) {
    return std::pow(base, exponent);
  } else {
    if (exponent == Number{0}) return Number{1};
    if (static_cast<Wide>(exponent) > 0) {
      const Number root = Raise<Number>(base * base, exponent / Number{2});
      return exponent % Number{2} == Number{0} ? root : root * base;
    }
    const bool is_one = base == Number{1} || base == static_cast<Number>(-1);
    return is_one ? Raise<Number>(base, -exponent) : Number{0};
  }
}

template <typename Number>
Number Combine(BinaryOperation operation, Number a, Number b) {
  switch (operation) {
    case BinaryOperation::kAdd:
      return a + b;
    case BinaryOperation::kSub:
      return a - b;
    case BinaryOperation::kMul:
      return a * b;
    case BinaryOperation::kDiv:
      return b == Number{0} && !kIsReal<Number> ? Number{0} : a / b;
    case BinaryOperation::kMaximum:
      return std::max(a, b);
    case BinaryOperation::kMinimum:
      return std::min(a, b);
    case BinaryOperation::kPower:
      return Raise(a, b);
    case BinaryOperation::kModulo:
      return GetRest(a, b, true);
    case BinaryOperation::kRemainder:
      return GetRest(a, b, false);
    case BinaryOperation::kSquaredDifference:
      return a * a - Number{2} * a * b + b * b;
  }
  return Number{0};
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  const BinaryOperation operation = layer.Get<ElementwiseBinaryDescriptor>().operation;
  return EvaluatePairs<Number>(layer, inputs, output, [operation](Number a, Number b) {
    return Combine<Number>(operation, a, b);
  });
}

LayerCase Describe(BinaryOperation operation, const std::vector<TensorShape>& inputs,
                   const TensorShape& output) {
  ElementwiseBinaryDescriptor descriptor;
  descriptor.operation = operation;
  return MakeCase(LayerType::kElementwiseBinary, descriptor, inputs, output);
}

EdgeCase Pair(DataType type, BinaryOperation operation, const Elements& a, const Elements& b,
              const Elements& output) {
  const TensorShape shape = {static_cast<std::int64_t>(a.size())};
  return {As(type, Describe(operation, {shape, shape}, shape)), {a, b}, {output}};
}

using Operation = BinaryOperation;

/// Operands of every rank with random axes of 1, and long rows.
void AddBroadcasts(std::vector<EdgeCase>& edges) {
  Random random(10);
  for (int round = 0; round < 60; ++round) {
    const TensorShape full = random.Shape(random.Word(0, kMaxRank), 1, 3);
    TensorShape shapes[2];
    TensorShape output;
    for (TensorShape& shape : shapes) {
      for (std::uint32_t axis = random.Word(0, full.rank); axis < full.rank; ++axis) {
        shape.Append(random.Integer(0, 1) == 0 ? 1 : full[axis]);
      }
    }
    for (std::uint32_t i = std::max(shapes[0].rank, shapes[1].rank); i-- > 0;) {
      const auto get = [i](const TensorShape& shape) {
        return i < shape.rank ? shape[shape.rank - 1 - i] : 1;
      };
      output.Append(std::max(get(shapes[0]), get(shapes[1])));
    }
    edges.push_back({Describe(Operation{random.Word(1, 3)}, {shapes[0], shapes[1]}, output)});
  }
  for (const TensorShape& other : {TensorShape{3, 67}, TensorShape{}, TensorShape{67}}) {
    edges.push_back({Describe(Operation::kMaximum, {{3, 67}, other}, {3, 67})});
    edges.push_back({Describe(Operation::kSub, {other, {3, 67}}, {3, 67})});
  }
  edges.push_back({Describe(Operation::kSub, {{3, 1}, {3, 67}}, {3, 67})});
  edges.push_back({Describe(Operation::kAdd, {{2, 0}, {2, 1}}, {2, 0}), {{}, {1, 2}}, {{}}});
}

void AddIntegers(std::vector<EdgeCase>& edges) {
  constexpr std::uint64_t kMost64 = 0xffffffffffffffffU;
  constexpr std::int64_t kLeast32 = -2147483648LL;
  const auto add = [&](DataType type, Operation operation, const Elements& a, const Elements& b,
                       const Elements& output) {
    edges.push_back(Pair(type, operation, a, b, output));
  };
  // They wrap around.
  add(DataType::kInt8, Operation::kAdd, {127, -128}, {1, -1}, {-128, 127});
  add(DataType::kUInt8, Operation::kSub, {0, 5}, {1, 7}, {255, 254});
  add(DataType::kUInt16, Operation::kMul, {0x8001}, {2}, {2});
  add(DataType::kInt64, Operation::kAdd, {kMost, kLeast}, {1, kLeast}, {kLeast, 0});
  add(DataType::kUInt64, Operation::kMul, {kMost64}, {kMost64}, {1});
  add(DataType::kUInt8, Operation::kSquaredDifference, {3, 0, 255}, {5, 16, 0}, {4, 0, 1});
  // Quotients are rounded towards 0, and by 0 they are 0.
  add(DataType::kInt32, Operation::kDiv, {-7, 7, 7, 0}, {2, -2, 0, 0}, {-3, -3, 0, 0});
  add(DataType::kUInt64, Operation::kDiv, {kMost64, 5}, {2, 0}, {kMost64 / 2, 0});
  add(DataType::kInt8, Operation::kDiv, {-128}, {-1}, {-128});
  add(DataType::kInt32, Operation::kDiv, {kLeast32}, {-1}, {kLeast32});
  add(DataType::kInt64, Operation::kDiv, {kLeast}, {-1}, {kLeast});
  add(DataType::kUInt64, Operation::kMaximum, {kMost64}, {1}, {kMost64});
  add(DataType::kInt64, Operation::kMaximum, {-1}, {1}, {1});
  // Modulo has the sign of the divisor, Remainder that of the dividend.
  const Elements dividends = {7, -7, 7, -7, 6, kLeast32, 5};
  const Elements divisors = {3, 3, -3, -3, 3, -1, 0};
  add(DataType::kInt32, Operation::kModulo, dividends, divisors, {1, 2, -2, -1, 0, 0, 0});
  add(DataType::kInt32, Operation::kRemainder, dividends, divisors, {1, -1, 1, -1, 0, 0, 0});
  add(DataType::kInt64, Operation::kModulo, {kLeast, kLeast, kMost}, {-1, 10, kLeast}, {0, 2, -1});
  add(DataType::kUInt64, Operation::kModulo, {kMost64, 3, 3}, {kMost64 - 1, kMost64, 0}, {1, 3, 0});
  // Of negative exponents, what is left of the quotient.
  add(DataType::kInt8, Operation::kPower, {2, 3, -2, 0, -1, -1, 1, 2, 0},
      {7, 4, 3, 0, -3, -2, -5, -1, -1}, {-128, 81, -8, 1, -1, 1, 1, 0, 0});
  add(DataType::kInt64, Operation::kPower, {-1, -1, 3, 1}, {kLeast, kMost, 40, kLeast},
      {1, -1, -6289078614652622815LL, 1});
  add(DataType::kUInt64, Operation::kPower, {2, 2, kMost64}, {63, 64, kMost64},
      {0x1p63L, 0, kMost64});
}

void AddFloats(std::vector<EdgeCase>& edges) {
  const auto add = [&](Operation operation, const Elements& a, const Elements& b,
                       const Elements& output) {
    edges.push_back(Pair(DataType::kFloat32, operation, a, b, output));
  };
  add(Operation::kDiv, {1, -1, 0}, {0, 0, 0}, {kInfinity, -kInfinity, kNaN});
  const Elements a = {kNaN, 1, -kInfinity, kNaN};
  const Elements b = {1, kNaN, 2, kNaN};
  add(Operation::kMaximum, a, b, {kNaN, kNaN, 2, kNaN});
  add(Operation::kMinimum, a, b, {kNaN, kNaN, -kInfinity, kNaN});
  const Elements reals = {7.5L, -7.5L, 7.5L, -7.5L};
  const Elements divisors = {2, 2, -2, -2};
  add(Operation::kModulo, reals, divisors, {1.5L, 0.5L, -0.5L, -1.5L});
  add(Operation::kRemainder, reals, divisors, {1.5L, -1.5L, 1.5L, -1.5L});
  // Nothing is left of infinity and by 0.
  for (const Operation operation : {Operation::kModulo, Operation::kRemainder}) {
    add(operation, {kInfinity, 1, kNaN, 1.5L}, {2, 0, 1, kInfinity}, {kNaN, kNaN, kNaN, 1.5L});
  }
  add(Operation::kPower, {-8, 0, 0, kNaN, 1, -2, 0.5L}, {1.0L / 3, 0, -1, 0, kNaN, 3, kInfinity},
      {kNaN, 1, kInfinity, 1, 1, -8, 0});
  edges.push_back(
      Pair(DataType::kFloat16, Operation::kAdd, {kInfinity, kNaN, 65504, 0x1p-24L, kInfinity},
           {1, 1, 65504, 0x1p-24L, -kInfinity}, {kInfinity, kNaN, kInfinity, 0x1p-23L, kNaN}));
}

EdgeCase QuantisedPair(Operation operation, const OwnTensor& input, const OwnTensor& output,
                       const Elements& a, const Elements& b, const Elements& expected) {
  EdgeCase edge = Pair(DataType::kFloat32, operation, a, b, expected);
  OwnTensor second = input;
  second.index = 1;
  edge.layer = With(edge.layer, {input, second}, {output});
  return edge;
}

void AddQuantised(std::vector<EdgeCase>& edges) {
  const OwnTensor halves = MakeOwn(0, DataType::kUInt8, {0.5F}, {3});
  // Ties go to even, and results saturate.
  edges.push_back(QuantisedPair(Operation::kAdd, MakeOwn(0, DataType::kInt8, {1}, {0}),
                                MakeOwn(0, DataType::kInt8, {2}, {100}), {1, 3, -1, -3, 100, -128},
                                {0, 0, 0, 0, 100, -128}, {100, 102, 100, 98, 127, -28}));
  // Nothing divided by nothing is 0.
  edges.push_back(
      QuantisedPair(Operation::kDiv, halves, halves, {3, 4, 2}, {3, 3, 3}, {3, 255, 0}));
  edges.push_back(QuantisedPair(Operation::kAdd, MakeOwn(0, DataType::kInt8, {1e30F}, {0}),
                                MakeOwn(0, DataType::kInt8, {1e-30F}, {5}), {-128}, {1}, {-128}));
  // 1.5 * 1 + 1 = 2.5, and with the zero point 1 in it 3.5.
  edges.push_back(
      {With(Describe(Operation::kAdd, {{1}, {1}}, {1}),
            {MakeOwn(0, DataType::kUInt8, {1.5F}, {0}), MakeOwn(1, DataType::kUInt8, {1}, {0})},
            {MakeOwn(0, DataType::kUInt8, {1}, {1})}),
       {{1}, {1}},
       {{4}}});
}

std::vector<EdgeCase> MakeEdges() {
  std::vector<EdgeCase> edges;
  AddBroadcasts(edges);
  AddIntegers(edges);
  AddFloats(edges);
  AddQuantised(edges);
  return edges;
}

std::vector<RefusedCase> MakeRefused() {
  const LayerCase plain = Describe(Operation::kAdd, {{2}, {2}}, {2});
  const OwnTensor quantised = MakeScaled(0, 0, 1);
  return {
      {Describe(Operation{11}, {{1}, {1}}, {1}), "invalid-descriptor", "number 11", "Minimum",
       "binary operation 11 is not supported, only 1 (Add) to 10 (SquaredDifference)"},
      {Describe(Operation::kAdd, {{2, 3}, {2}}, {2, 3}), "wrong-shape", "[2, 3] and [2]",
       "equal or 1", "the shapes [2, 3] of input 0 and [2] of input 1 do not broadcast"},
      {Describe(Operation::kAdd, {{0}, {3}}, {0}), "wrong-shape", "[0] and [3]", "equal or 1",
       "the shapes [0] of input 0 and [3] of input 1 do not broadcast"},
      {With(plain, {MakeOwn(1, DataType::kInt64)}), "wrong-data-type", "int64 [2] as input 1",
       "float32, the type of input 0",
       "data type int64 of input 1 differs from float32 of input 0"},
      {As(DataType::kBool, plain), "wrong-data-type", "bool [2]", "int64, uint64",
       "data type bool of input 0 is not supported, only float32, float16, bfloat16, float64, "
       "int8, uint8, int16, uint16, int32, uint32, int64, uint64, and quantised int8, uint8, "
       "int16, uint16, int32; data type bool of input 1 is not supported, only float32, float16, "
       "bfloat16, float64, int8, uint8, int16, uint16, int32, uint32, int64, uint64, and quantised "
       "int8, uint8, int16, uint16, int32; data type bool of the output is not supported, only "
       "float32, float16, bfloat16, float64, int8, uint8, int16, uint16, int32, uint32, int64, "
       "uint64, and quantised int8, uint8, int16, uint16, int32"},
      {With(plain, {MakeOwn(1, DataType::kBool)}), "wrong-data-type", "bool [2]", "float32",
       std::string("data type bool of input 1") + kOnlyNumbers},
      {As(DataType::kInt8, With(plain, {quantised}, {quantised})), "wrong-data-type",
       "quantized int8 [2] as input 0 and int8 [2] as input 1", "all of them or none",
       "input 1 is not quantised, but input 0 is"},
      {As(DataType::kInt8, With(plain, {}, {quantised})), "wrong-data-type",
       "found quantized int8 stated", "no quantized inputs",
       "the output is quantised, but input 0 is not"},
  };
}

}  // namespace elementwise_binary

BACKPLANE_ORACLE(ElementwiseBinary, elementwise_binary, elementwise_binary::GetTraits(layer));

}  // namespace conformance
}  // namespace backplane
