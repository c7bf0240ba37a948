#include "operators/infer.hpp"

#include <set>

namespace backplane {
namespace {

using Types = std::set<DataType>;

const Types kAll = {
#define BACKPLANE_DATA_TYPE(name, number, size, text) DataType::k##name,
#include <backplane/api/data_types.def>
#undef BACKPLANE_DATA_TYPE
};
const Types kFloats = {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16,
                       DataType::kFloat64};
const Types kQuantizable = {DataType::kInt8, DataType::kUInt8, DataType::kInt16, DataType::kUInt16,
                            DataType::kInt32};

bool MovesValues(LayerType type) {
  return type == LayerType::kConcat || type == LayerType::kReshape || type == LayerType::kSplit;
}

Types GetAccepted(LayerType type) {
  if (type == LayerType::kSoftmax) return kFloats;
  Types types = kAll;
  if (!MovesValues(type)) types.erase(DataType::kBool);
  return types;
}

QuantizationInfo Scale(float scale, std::int32_t zero_point = 0) {
  QuantizationInfo quantization;
  quantization.scales = {scale};
  quantization.zero_points = {zero_point};
  return quantization;
}

/// A descriptor for tensors of one element: the defaults, where they mean something.
template <typename Descriptor>
Descriptor MakePlain() {
  return {};
}

template <>
SplitDescriptor MakePlain() {
  SplitDescriptor descriptor;
  descriptor.num_parts = 1;
  descriptor.extents[0] = 1;
  return descriptor;
}

/// A plain layer of a type: one element in each tensor.
struct PlainLayer {
  explicit PlainLayer(const LayerTypeInfo& layer_row) : row(layer_row) {}

  template <typename Descriptor>
  TensorInfo Add(const TensorInfo& input, const std::vector<OutputType>& stated) const {
    auto network = INetwork::Create("net");
    std::vector<OutputSlot> inputs;
    while (inputs.size() < row.min_inputs) {
      inputs.push_back(network->AddInputLayer(input, "in" + std::to_string(inputs.size())));
    }
    const LayerId layer =
        network->AddOperatorLayer(row.type, MakePlain<Descriptor>(), inputs, "layer", stated);
    return network->GetTensorInfo({layer, 0});
  }

  TensorInfo Infer(DataType type, const QuantizationInfo& quantization,
                   const std::vector<OutputType>& stated = {}) const {
    const bool is_image = row.type == LayerType::kConvolution || row.type == LayerType::kPooling;
    TensorInfo info(is_image ? TensorShape{1, 1, 1, 1} : TensorShape{1, 1}, type);
    info.quantization = quantization;
    switch (row.type) {
#define BACKPLANE_OPERATOR(name, number, major, minor, min_in, max_in, min_out, max_out, \
                           descriptor, aliasing, documentation)                          \
  case LayerType::k##name:                                                               \
    return Add<descriptor>(info, stated);
#define BACKPLANE_CORE_LAYER(...)
#include <backplane/api/layers.def>
#undef BACKPLANE_OPERATOR
#undef BACKPLANE_CORE_LAYER
      default:
        return {};
    }
  }

  const LayerTypeInfo& row;
};

std::vector<PlainLayer> GetOperators() {
  std::vector<PlainLayer> operators;
  for (const LayerTypeInfo& row : kLayerTypes) {
    if (row.is_operator) operators.emplace_back(row);
  }
  return operators;
}

TEST(OperatorTypes, EveryOperatorTakesWhatItStatesAndListsItOtherwise) {
  for (const PlainLayer& layer : GetOperators()) {
    const Types accepted = GetAccepted(layer.row.type);
    for (const DataType type : kAll) {
      SCOPED_TRACE(std::string(layer.row.name) + " of " + GetDataTypeName(type));
      if (accepted.count(type) == 1) {
        EXPECT_EQ(layer.Infer(type, {}).data_type, type);
        continue;
      }
      const Diagnostic diagnostic = CatchDiagnostic([&] { layer.Infer(type, {}); });
      ExpectDiagnostic(diagnostic, DiagnosticCode::kWrongDataType, "layer",
                       std::string("found ") + GetDataTypeName(type), "or quantized int8, uint8");
      for (const DataType one : accepted) ExpectContains(diagnostic.why, GetDataTypeName(one));
    }
  }
}

TEST(OperatorTypes, QuantizedTensorsHaveTypesThatCanBeQuantized) {
  for (const DataType type : kAll) {
    auto network = INetwork::Create("net");
    TensorInfo info({2}, type);
    info.quantization = Scale(0.5F);
    const auto add = [&] { network->AddInputLayer(info, "x"); };
    if (kQuantizable.count(type) == 1) {
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
  for (const PlainLayer& layer : GetOperators()) {
    SCOPED_TRACE(layer.row.name);
    if (MovesValues(layer.row.type) || layer.row.type == LayerType::kPooling) {
      EXPECT_EQ(layer.Infer(DataType::kInt8, Scale(0.5F)).quantization, Scale(0.5F));
      continue;
    }
    const Diagnostic diagnostic =
        CatchDiagnostic([&] { layer.Infer(DataType::kInt8, Scale(0.5F)); });
    ExpectDiagnostic(diagnostic, DiagnosticCode::kWrongDataType, "layer", "quantized int8 [1",
                     "no scale stated");
    ExpectContains(diagnostic.fix, "OutputType");
  }
}

TEST(OperatorTypes, StatedTypesAreThoseOfTheOutput) {
  for (const PlainLayer& layer : GetOperators()) {
    if (MovesValues(layer.row.type)) continue;
    SCOPED_TRACE(layer.row.name);
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

TEST(OperatorTypes, StatedTypesAreCheckedAsThoseOfInputsAre) {
  const PlainLayer softmax(*FindLayerTypeInfo(LayerType::kSoftmax));
  ExpectDiagnostic(CatchDiagnostic([&] {
                     softmax.Infer(DataType::kInt8, Scale(0.5F), {{DataType::kInt8, Scale(-1.0F)}});
                   }),
                   DiagnosticCode::kWrongShape, "layer", "found a scale", "greater than 0");
  ExpectDiagnostic(
      CatchDiagnostic([&] {
        softmax.Infer(DataType::kInt8, Scale(0.5F), {{DataType::kFloat32, Scale(1.0F)}});
      }),
      DiagnosticCode::kWrongDataType, "layer", "scales with float32", "int8, uint8");
}

TEST(OperatorTypes, WhatOnlyMovesValuesTakesNoOtherType) {
  for (const LayerType type : {LayerType::kConcat, LayerType::kReshape, LayerType::kSplit}) {
    const PlainLayer layer(*FindLayerTypeInfo(type));
    EXPECT_NO_THROW(layer.Infer(DataType::kInt8, Scale(0.5F), {{DataType::kInt8, Scale(0.5F)}}));
    ExpectDiagnostic(CatchDiagnostic([&] {
                       layer.Infer(DataType::kInt8, Scale(0.5F), {{DataType::kUInt8, Scale(0.5F)}});
                     }),
                     DiagnosticCode::kWrongDataType, "layer", "quantized uint8 stated",
                     "quantized int8");
  }
}

TEST(OperatorTypes, NothingIsStatedWithoutQuantizedInputs) {
  const PlainLayer layer(*FindLayerTypeInfo(LayerType::kElementwiseBinary));
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
  const PlainLayer layer(*FindLayerTypeInfo(LayerType::kActivation));
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
