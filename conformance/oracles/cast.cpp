#include "conformance/layer_case.hpp"
#include "conformance/limits.hpp"

#include <backplane/api/descriptors/cast.hpp>

namespace backplane {
namespace conformance {
namespace cast {

/// All but float16, which most integers are beyond: the edges have it.
constexpr DataType kTargets[] = {DataType::kFloat32, DataType::kBFloat16, DataType::kFloat64,
                                 DataType::kInt8,    DataType::kUInt8,    DataType::kInt16,
                                 DataType::kUInt16,  DataType::kInt32,    DataType::kUInt32,
                                 DataType::kInt64,   DataType::kUInt64,   DataType::kBool};

/// Integers lose their upper bits when they are compared.
template <typename Number>
Number Convert(Number element, DataType to) {
  if (to == DataType::kBool) return element != 0 ? 1 : 0;
  if constexpr (kIsReal<Number>) {
    if (IsFloat(to)) return element;
    const bool is_unsigned = !IsSigned(to);
    return is_unsigned && element < 0 ? 0 : std::trunc(element);
  }
  return element;
}

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases;
  for (const DataType to : kTargets) {
    CastDescriptor descriptor;
    descriptor.to = to;
    const TensorShape shape = random.Shape(3, 1, 5);
    cases.push_back(MakeCase(LayerType::kCast, descriptor, {shape}, shape));
    cases.back().own_outputs = {{0, to}};
  }
  return cases;
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t /*output*/) {
  std::vector<Number> elements;
  for (const Number element : inputs[0].data) {
    elements.push_back(Convert(element, layer.Get<CastDescriptor>().to));
  }
  return elements;
}

LayerCase DescribeAs(DataType from, const CastDescriptor& descriptor, const TensorShape& shape) {
  return As(from, With(MakeCase(LayerType::kCast, descriptor, {shape}, shape), {},
                       {MakeOwn(0, descriptor.to)}));
}

LayerCase Describe(DataType from, DataType to, const TensorShape& shape) {
  CastDescriptor descriptor;
  descriptor.to = to;
  return DescribeAs(from, descriptor, shape);
}

EdgeCase Change(DataType from, const Elements& elements, DataType to, const Elements& expected) {
  return {Describe(from, to, {static_cast<std::int64_t>(elements.size())}), {elements}, {expected}};
}

/// All that there are.
Elements MakeHalves() {
  Elements halves;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const double half = DecodeFloat(bits, 5, 10);
    halves.push_back(static_cast<long double>(half));
  }
  return halves;
}

void AddNarrowFloats(std::vector<EdgeCase>& edges) {
  constexpr DataType kHalf = DataType::kFloat16;
  constexpr DataType kBrain = DataType::kBFloat16;
  // 1 and half of the last digit: a tie, unless a much smaller part decides, which float32 would
  // round away.
  edges.push_back(Change(DataType::kFloat64, {1 + 0x1p-11L, 1 + 0x1p-11L + 0x1p-40L, 1 + 0x3p-11L},
                         kHalf, {1, 1 + 0x1p-10L, 1 + 0x2p-10L}));
  edges.push_back(
      Change(DataType::kFloat64, {1 + 0x1p-8L, 1 + 0x1p-8L + 0x1p-40L}, kBrain, {1, 1 + 0x1p-7L}));
  constexpr std::int64_t kTie = (std::int64_t{1} << 62) + (std::int64_t{1} << 54);
  constexpr long double kAbove = 0x1p62L + 0x1p55L;
  edges.push_back(
      Change(DataType::kInt64, {kTie, kTie + 1, -kTie - 1}, kBrain, {0x1p62L, kAbove, -kAbove}));
  edges.push_back(
      Change(DataType::kInt32, {65519, 65520, -70000}, kHalf, {65504, kInfinity, -kInfinity}));
  edges.push_back(
      Change(DataType::kFloat64, {1e300L, 0x1.ffp127L}, kBrain, {kInfinity, kInfinity}));
  edges.push_back(Change(kHalf, MakeHalves(), DataType::kFloat64, MakeHalves()));
  edges.push_back(Change(DataType::kFloat64, MakeHalves(), kHalf, MakeHalves()));
}

/// All that a narrow float has, but NaN.
Elements ListNarrow(DataType type) {
  Elements numbers;
  for (std::uint64_t bits = 0; bits >> GetDataTypeSizeBits(type) == 0; ++bits) {
    const double number = DecodeNarrow(type, bits);
    if (!std::isnan(number)) numbers.push_back(static_cast<long double>(number));
  }
  return numbers;
}

EdgeCase Narrow(DataType to, NarrowOverflow overflow, ScaleRounding rounding,
                const Elements& elements, const Elements& expected) {
  CastDescriptor descriptor;
  descriptor.to = to;
  descriptor.overflow = overflow;
  descriptor.scale_rounding = rounding;
  const TensorShape shape = {static_cast<std::int64_t>(elements.size())};
  return {DescribeAs(DataType::kFloat64, descriptor, shape), {elements}, {expected}};
}

void AddFloatsOfEightBits(std::vector<EdgeCase>& edges) {
  constexpr auto kSaturate = NarrowOverflow::kSaturate;
  constexpr auto kSpecial = NarrowOverflow::kSpecial;
  constexpr auto kUp = ScaleRounding::kUp;
  for (const DataType type :
       {DataType::kFloat8E4M3FN, DataType::kFloat8E4M3FNUZ, DataType::kFloat8E5M2,
        DataType::kFloat8E5M2FNUZ, DataType::kFloat8E8M0FNU, DataType::kFloat4E2M1FN}) {
    const Elements all = ListNarrow(type);
    edges.push_back(Change(type, all, DataType::kFloat32, all));
    edges.push_back(Narrow(type, kSpecial, kUp, all, all));
  }
  // Ties go to the even digit, also among the subnormal numbers.
  const Elements small = {0x1p-10L, 0x1p-9L, 0x3p-10L, -0x1p-10L, 17, 19, 1.0625L + 0x1p-30L};
  edges.push_back(Narrow(DataType::kFloat8E4M3FN, kSaturate, kUp, small,
                         {0, 0x1p-9L, 0x1p-8L, -0.0L, 16, 20, 1.125L}));
  edges.push_back(
      Narrow(DataType::kFloat8E4M3FNUZ, kSaturate, kUp, {0x1p-11L, -0x1p-11L, -0.0L}, {0, 0, 0}));
  const Elements beyond = {464, 464.5L, -1e30L, kInfinity};
  edges.push_back(Narrow(DataType::kFloat8E4M3FN, kSaturate, kUp, beyond, {448, 448, -448, 448}));
  edges.push_back(
      Narrow(DataType::kFloat8E4M3FN, kSpecial, kUp, {464, 464.5L, kInfinity}, {448, kNaN, kNaN}));
  edges.push_back(
      Narrow(DataType::kFloat8E4M3FNUZ, kSaturate, kUp, {247, 248, -1e9L}, {240, 240, -240}));
  edges.push_back(
      Narrow(DataType::kFloat8E4M3FNUZ, kSpecial, kUp, {247, 248, -kInfinity}, {240, kNaN, kNaN}));
  const Elements large = {61439, 61440, -1e9L, -kInfinity};
  edges.push_back(
      Narrow(DataType::kFloat8E5M2, kSaturate, kUp, large, {57344, 57344, -57344, -57344}));
  edges.push_back(Narrow(DataType::kFloat8E5M2, kSpecial, kUp, large,
                         {57344, kInfinity, -kInfinity, -kInfinity}));
  edges.push_back(
      Narrow(DataType::kFloat8E5M2FNUZ, kSpecial, kUp, large, {57344, kNaN, kNaN, kNaN}));
}

void AddScales(std::vector<EdgeCase>& edges) {
  constexpr DataType kScale = DataType::kFloat8E8M0FNU;
  const Elements numbers = {0, 1, 1.25L, 3, -3, 0x1p-130L, 0x1p127L, 0x1.8p127L, kInfinity, kNaN};
  edges.push_back(Narrow(kScale, NarrowOverflow::kSaturate, ScaleRounding::kUp, numbers,
                         {0x1p-127L, 1, 2, 4, 4, 0x1p-127L, 0x1p127L, 0x1p127L, kNaN, kNaN}));
  edges.push_back(Narrow(kScale, NarrowOverflow::kSpecial, ScaleRounding::kDown, numbers,
                         {0x1p-127L, 1, 1, 2, 2, 0x1p-127L, 0x1p127L, 0x1p127L, kNaN, kNaN}));
  edges.push_back(Narrow(kScale, NarrowOverflow::kSpecial, ScaleRounding::kNearest, numbers,
                         {0x1p-127L, 1, 1, 4, 4, 0x1p-127L, 0x1p127L, kNaN, kNaN, kNaN}));
}

void AddNumbersOfFewBits(std::vector<EdgeCase>& edges) {
  constexpr DataType kTiny = DataType::kFloat4E2M1FN;
  edges.push_back(Change(DataType::kFloat32, {0.25L, 0.75L, 2.5L, -3.5L, 5, 100, -kInfinity, kNaN},
                         kTiny, {0, 1, 2, -4, 4, 6, -6, -0.0L}));
  edges.push_back(Change(DataType::kInt64, {5, 7, kLeast}, kTiny, {4, 6, -6}));
  const Elements reals = {7.9L, -8.9L, 16, -9, kNaN, kInfinity};
  edges.push_back(Change(DataType::kFloat32, reals, DataType::kInt4, {7, -8, 7, -8, 0, 7}));
  edges.push_back(Change(DataType::kFloat16, reals, DataType::kUInt4, {7, 0, 15, 0, 0, 15}));
  edges.push_back(Change(DataType::kFloat64, reals, DataType::kInt2, {1, -2, 1, -2, 0, 1}));
  edges.push_back(Change(DataType::kBFloat16, reals, DataType::kUInt2, {3, 0, 3, 0, 0, 3}));
  const Elements integers = {7, 8, -9, 15, 16, -1};
  edges.push_back(Change(DataType::kInt32, integers, DataType::kInt4, {7, -8, 7, -1, 0, -1}));
  edges.push_back(Change(DataType::kInt64, integers, DataType::kUInt4, {7, 8, 7, 15, 0, 15}));
  edges.push_back(Change(DataType::kInt8, integers, DataType::kInt2, {-1, 0, -1, -1, 0, -1}));
  edges.push_back(Change(DataType::kInt4, {-8, -1, 7}, DataType::kUInt2, {0, 3, 3}));
  edges.push_back(Change(DataType::kInt4, {-8, 0, 7}, DataType::kBool, {1, 0, 1}));
  edges.push_back(Change(DataType::kUInt2, {0, 3}, kTiny, {0, 3}));
  edges.push_back(
      Change(DataType::kFloat8E5M2, {57344, -57344, kNaN, 1.5L}, DataType::kInt4, {7, -8, 0, 1}));
  edges.push_back(
      Change(DataType::kFloat8E5M2, {57344, 0x1p-16L, 10}, DataType::kFloat8E4M3FN, {448, 0, 10}));
  edges.push_back(Change(DataType::kBool, {0, 1}, DataType::kInt2, {0, 1}));
}

std::vector<EdgeCase> MakeEdges() {
  constexpr std::uint64_t kMost64 = 0xffffffffffffffffU;
  const Elements reals = {1.9L,   -1.9L,   127.99L,   128,        -128.99L, -129,
                          1e300L, -1e300L, kInfinity, -kInfinity, kNaN,     -0.0L};
  const Elements integers = {-1, 128, 256, 511, kLeast};
  std::vector<EdgeCase> edges = {
      // What is behind the point is dropped, and what is beyond the type saturates.
      Change(DataType::kFloat64, reals, DataType::kInt8,
             {1, -1, 127, 127, -128, -128, 127, -128, 127, -128, 0, 0}),
      Change(DataType::kFloat64, reals, DataType::kUInt8,
             {1, 0, 127, 128, 0, 0, 255, 0, 255, 0, 0, 0}),
      Change(DataType::kFloat32, {0x1p63L, -0x1p63L, 0x1p62L}, DataType::kInt64,
             {kMost, kLeast, 0x1p62L}),
      Change(DataType::kFloat32, {0x1p64L, -1, 0x1p63L}, DataType::kUInt64, {kMost64, 0, 0x1p63L}),
      // Of integers the lowest bits are kept.
      Change(DataType::kInt64, integers, DataType::kInt8, {-1, -128, 0, -1, 0}),
      Change(DataType::kInt64, integers, DataType::kUInt64, {kMost64, 128, 256, 511, 0x1p63L}),
      Change(DataType::kFloat32, {0, -0.0L, 1e-40L, kNaN, -3}, DataType::kBool, {0, 0, 1, 1, 1}),
      Change(DataType::kInt16, {0, 256, -1}, DataType::kBool, {0, 1, 1}),
      Change(DataType::kBool, {0, 1}, DataType::kFloat32, {0, 1}),
      Change(DataType::kFloat64, {1e39L, -1e39L}, DataType::kFloat32, {kInfinity, -kInfinity}),
      {Describe(DataType::kFloat32, DataType::kBool, {2, 0}), {{}}, {{}}},
      {Describe(DataType::kBool, DataType::kFloat16, {}), {{1}}, {{1}}},
  };
  AddNarrowFloats(edges);
  AddFloatsOfEightBits(edges);
  AddScales(edges);
  AddNumbersOfFewBits(edges);
  return edges;
}

std::vector<RefusedCase> MakeRefused() {
  const LayerCase plain = Describe(DataType::kInt8, DataType::kFloat32, {2});
  const OwnTensor quantised = MakeScaled(0, 0, 1);
  CastDescriptor overflow;
  overflow.overflow = NarrowOverflow{9};
  CastDescriptor rounding;
  rounding.scale_rounding = ScaleRounding{0};
  return {
      {DescribeAs(DataType::kFloat32, overflow, {2}), "invalid-descriptor", "number 9",
       "Saturate or Special", "overflow 9 is not supported, only Saturate (1) and Special (2)"},
      {DescribeAs(DataType::kFloat32, rounding, {2}), "invalid-descriptor", "number 0",
       "Up, Down or Nearest",
       "scale rounding 0 is not supported, only Up (1), Down (2) and Nearest (3)"},
      {With(plain, {}, {MakeOwn(0, DataType::kInt16)}), "", "", "",
       "the output is int16, but the descriptor says float32"},
      {With(plain, {quantised}, {quantised}), "wrong-data-type", "int8 [2]", "not quantized",
       "input 0 is quantised; use Dequantize, Quantize or Reinterpret; the output is quantised; "
       "use Dequantize, Quantize or Reinterpret; the output is int8, but the descriptor says "
       "float32"},
      {Describe(DataType::kFloat32, DataType{99}, {2}), "invalid-descriptor", "(99)", "float32",
       "data type unknown data type (99) of the output is not supported, only those of the Backend "
       "API"},
      {With(Describe(DataType::kFloat32, DataType::kUndefined, {2}), {}), "invalid-descriptor",
       "(0)", "bool", "the output is float32, but the descriptor says undefined"},
  };
}

}  // namespace cast

BACKPLANE_ORACLE(Cast, cast, PlainTypes::kStored, QuantisedTypes::kRefused);

}  // namespace conformance
}  // namespace backplane
