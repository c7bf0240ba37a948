#pragma once

/// Layers for tests of backends, and what is known of the operators that they are. Nothing here
/// comes from a backend.

#include "conformance/typed_tensor.hpp"

#include <backplane/api/layer_type.hpp>

#include <initializer_list>

namespace backplane {
namespace conformance {

/// A tensor whose data type is not that of the values.
struct OwnTensor {
  std::size_t index = 0;
  DataType data_type = DataType::kInt64;
  /// An input has random elements from here to there.
  std::int64_t least = 0;
  std::int64_t greatest = 1;
  /// When not empty, an input has these instead, one for each element.
  std::vector<std::int64_t> elements = {};
  QuantizationInfo quantization = {};
};

/// A layer with shapes, and with data types only where these are not those of the values.
struct LayerCase {
  template <typename Derived>
  Derived Get() const {
    return CopyDescriptor<Derived>(*descriptor);
  }

  LayerType type = LayerType::kUndefined;
  std::shared_ptr<BaseDescriptor> descriptor;
  std::vector<TensorShape> inputs;
  std::vector<TensorShape> outputs;
  std::vector<OwnTensor> own_inputs = {};
  std::vector<OwnTensor> own_outputs = {};
  /// Of an edge or a refusal. Random cases have all types in turn.
  DataType values = DataType::kFloat32;
};

template <typename Derived>
LayerCase MakeCase(LayerType type, const Derived& descriptor, std::vector<TensorShape> inputs,
                   const TensorShape& output) {
  return {type, std::make_shared<Derived>(descriptor), std::move(inputs), {output}};
}

/// The case with values of a type.
inline LayerCase As(DataType values, LayerCase layer) {
  layer.values = values;
  return layer;
}

/// The case with tensors that have types of their own; no others have.
inline LayerCase With(LayerCase layer, std::vector<OwnTensor> inputs,
                      std::vector<OwnTensor> outputs = {}) {
  layer.own_inputs = std::move(inputs);
  layer.own_outputs = std::move(outputs);
  return layer;
}

/// The case with small whole numbers in all inputs, whose sums and products floats hold exactly.
inline LayerCase WithWhole(LayerCase layer) {
  for (std::size_t index = 0; index < layer.inputs.size(); ++index) {
    layer.own_inputs.push_back({index, layer.values, -4, 4});
  }
  return layer;
}

inline OwnTensor MakeOwn(std::size_t index, DataType type, std::vector<float> scales = {},
                         std::vector<std::int32_t> zero_points = {}, std::int32_t axis = 0) {
  OwnTensor own{index, type};
  own.quantization.scales = std::move(scales);
  own.quantization.zero_points = std::move(zero_points);
  own.quantization.axis = axis;
  return own;
}

/// A tensor of int8 with as many scales along an axis as this.
inline OwnTensor MakeScaled(std::size_t index, std::int32_t axis, std::size_t num_scales) {
  return MakeOwn(index, DataType::kInt8, std::vector<float>(num_scales, 0.5F), {}, axis);
}

/// Which types CpuRef must take as values when they are not quantised: one of the sets below, or
/// others that an oracle lists itself.
class PlainTypes {
 public:
  constexpr PlainTypes(std::initializer_list<DataType> types) {
    for (const DataType type : types) bits_ |= 1U << static_cast<unsigned>(type);
  }
  constexpr PlainTypes operator|(PlainTypes other) const {
    other.bits_ |= bits_;
    return other;
  }
  constexpr bool Has(DataType type) const {
    return (bits_ >> static_cast<unsigned>(type) & 1U) != 0;
  }

  static const PlainTypes kFloats;
  static const PlainTypes kIntegers;
  static const PlainTypes kNumbers;
  static const PlainTypes kAll;     // but the narrow ones
  static const PlainTypes kStored;  // all

