#include "conformance/layer_case.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptors/bit_cast.hpp>

namespace backplane {
namespace conformance {
namespace bit_cast {

LayerCase Describe(DataType from, DataType to, const TensorShape& shape) {
  BitCastDescriptor descriptor;
  descriptor.to = to;
  return As(from,
            With(MakeCase(LayerType::kBitCast, descriptor, {shape}, shape), {}, {MakeOwn(0, to)}));
}

std::vector<LayerCase> MakeCases(Random& random) {
  const TensorShape shape = random.Shape(3, 1, 5);
  return {Describe(DataType::kFloat32, DataType::kInt32, shape),
          Describe(DataType::kFloat32, DataType::kUInt32, shape)};
}

/// The bits of a float32 by its definition; those of integers are what they are.
template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t /*output*/) {
  const bool is_signed = layer.Get<BitCastDescriptor>().to == DataType::kInt32;
  std::vector<Number> elements;
  for (const Number element : inputs[0].data) {
    if constexpr (kIsReal<Number>) {
      const auto bits = static_cast<long double>(EncodeFloat(static_cast<double>(element), 8, 23));
      elements.push_back(is_signed && bits >= 0x1p31L ? bits - 0x1p32L : bits);
    } else {
      elements.push_back(element);
    }
  }
  return elements;
}

EdgeCase Take(DataType from, const Elements& elements, DataType to, const Elements& expected) {
  return {Describe(from, to, {static_cast<std::int64_t>(elements.size())}), {elements}, {expected}};
}

std::vector<EdgeCase> MakeEdges() {
  return {
      Take(DataType::kFloat32, {1, -0.0L, kInfinity}, DataType::kUInt32,
           {0x3f800000, 0x80000000, 0x7f800000}),
      Take(DataType::kInt32, {0x3fc00000, 0, -8388608}, DataType::kFloat32, {1.5L, 0, -kInfinity}),
      Take(DataType::kFloat64, {1}, DataType::kInt64, {0x3ff0000000000000}),
      Take(DataType::kUInt64, {0x8000000000000000}, DataType::kFloat64, {-0.0L}),
      Take(DataType::kFloat16, {1}, DataType::kBFloat16, {0x1p-7L}),
      Take(DataType::kInt16, {-1}, DataType::kUInt16, {65535}),
      Take(DataType::kUInt8, {0x38, 0xb8}, DataType::kFloat8E4M3FN, {1, -1}),
      Take(DataType::kFloat8E5M2, {1}, DataType::kInt8, {0x3c}),
      Take(DataType::kFloat32, {}, DataType::kInt32, {}),
  };
}

std::vector<RefusedCase> MakeRefused() {
  const LayerCase plain = Describe(DataType::kFloat32, DataType::kInt32, {2});
  const OwnTensor quantised = MakeScaled(0, 0, 1);
  return {
      {Describe(DataType::kFloat32, DataType::kInt64, {2}), "wrong-data-type", "float32 [2]",
       "float64, int64, uint64",
       "input 0 has elements of 4 bytes, and the output of 8; both must have as many"},
      {Describe(DataType::kInt8, DataType::kBool, {2}), "invalid-descriptor", "bool (13)",
       "float32", "data type bool of the output is not supported, only numbers of 8 bits and more"},
      {Describe(DataType::kUInt4, DataType::kInt8, {2}), "wrong-data-type", "uint4 [2]",
       "int8, uint8, float8_e4m3fn",
       "data type uint4 of input 0 is not supported, only numbers of 8 bits and more"},
      {With(plain, {}, {MakeOwn(0, DataType::kUInt32)}), "", "", "",
       "the output is uint32, but the descriptor says int32"},
      {With(Describe(DataType::kInt8, DataType::kInt8, {2}), {quantised},
            {MakeOwn(0, DataType::kInt8)}),
       "wrong-data-type", "int8 [2]", "not quantized",
       "input 0 is quantised, which is not supported"},
  };
}

}  // namespace bit_cast

BACKPLANE_ORACLE(BitCast, bit_cast,
                 PlainTypes{DataType::kFloat32, DataType::kInt32, DataType::kUInt32},
                 QuantisedTypes::kRefused);

}  // namespace conformance
}  // namespace backplane
