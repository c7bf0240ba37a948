#pragma once

/// Cases of layers with data types for all of their tensors, and what the oracles say of them.

#include "conformance/every_layer.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace backplane {
namespace conformance {

enum class Scales { kNone, kPerTensor, kPerAxis };

/// What the values of a layer are.
struct ValueTypes {
  DataType data_type = DataType::kFloat32;
  Scales scales = Scales::kNone;
};

inline std::string ToText(const ValueTypes& types) {
  return std::string(GetDataTypeName(types.data_type)) + ", scales " +
         std::to_string(static_cast<int>(types.scales));
}

inline bool IsQuantizable(DataType type) {
  return type == DataType::kInt8 || type == DataType::kUInt8 || type == DataType::kInt16 ||
         type == DataType::kUInt16 || type == DataType::kInt32;
}

/// What CpuRef must answer.
inline bool IsSupported(const LayerTraits& traits, const ValueTypes& types) {
  if (types.scales == Scales::kNone) return traits.plain.Has(types.data_type);
  if (traits.quantised == QuantisedTypes::kMoved) return true;
  return traits.quantised != QuantisedTypes::kRefused && IsQuantizable(types.data_type);
}

/// What the core is told of the outputs, as its own OutputType: what is quantised, unless values
/// are only moved.
template <typename OutputType>
std::vector<OutputType> StateOutputs(const Oracle& oracle, const LayerCase& layer,
                                     const TestLayer& made) {
  const LayerTraits traits = oracle.get_traits(layer);
  const bool is_moved = traits.quantised == QuantisedTypes::kMoved && !traits.is_restated;
  std::vector<OutputType> stated;
  for (const TensorInfo& info : made.outputs) {
    const bool is_stated = info.quantization.IsQuantized() && !is_moved;
    stated.push_back(is_stated ? OutputType(info.data_type, info.quantization) : OutputType());
  }
  return stated;
}

inline QuantizationInfo MakeQuantization(const TensorShape& shape, const ValueTypes& types,
                                         Random& random) {
  QuantizationInfo info;
  std::int64_t count = types.scales == Scales::kNone ? 0 : 1;
  if (types.scales == Scales::kPerAxis && shape.rank > 0) count = shape[0];
  const bool has_zero_points = random.Integer(0, 1) == 1;
  // The wider the type, the finer its steps.
  const float finest =
      8.0F / std::ldexp(1.0F, static_cast<int>(8 * GetDataTypeSizeBytes(types.data_type)));
  for (std::int64_t i = 0; i < count; ++i) {
    info.scales.push_back(finest * static_cast<float>(random.Integer(1, 16)) / 5.0F);
    if (has_zero_points) {
      const std::int64_t least = IsSigned(types.data_type) ? -60 : 40;
      info.zero_points.push_back(static_cast<std::int32_t>(random.Integer(least, least + 120)));
    }
  }
  return info;
}

inline TensorInfo MakeInfo(const TensorShape& shape, const ValueTypes& types, Random& random) {
  TensorInfo info(shape, types.data_type);
  info.quantization = MakeQuantization(shape, types, random);
  return info;
}

/// Makes the types of all tensors. What is only moved means the same everywhere.
class TypeMaker {
 public:
  TypeMaker(const LayerTraits& traits, const ValueTypes& types, Random& random)
      : types_(types), random_(random), is_moved_(traits.quantised == QuantisedTypes::kMoved) {}

  std::vector<TensorInfo> Make(const std::vector<TensorShape>& shapes,
                               const std::vector<OwnTensor>& own_tensors) {
    std::vector<TensorInfo> infos;
    for (std::size_t index = 0; index < shapes.size(); ++index) {
      const OwnTensor* own = FindOwn(own_tensors, index);
      infos.push_back(own != nullptr ? MakeOwn(shapes[index], *own) : MakeValue(shapes[index]));
    }
    return infos;
  }

 private:
  static TensorInfo MakeOwn(const TensorShape& shape, const OwnTensor& own) {
    TensorInfo info(shape, own.data_type);
    info.quantization = own.quantization;
    return info;
  }

  TensorInfo MakeValue(const TensorShape& shape) {
    TensorInfo info = MakeInfo(shape, types_, random_);
    if (!is_moved_) return info;
    if (!is_first_made_) moved_ = info.quantization;
    is_first_made_ = true;
    info.quantization = moved_;
    return info;
  }

  const ValueTypes types_;
  Random& random_;
  const bool is_moved_;
  bool is_first_made_ = false;
  QuantizationInfo moved_;
};

/// The layer with these types for its values.
inline TestLayer MakeTypedLayer(const LayerCase& layer, const LayerTraits& traits,
                                const ValueTypes& types, Random& random) {
  TestLayer made(layer.type, *layer.descriptor, {}, {});
  TypeMaker maker(traits, types, random);
  made.outputs = maker.Make(layer.outputs, layer.own_outputs);
  made.inputs = maker.Make(layer.inputs, layer.own_inputs);
  return made;
}

/// Only some types are quantised, and a layer may lose the axis of the scales.
inline bool HasMeaning(const LayerTraits& traits, const ValueTypes& types) {
  if (types.scales == Scales::kNone) return true;
  if (!IsQuantizable(types.data_type)) return traits.quantised != QuantisedTypes::kMoved;
  return types.scales != Scales::kPerAxis || traits.keeps_axes;
}

/// Calls `expect(output tensor, what the oracle says it holds)` for each output, in the numbers
/// that the types are held against.
template <typename Number, typename Evaluate, typename Expect>
void ExpectMeaning(const Evaluate& evaluate, const LayerCase& layer,
                   const std::vector<StoredTensor>& inputs,
                   const std::vector<StoredTensor>& outputs, const Expect& expect) {
  Operands<Number> operands;
  for (const StoredTensor& input : inputs) operands.push_back(Decode<Number>(input));
  for (std::size_t output = 0; output < outputs.size(); ++output) {
    expect(outputs[output], evaluate(layer, operands, output));
  }
}

template <typename Expect>
void ExpectAsOracle(const Oracle& oracle, const LayerCase& layer, const ValueTypes& types,
                    const std::vector<StoredTensor>& inputs,
                    const std::vector<StoredTensor>& outputs, const Expect& expect) {
  if (IsFloat(types.data_type) || types.scales != Scales::kNone) {
    ExpectMeaning<long double>(oracle.evaluate_reals, layer, inputs, outputs, expect);
  } else if (oracle.get_traits(layer).integers == IntegerResults::kWrap) {
    ExpectMeaning<Ring>(oracle.evaluate_ring, layer, inputs, outputs, expect);
  } else {
    ExpectMeaning<Wide>(oracle.evaluate_wide, layer, inputs, outputs, expect);
  }
}

}  // namespace conformance
}  // namespace backplane