 private:
  std::uint32_t bits_ = 0;
};

inline constexpr PlainTypes PlainTypes::kFloats = {DataType::kFloat32, DataType::kFloat16,
                                                   DataType::kBFloat16, DataType::kFloat64};
inline constexpr PlainTypes PlainTypes::kIntegers = {
    DataType::kInt8,  DataType::kUInt8,  DataType::kInt16, DataType::kUInt16,
    DataType::kInt32, DataType::kUInt32, DataType::kInt64, DataType::kUInt64};
inline constexpr PlainTypes PlainTypes::kNumbers = kFloats | kIntegers;
inline constexpr PlainTypes PlainTypes::kAll = kNumbers | PlainTypes{DataType::kBool};
inline constexpr PlainTypes PlainTypes::kStored = {
#define BACKPLANE_DATA_TYPE(name, ...) DataType::k##name,
#include <backplane/api/data_types.def>
#undef BACKPLANE_DATA_TYPE
};

/// What it must do with quantised values.
enum class QuantisedTypes {
  kRefused,
  kMoved,
  kCalculated,  // with what they mean
  kInRange,     // likewise; the output has the quantisation of input 0 unless another is stated
};

/// What the results of integers are calculated in: a type that holds them, or modulo 2^128.
enum class IntegerResults { kExact, kWrap };

struct LayerTraits {
  PlainTypes plain = PlainTypes::kFloats;
  QuantisedTypes quantised = QuantisedTypes::kCalculated;
  IntegerResults integers = IntegerResults::kExact;
  /// Some quantised tensors lose their axis: the case is then run with one scale only.
  bool keeps_axes = true;
  /// Values are moved, but whoever adds the layer states the quantisation of the output.
  bool is_restated = false;
};

/// The elements of a tensor as they are stored: numbers of its data type, which long double holds
/// all of.
using Elements = std::vector<long double>;

using Inputs = std::vector<Elements>;

/// A layer that random numbers do not find, or not these elements of it.
struct EdgeCase {
  LayerCase layer;
  /// Of all inputs; random when left out.
  std::vector<Elements> inputs = {};
  /// Of all outputs. When left out, they are nearly what the oracle says.
  std::vector<Elements> outputs = {};
  /// How far results may be from these, for what they are, or from 0; else all bits are equal.
  long double tolerance = 0;
  /// The inputs have a value that the layer cannot have: the run fails with kInvalidArgument.
  bool fails_run = false;
};

/// A layer that is refused: by the core when it is added, by CpuRef when it is asked. What one of
/// the two says is empty when it takes the layer, as the core does when it knows the output better.
struct RefusedCase {
  LayerCase layer;
  /// Of the core: the name of the diagnostic, such as "wrong-shape", and what it says.
  std::string diagnostic;
  std::string found;
  std::string expected;
  /// Of CpuRef: all of it.
  std::string reason;
};

/// How a refusal of a data type ends.
constexpr char kOnlyFloats[] =
    " is not supported, only float32, float16, bfloat16, float64, and quantised int8, uint8, "
    "int16, uint16, int32";
constexpr char kOnlyNumbers[] =
    " is not supported, only float32, float16, bfloat16, float64, int8, uint8, int16, uint16, "
    "int32, uint32, int64, uint64, and quantised int8, uint8, int16, uint16, int32";

/// What CpuRef says of a layer of one input with values of a type that it takes `only` others of.
inline std::string RefuseType(DataType type, const std::string& only) {
  const std::string start = std::string("data type ") + GetDataTypeName(type) + " of ";
  return start + "input 0" + only + "; " + start + "the output" + only;
}

template <typename Number>
using Operands = std::vector<NumberTensor<Number>>;
using Indices = std::vector<std::int64_t>;

template <typename Number>
constexpr bool kIsReal = std::is_same<Number, long double>::value;

/// One layer type as the tests know it; oracles/<snake_case name>.cpp has it. The tests of
/// the core hold shapes, types and refusals against it, those of backends the results.
struct Oracle {
  LayerType type;
  /// At least one case of each meaning of the type.
  std::vector<LayerCase> (*make_cases)(Random& random);
  LayerTraits (*get_traits)(const LayerCase& layer);
  /// All elements of one output, in order, written the obvious way. Quantised values and floats
  /// come as real numbers; integers, and bool as 0 or 1, as Wide or Ring. Inputs with types of
  /// their own come in the same numbers, and outputs with types of their own go out in them.
  std::vector<long double> (*evaluate_reals)(const LayerCase& layer,
                                             const Operands<long double>& inputs,
                                             std::size_t output);
  std::vector<Wide> (*evaluate_wide)(const LayerCase& layer, const Operands<Wide>& inputs,
                                     std::size_t output);
  std::vector<Ring> (*evaluate_ring)(const LayerCase& layer, const Operands<Ring>& inputs,
                                     std::size_t output);
  std::vector<EdgeCase> (*make_edges)();
  std::vector<RefusedCase> (*make_refused)();
};

#define BACKPLANE_ORACLE_OF(name) Oracle GetOracleOf##name();
#include "conformance/oracles.def"
#undef BACKPLANE_ORACLE_OF

/// All elements of an output whose element at each position is `at(position)`.
template <typename Number, typename At>
std::vector<Number> EvaluateEach(const LayerCase& layer, std::size_t output, const At& at) {
  std::vector<Number> elements;
  const TensorShape& shape = layer.outputs[output];
  for (std::int64_t i = 0; i < shape.GetNumElements(); ++i) {
    elements.push_back(at(GetIndices(shape, i)));
  }
  return elements;
}

/// The element of an operand that broadcasts to the shape of these indices.
template <typename Number>
Number Broadcast(const NumberTensor<Number>& operand, const Indices& result) {
  Indices indices(result.end() - static_cast<std::ptrdiff_t>(operand.shape.rank), result.end());
  for (std::uint32_t axis = 0; axis < operand.shape.rank; ++axis) {
    if (operand.shape[axis] == 1) indices[axis] = 0;
  }
  return operand.At(indices);
}

// `evaluate` is one of the macros below.
#define BACKPLANE_ORACLE_WITH(name, scope, evaluate, ...) \
  Oracle GetOracleOf##name() {                            \
    return {LayerType::k##name,                           \
            &scope::MakeCases,                            \
            [](const LayerCase& layer) -> LayerTraits {   \
              static_cast<void>(layer);                   \
              return {__VA_ARGS__};                       \
            },                                            \
            evaluate(scope, long double),                 \
            evaluate(scope, Wide),                        \
            evaluate(scope, Ring),                        \
            &scope::MakeEdges,                            \
            &scope::MakeRefused};                         \
  }                                                       \
  static_assert(true, "a semicolon follows")

/// Stands at the end of an oracle's file, which has MakeCases, MakeEdges, MakeRefused and the
/// template EvaluateAt<Number>, for one element, in a namespace of its own; behind its name follow
/// the members of LayerTraits, which may depend on the case, `layer`.
#define BACKPLANE_ELEMENT_ORACLE(name, scope, ...) \
  BACKPLANE_ORACLE_WITH(name, scope, BACKPLANE_EVALUATE_EACH, __VA_ARGS__)
#define BACKPLANE_EVALUATE_EACH(scope, Number)                                     \
  [](const LayerCase& layer, const Operands<Number>& inputs, std::size_t output) { \
    return EvaluateEach<Number>(layer, output, [&](const Indices& at) {            \
      return scope::EvaluateAt<Number>(layer, inputs, at);                         \
    });                                                                            \
  }

/// The same with the template Evaluate<Number>, for all elements of an output.
#define BACKPLANE_ORACLE(name, scope, ...) \
  BACKPLANE_ORACLE_WITH(name, scope, BACKPLANE_EVALUATE_ALL, __VA_ARGS__)
#define BACKPLANE_EVALUATE_ALL(scope, Number) &scope::Evaluate<Number>

}  // namespace conformance
}  // namespace backplane
