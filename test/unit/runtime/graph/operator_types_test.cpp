#include "graph/infer.hpp"
#include "graph/plain_layer.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace backplane {
namespace {

constexpr DataType kAllTypes[] = {
#define BACKPLANE_DATA_TYPE(name, ...) DataType::k##name,
#include <backplane/api/data_types.def>
#undef BACKPLANE_DATA_TYPE
};
const Types kOperatorTypesQuantizable = {DataType::kInt8, DataType::kUInt8, DataType::kInt16,
                                         DataType::kUInt16, DataType::kInt32};

QuantizationInfo Scale(float scale, std::int32_t zero_point = 0) {
  QuantizationInfo quantization;
  quantization.scales = {scale};
  quantization.zero_points = {zero_point};
  return quantization;
}

PlainLayer GetPlainLayer(LayerType type) {
  for (const PlainLayer& layer : MakePlainLayers()) {
    if (layer.type == type) return layer;
  }
  throw std::logic_error("there is no plain layer of the type");
}

/// Operators with values among their inputs, of whose first output nothing must be stated.
std::vector<PlainLayer> GetLayersOfValues() {
  std::vector<PlainLayer> layers;
  for (const PlainLayer& layer : MakePlainLayers()) {
    const bool has_values =
        std::any_of(layer.inputs.begin(), layer.inputs.end(),
                    [](const PlainInput& input) { return input.own_type == DataType::kUndefined; });
    if (has_values && layer.type != LayerType::kQuantize) layers.push_back(layer);
  }
  return layers;
}

/// Of GetLayersOfValues, those that do this with quantized values.
std::vector<PlainLayer> GetLayersThat(WithQuantized what) {
  std::vector<PlainLayer> layers = GetLayersOfValues();
  layers.erase(std::remove_if(layers.begin(), layers.end(),
                              [what](const PlainLayer& layer) { return layer.quantized != what; }),
               layers.end());
  return layers;
}

TEST(OperatorTypes, AreKnownOfEveryOperator) {
  std::set<LayerType> known;
  for (const PlainLayer& layer : MakePlainLayers()) {
    EXPECT_TRUE(known.insert(layer.type).second) << GetLayerTypeName(layer.type);
  }
  for (const LayerTypeInfo& row : kLayerTypes) {
    EXPECT_EQ(known.count(row.type), row.is_operator ? 1U : 0U) << row.name;
  }
}

TEST(OperatorTypes, EveryOperatorTakesWhatItStatesAndListsItOtherwise) {
  for (const PlainLayer& layer : GetLayersOfValues()) {
    for (const DataType type : kAllTypes) {
      SCOPED_TRACE(std::string(GetLayerTypeName(layer.type)) + " of " + GetDataTypeName(type));
      if (layer.accepted.count(type) == 1) {
        const bool has_own = layer.own_output != DataType::kUndefined;
        EXPECT_EQ(layer.Infer(type).data_type, has_own ? layer.own_output : type);
        continue;
      }
      const Diagnostic diagnostic = CatchDiagnostic([&] { layer.Infer(type); });
      ExpectDiagnostic(
          diagnostic, DiagnosticCode::kWrongDataType, "layer",
          std::string("found ") + GetDataTypeName(type),
          layer.quantized == WithQuantized::kRefused ? "; not quantized" : "quantized int8, uint8");
      for (const DataType one : layer.accepted) {
        ExpectContains(diagnostic.why, GetDataTypeName(one));
      }
    }
  }
}

TEST(OperatorTypes, TypesOfTheirOwnAreCheckedToo) {
  for (PlainLayer layer : MakePlainLayers()) {
    if (layer.type == LayerType::kCustom) continue;  // takes anything
    for (PlainInput& input : layer.inputs) {
      if (input.own_type == DataType::kUndefined) continue;
      SCOPED_TRACE(GetLayerTypeName(layer.type));
      const DataType wrong = input.own_type == DataType::kBool ? DataType::kInt8 : DataType::kBool;
      const DataType right = std::exchange(input.own_type, wrong);
      ExpectDiagnostic(CatchDiagnostic([&] { layer.Infer(*layer.accepted.begin()); }),
                       DiagnosticCode::kWrongDataType, "layer",
                       std::string("found ") + GetDataTypeName(wrong), GetDataTypeName(right));
      input.own_type = right;
    }
  }
}

TEST(OperatorTypes, AnOutputWithATypeOfItsOwnHasNoOtherStated) {
  for (const PlainLayer& layer : MakePlainLayers()) {
    if (layer.own_output == DataType::kUndefined) continue;
    SCOPED_TRACE(GetLayerTypeName(layer.type));
    const DataType values = layer.accepted.empty() ? DataType::kInt8 : *layer.accepted.begin();
    const QuantizationInfo quantization = layer.accepted.empty() ? Scale(0.5F) : QuantizationInfo();
    EXPECT_EQ(layer.Infer(values, quantization, {{layer.own_output, {}}}).data_type,
              layer.own_output);
    ExpectDiagnostic(CatchDiagnostic([&] {
                       layer.Infer(values, quantization, {{DataType::kUInt16, {}}});
                     }),
                     DiagnosticCode::kWrongDataType, "layer", "found uint16",
                     GetDataTypeName(layer.own_output));
  }
}

TEST(OperatorTypes, QuantizeNeedsAStatedQuantization) {
  const PlainLayer layer = GetPlainLayer(LayerType::kQuantize);
  const auto infer = [&](const std::vector<OutputType>& stated) {
    return layer.Infer(DataType::kFloat32, {}, stated);
  };
  const TensorInfo output = infer({{DataType::kInt8, Scale(0.5F)}});
  EXPECT_EQ(output.data_type, DataType::kInt8);
  EXPECT_EQ(output.quantization, Scale(0.5F));
  ExpectDiagnostic(CatchDiagnostic([&] { infer({}); }), DiagnosticCode::kWrongDataType, "layer",
                   "no scale stated", "expected one");
  ExpectDiagnostic(CatchDiagnostic([&] {
                     infer({{DataType::kInt64, Scale(0.5F)}});
                   }),
                   DiagnosticCode::kWrongDataType, "layer", "quantized int64", "int8, uint8");
}

TEST(OperatorTypes, ReinterpretTakesAnyQuantizationOrNone) {
  const PlainLayer layer = GetPlainLayer(LayerType::kReinterpret);
  EXPECT_FALSE(layer.Infer(DataType::kInt8, Scale(0.5F)).quantization.IsQuantized());
  EXPECT_EQ(layer.Infer(DataType::kInt8, {}, {{DataType::kUndefined, Scale(0.5F)}}).quantization,
            Scale(0.5F));
  ExpectDiagnostic(CatchDiagnostic([&] {
                     layer.Infer(DataType::kInt8, {}, {{DataType::kUInt8, Scale(0.5F)}});
                   }),
                   DiagnosticCode::kWrongDataType, "layer", "quantized uint8", "int8");
}

TEST(OperatorTypes, QuantizedTensorsHaveTypesThatCanBeQuantized) {
  for (const DataType type : kAllTypes) {
    auto network = INetwork::Create("net");
    TensorInfo info({2}, type);
    info.quantization = Scale(0.5F);
    const auto add = [&] { network->AddInputLayer(info, "x"); };
    if (kOperatorTypesQuantizable.count(type) == 1) {
      EXPECT_NO_THROW(add());
    } else {
      ExpectDiagnostic(CatchDiagnostic(add), DiagnosticCode::kWrongDataType, "x",
                       std::string("scales with ") + GetDataTypeName(type),
                       "int8, uint8, int16, uint16, int32");
    }
  }
}

TEST(OperatorTypes, ZeroPointsFitTheType) {
  for (const std::int32_t zero_point : {-1, 256}) {
    auto network = INetwork::Create("net");
    TensorInfo info({2}, DataType::kUInt8);
    info.quantization = Scale(0.5F, zero_point);
    ExpectDiagnostic(CatchDiagnostic([&] { network->AddInputLayer(info, "x"); }),
                     DiagnosticCode::kWrongShape, "x",
                     "the zero point " + std::to_string(zero_point), "uint8 can hold");
    info.quantization = Scale(0.5F, 255);
    EXPECT_NO_THROW(network->AddInputLayer(info, "x"));
  }
}

TEST(OperatorTypes, QuantizedArithmeticNeedsAStatedQuantization) {
  for (const PlainLayer& layer : GetLayersThat(WithQuantized::kRequantized)) {
    SCOPED_TRACE(GetLayerTypeName(layer.type));
    const Diagnostic diagnostic =
        CatchDiagnostic([&] { layer.Infer(DataType::kInt8, Scale(0.5F)); });
    ExpectDiagnostic(diagnostic, DiagnosticCode::kWrongDataType, "layer", "quantized int8 [",
                     "no scale stated");
    ExpectContains(diagnostic.fix, "OutputType");
  }
}

TEST(OperatorTypes, QuantizationGoesOnWhereItFollows) {
  for (const WithQuantized what : {WithQuantized::kMoved, WithQuantized::kInRange}) {
    for (const PlainLayer& layer : GetLayersThat(what)) {
      SCOPED_TRACE(GetLayerTypeName(layer.type));
      EXPECT_EQ(layer.Infer(DataType::kInt8, Scale(0.5F)).quantization, Scale(0.5F));
    }
  }
}

TEST(OperatorTypes, StatedTypesAreThoseOfTheOutput) {
  for (const WithQuantized what : {WithQuantized::kRequantized, WithQuantized::kInRange}) {
    for (const PlainLayer& layer : GetLayersThat(what)) {
      SCOPED_TRACE(GetLayerTypeName(layer.type));
      const TensorInfo same =
          layer.Infer(DataType::kInt8, Scale(0.5F), {{DataType::kUndefined, Scale(0.25F, -3)}});
      EXPECT_EQ(same.data_type, DataType::kInt8);
      EXPECT_EQ(same.quantization, Scale(0.25F, -3));
      const TensorInfo other =
          layer.Infer(DataType::kInt8, Scale(0.5F), {{DataType::kUInt8, Scale(0.25F, 200)}});
      EXPECT_EQ(other.data_type, DataType::kUInt8);
      EXPECT_EQ(other.quantization, Scale(0.25F, 200));
    }
  }
}

TEST(OperatorTypes, StatedTypesAreCheckedAsThoseOfInputsAre) {
  const PlainLayer softmax = GetPlainLayer(LayerType::kSoftmax);
  const auto infer = [&](DataType type, float scale) {
    softmax.Infer(DataType::kInt8, Scale(0.5F), {{type, Scale(scale)}});
  };
  ExpectDiagnostic(CatchDiagnostic([&] { infer(DataType::kInt8, -1.0F); }),
                   DiagnosticCode::kWrongShape, "layer", "found a scale", "greater than 0");
  ExpectDiagnostic(CatchDiagnostic([&] { infer(DataType::kFloat32, 1.0F); }),
                   DiagnosticCode::kWrongDataType, "layer", "scales with float32", "int8, uint8");
}

TEST(OperatorTypes, WhatOnlyMovesValuesTakesNoOtherType) {
  for (const PlainLayer& layer : GetLayersThat(WithQuantized::kMoved)) {
    SCOPED_TRACE(GetLayerTypeName(layer.type));
    EXPECT_NO_THROW(layer.Infer(DataType::kInt8, Scale(0.5F), {{DataType::kInt8, Scale(0.5F)}}));
    ExpectDiagnostic(CatchDiagnostic([&] {
                       layer.Infer(DataType::kInt8, Scale(0.5F), {{DataType::kUInt8, Scale(0.5F)}});
                     }),
                     DiagnosticCode::kWrongDataType, "layer", "quantized uint8 stated",
                     "quantized int8");
  }
}

TEST(OperatorTypes, NothingIsStatedWithoutQuantizedInputs) {
  const PlainLayer layer = GetPlainLayer(LayerType::kElementwiseBinary);
  EXPECT_NO_THROW(layer.Infer(DataType::kInt8, {}, {{DataType::kInt8, {}}}));
  ExpectDiagnostic(CatchDiagnostic([&] {
                     layer.Infer(DataType::kInt8, {}, {{DataType::kInt32, {}}});
                   }),
                   DiagnosticCode::kWrongDataType, "layer", "found int32 stated", "expected int8");
  ExpectDiagnostic(CatchDiagnostic([&] {
                     layer.Infer(DataType::kInt8, {}, {{DataType::kInt8, Scale(1.0F)}});
                   }),
                   DiagnosticCode::kWrongDataType, "layer", "found quantized int8 stated",
                   "no quantized inputs");
}

TEST(OperatorTypes, NoMoreTypesAreStatedThanThereAreOutputs) {
  const PlainLayer layer = GetPlainLayer(LayerType::kActivation);
  ExpectDiagnostic(
      CatchDiagnostic([&] { layer.Infer(DataType::kFloat32, {}, std::vector<OutputType>(2)); }),
      DiagnosticCode::kInvalidDescriptor, "layer", "found 2", "at most 1");
}

TEST(OperatorTypes, PlainAndQuantizedInputsDoNotMix) {
  ExpectRefused<LayerType::kElementwiseBinary>(
      {}, {Quantized({2}), Typed(DataType::kInt8, {2})}, DiagnosticCode::kWrongDataType,
      "quantized int8 [2] as input 0 and int8 [2] as input 1", "all of them or none");
}

}  // namespace
}  // namespace backplane
