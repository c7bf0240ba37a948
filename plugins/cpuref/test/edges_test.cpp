#include "conformance/typed_case.hpp"
#include "test/run_stored.hpp"

#include <gtest/gtest.h>
#include <backplane/api/exceptions.hpp>

#include <algorithm>

namespace backplane {
namespace cpuref_test {
namespace {

TestLayer MakeLayerOf(const LayerCase& layer, Random& random) {
  ValueTypes types;
  types.data_type = layer.values;
  return MakeTypedLayer(layer, LayerTraits(), types, random);
}

std::vector<StoredTensor> MakeInputsOf(const EdgeCase& edge, const TestLayer& made,
                                       Random& random) {
  std::vector<StoredTensor> inputs = MakeInputs(edge.layer, made, random);
  if (edge.inputs.empty()) return inputs;
  EXPECT_EQ(edge.inputs.size(), inputs.size());
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    inputs[index] = MakeElements(made.inputs[index], edge.inputs.at(index));
  }
  return inputs;
}

bool IsNear(long double found, long double wanted, long double tolerance) {
  if (std::isnan(found) && std::isnan(wanted)) return true;
  return tolerance > 0 &&
         std::fabs(found - wanted) <= tolerance * (wanted == 0 ? 1 : std::fabs(wanted));
}

/// To the bit, but for what NaN it is, unless there is a tolerance.
void ExpectElements(const StoredTensor& found, const StoredTensor& wanted, long double tolerance) {
  for (std::int64_t element = 0; element < found.info.shape.GetNumElements(); ++element) {
    const auto i = static_cast<std::size_t>(element);
    const auto a = DecodeElement<long double>(found, i);
    const auto b = DecodeElement<long double>(wanted, i);
    if (GetBits(found, i) == GetBits(wanted, i) || IsNear(a, b, tolerance)) continue;
    ADD_FAILURE() << "element " << i << ": " << static_cast<double>(a) << " instead of "
                  << static_cast<double>(b) << ", bits " << GetBits(found, i);
  }
}

bool IsAnyQuantised(const std::vector<TensorInfo>& infos) {
  return std::any_of(infos.begin(), infos.end(),
                     [](const TensorInfo& info) { return info.quantization.IsQuantized(); });
}

void ExpectEdge(const Oracle& oracle, const EdgeCase& edge, Random& random) {
  const TestLayer made = MakeLayerOf(edge.layer, random);
  const std::vector<StoredTensor> inputs = MakeInputsOf(edge, made, random);
  if (edge.fails_run) {
    EXPECT_THROW(RunStoredForAll(edge.layer.type, *edge.layer.descriptor, inputs, made.outputs),
                 InvalidArgumentException);
    return;
  }
  const std::vector<StoredTensor> outputs =
      RunStoredForAll(edge.layer.type, *edge.layer.descriptor, inputs, made.outputs);
  if (edge.outputs.empty()) {
    ValueTypes types;
    types.data_type = edge.layer.values;
    if (IsAnyQuantised(made.inputs)) types.scales = Scales::kPerTensor;
    ExpectAsOracle(oracle, edge.layer, types, inputs, outputs,
                   [](const auto& found, const auto& wanted) { ExpectStored(found, wanted); });
    return;
  }
  ASSERT_EQ(edge.outputs.size(), outputs.size());
  for (std::size_t index = 0; index < outputs.size(); ++index) {
    SCOPED_TRACE("output " + std::to_string(index));
    ExpectElements(outputs[index], MakeElements(made.outputs[index], edge.outputs[index]),
                   edge.tolerance);
  }
}

/// A type that the layer takes.
ValueTypes ChooseTypes(const LayerTraits& traits) {
  ValueTypes types = {DataType::kInt8, Scales::kPerTensor};
  for (const DataType type : kDataTypes) {
    if (traits.plain.Has(type)) types = {type, Scales::kNone};
  }
  return types;
}

void ExpectRefused(const TestLayer& layer, const char* reason) {
  const std::string refusal = GetRefusal(layer);
  EXPECT_NE(refusal.find(reason), std::string::npos) << refusal;
}

/// Each output in turn has another shape, then another type.
void ExpectOutputsAreChecked(const TestLayer& layer) {
  for (std::size_t index = 0; index < layer.outputs.size(); ++index) {
    SCOPED_TRACE("output " + std::to_string(index));
    TestLayer other = layer;
    TensorInfo& output = other.outputs[index];
    if (output.shape.rank == 0) output.shape.Append(1);
    ++output.shape[output.shape.rank - 1];
    ExpectRefused(other, "shape");
    output = layer.outputs[index];
    output.data_type = output.data_type == DataType::kBool ? DataType::kInt16 : DataType::kBool;
    ExpectRefused(other, GetDataTypeName(output.data_type));
  }
}

class Edges : public testing::TestWithParam<std::size_t> {
 protected:
  const Oracle oracle_ = kOracles[GetParam()]();
};

TEST_P(Edges, OfAnOperatorAreComputedToTheBit) {
  Random random(1);
  const std::vector<EdgeCase> edges = oracle_.make_edges();
  EXPECT_FALSE(edges.empty());
  for (std::size_t index = 0; index < edges.size(); ++index) {
    SCOPED_TRACE("edge " + std::to_string(index));
    ExpectEdge(oracle_, edges[index], random);
  }
}

TEST_P(Edges, BeyondThemLayersAreRefusedWithTheReason) {
  Random random(1);
  const std::vector<RefusedCase> refused = oracle_.make_refused();
  EXPECT_FALSE(refused.empty());
  for (std::size_t index = 0; index < refused.size(); ++index) {
    SCOPED_TRACE("refusal " + std::to_string(index));
    const TestLayer made = MakeLayerOf(refused[index].layer, random);
    EXPECT_EQ(GetRefusal(made), refused[index].reason);
    if (refused[index].reason.empty()) continue;
    EXPECT_THROW(MakeWorkload(made), std::invalid_argument);
  }
}

TEST_P(Edges, OutputsOfAnotherShapeOrTypeAreRefused) {
  Random random(2);
  for (const LayerCase& layer : oracle_.make_cases(random)) {
    const LayerTraits traits = oracle_.get_traits(layer);
    const TestLayer made = MakeTypedLayer(layer, traits, ChooseTypes(traits), random);
    ASSERT_EQ(GetRefusal(made), "");
    ExpectOutputsAreChecked(made);
  }
}

TEST_P(Edges, WhatIsMovedKeepsItsQuantisation) {
  Random random(2);
  for (const LayerCase& layer : oracle_.make_cases(random)) {
    LayerTraits traits = oracle_.get_traits(layer);
    const bool is_moved = traits.quantised == QuantisedTypes::kMoved;
    if (!is_moved || traits.is_restated || FindOwn(layer.own_outputs, 0) != nullptr) continue;
    TestLayer made = MakeTypedLayer(layer, traits, {DataType::kInt8, Scales::kPerTensor}, random);
    ASSERT_EQ(GetRefusal(made), "");
    made.outputs[0].quantization.scales[0] *= 2;
    ExpectRefused(made, "quantisation of");
  }
}

INSTANTIATE_TEST_SUITE_P(EveryLayer, Edges, testing::Range<std::size_t>(0, std::size(kOracles)),
                         NameOfOracle());

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
