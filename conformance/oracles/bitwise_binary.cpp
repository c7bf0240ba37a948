#include "conformance/random_operands.hpp"

#include <backplane/api/descriptors/bitwise_binary.hpp>

namespace backplane {
namespace conformance {
namespace bitwise_binary {

std::vector<LayerCase> MakeCases(Random& random) {
  return MakeCaseOfEach<BitwiseBinaryDescriptor>(LayerType::kBitwiseBinary,
                                                 BitwiseOperation::kShiftRight, random);
}

/// One place after the other. No integer has more than 64 bits, so that more places change nothing.
Wide Shift(Wide value, Wide amount, bool to_left) {
  if (amount < 0 || amount > 64) amount = 64;
  for (; amount > 0; --amount) {
    const Wide is_odd = value & 1;
    value = to_left ? static_cast<Wide>(static_cast<Ring>(value) * 2) : (value - is_odd) / 2;
  }
  return value;
}

Wide CombineBits(BitwiseOperation operation, Wide a, Wide b) {
  switch (operation) {
    case BitwiseOperation::kAnd:
      return a & b;
    case BitwiseOperation::kOr:
      return a | b;
    case BitwiseOperation::kXor:
      return a ^ b;
    default:
      return Shift(a, b, operation == BitwiseOperation::kShiftLeft);
  }
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  const BitwiseOperation operation = layer.Get<BitwiseBinaryDescriptor>().operation;
  return EvaluatePairs<Number>(layer, inputs, output, [operation](Number a, Number b) {
    return CombineBits(operation, static_cast<Wide>(a), static_cast<Wide>(b));
  });
}

LayerCase Describe(BitwiseOperation operation, DataType type, const TensorShape& a,
                   const TensorShape& b, const TensorShape& output) {
  BitwiseBinaryDescriptor descriptor;
  descriptor.operation = operation;
  return As(type, MakeCase(LayerType::kBitwiseBinary, descriptor, {a, b}, output));
}

EdgeCase Pair(BitwiseOperation operation, DataType type, const Elements& a, const Elements& b,
              const Elements& output) {
  const TensorShape shape = {static_cast<std::int64_t>(a.size())};
  return {Describe(operation, type, shape, shape, shape), {a, b}, {output}};
}

constexpr DataType kIntegerTypes[] = {DataType::kInt8,   DataType::kUInt8, DataType::kInt16,
                                      DataType::kUInt16, DataType::kInt32, DataType::kUInt32,
                                      DataType::kInt64,  DataType::kUInt64};

/// -1 and 1, or the greatest of an unsigned type and 1, by every amount up to beyond the width.
void AddShifts(DataType type, std::vector<EdgeCase>& edges) {
  const auto width = static_cast<int>(8 * GetDataTypeSizeBytes(type));
  const long double most = std::ldexp(1.0L, width) - 1;
  const long double ones = IsSigned(type) ? -1 : most;
  for (int amount = 0; amount <= width + 2; ++amount) {
    const bool is_out = amount >= width;
    const long double power = is_out ? 0 : std::ldexp(1.0L, amount);
    const Elements amounts(2, static_cast<long double>(amount));
    const Elements operands = {ones, 1};
    const long double left = is_out || IsSigned(type) ? -power : most + 1 - power;
    edges.push_back(Pair(BitwiseOperation::kShiftLeft, type, operands, amounts, {left, power}));
    const long double right = is_out ? 0 : std::floor(most / power);
    edges.push_back(Pair(BitwiseOperation::kShiftRight, type, operands, amounts,
                         {IsSigned(type) ? -1 : right, amount == 0 ? 1.0L : 0.0L}));
  }
}

std::vector<EdgeCase> MakeEdges() {
  constexpr DataType kBytes = DataType::kUInt8;
  constexpr std::int64_t kLeast32 = -2147483648LL;
  const Elements a = {0b1100, 0xff};
  const Elements b = {0b1010, 0x0f};
  std::vector<EdgeCase> edges = {
      Pair(BitwiseOperation::kAnd, kBytes, a, b, {0b1000, 0x0f}),
      Pair(BitwiseOperation::kOr, kBytes, a, b, {0b1110, 0xff}),
      Pair(BitwiseOperation::kXor, kBytes, a, b, {0b0110, 0xf0}),
      Pair(BitwiseOperation::kShiftLeft, DataType::kInt32, {5, -5}, {-1, -1}, {0, 0}),
      Pair(BitwiseOperation::kShiftRight, DataType::kInt32, {5, -5}, {-1, kLeast32}, {0, -1}),
      Pair(BitwiseOperation::kShiftRight, DataType::kUInt64, {0xffffffffffffffffU},
           {0xffffffffffffffffU}, {0}),
      Pair(BitwiseOperation::kAnd, DataType::kInt16, {}, {}, {}),
      {Describe(BitwiseOperation::kXor, kBytes, {2, 1, 4}, {3, 1}, {2, 3, 4})},
  };
  for (const DataType type : kIntegerTypes) AddShifts(type, edges);
  return edges;
}

std::vector<RefusedCase> MakeRefused() {
  const OwnTensor quantised[] = {MakeScaled(0, 0, 1), MakeScaled(1, 0, 1)};
  const LayerCase plain = Describe(BitwiseOperation::kAnd, DataType::kInt32, {2}, {2}, {2});
  return {
      {As(DataType::kFloat32, plain), "wrong-data-type", "[2]", "uint64; not quantized",
       "data type float32 of input 0 is not supported, only int8, uint8, int16, uint16, int32, "
       "uint32, int64, uint64, and quantised int8, uint8, int16, uint16, int32; data type float32 "
       "of input 1 is not supported, only int8, uint8, int16, uint16, int32, uint32, int64, "
       "uint64, and quantised int8, uint8, int16, uint16, int32; data type float32 of the output "
       "is not supported, only int8, uint8, int16, uint16, int32, uint32, int64, uint64, and "
       "quantised int8, uint8, int16, uint16, int32"},
      {As(DataType::kBool, plain), "wrong-data-type", "[2]", "uint64; not quantized",
       "data type bool of input 0 is not supported, only int8, uint8, int16, uint16, int32, "
       "uint32, int64, uint64, and quantised int8, uint8, int16, uint16, int32; data type bool of "
       "input 1 is not supported, only int8, uint8, int16, uint16, int32, uint32, int64, uint64, "
       "and quantised int8, uint8, int16, uint16, int32; data type bool of the output is not "
       "supported, only int8, uint8, int16, uint16, int32, uint32, int64, uint64, and quantised "
       "int8, uint8, int16, uint16, int32"},
      {With(plain, {quantised[0], quantised[1]}, {quantised[0]}), "wrong-data-type",
       "quantized int8 [2]", "not quantized",
       "input 0 is quantised, which is not supported; input 1 is quantised, which is not "
       "supported; the output is quantised, which is not supported"},
      {Describe(BitwiseOperation{6}, DataType::kInt32, {2}, {2}, {2}), "invalid-descriptor",
       "number 6", "ShiftRight",
       "bitwise operation 6 is not supported, only 1 (And) to 5 (ShiftRight)"},
      {Describe(BitwiseOperation::kAnd, DataType::kInt32, {2, 3}, {2}, {2, 3}), "wrong-shape",
       "[2, 3] and [2]", "equal or 1",
       "the shapes [2, 3] of input 0 and [2] of input 1 do not broadcast"},
  };
}

}  // namespace bitwise_binary

BACKPLANE_ORACLE(BitwiseBinary, bitwise_binary, PlainTypes::kIntegers, QuantisedTypes::kRefused);

}  // namespace conformance
}  // namespace backplane
