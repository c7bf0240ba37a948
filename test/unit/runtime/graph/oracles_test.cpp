// Operators as the oracles know them: shapes, data types and refusals.

#include "conformance/typed_case.hpp"
#include "graph/infer.hpp"

namespace backplane {
namespace {

using conformance::kOracles;
using conformance::LayerCase;
using conformance::TestLayer;

/// The layer with values that are not quantised, or only as it always is.
TestLayer MakeLayerOf(const LayerCase& layer, DataType type) {
  conformance::Random random(1);
  conformance::ValueTypes types;
  types.data_type = type;
  return conformance::MakeTypedLayer(layer, {}, types, random);
}

std::vector<TensorInfo> InferOutputs(const conformance::Oracle& oracle, const LayerCase& layer,
                                     const TestLayer& made) {
  return InferAll(layer.type, *layer.descriptor, made.inputs,
                  conformance::StateOutputs<OutputType>(oracle, layer, made), made.outputs.size());
}

class Oracles : public testing::TestWithParam<std::size_t> {
 protected:
  void ExpectOutputsOf(const LayerCase& layer, DataType type) {
    const TestLayer made = MakeLayerOf(layer, type);
    try {
      EXPECT_EQ(InferOutputs(oracle_, layer, made), made.outputs);
    } catch (const DiagnosticException& exception) {
      ADD_FAILURE() << ToText(exception.GetDiagnostic());
    }
  }

  void ExpectRefusal(const conformance::RefusedCase& one) {
    const TestLayer made = MakeLayerOf(one.layer, one.layer.values);
    const auto infer = [&] { InferOutputs(oracle_, one.layer, made); };
    if (one.diagnostic.empty()) {
      EXPECT_NO_THROW(infer());
      return;
    }
    const Diagnostic diagnostic = CatchDiagnostic(infer);
    EXPECT_EQ(GetDiagnosticName(diagnostic.code), one.diagnostic);
    ExpectDiagnostic(diagnostic, diagnostic.code, "layer", one.found, one.expected);
    ExpectContains(diagnostic.what, std::string("(") + GetLayerTypeName(one.layer.type) + ")");
  }

  bool IsOperator() const { return FindLayerTypeInfo(oracle_.type)->is_operator; }

  const conformance::Oracle oracle_ = kOracles[GetParam()]();
};

TEST_P(Oracles, KnowTheOutputsOfTheirOperator) {
  if (!IsOperator()) return;
  conformance::Random random(static_cast<std::uint32_t>(oracle_.type));
  for (int round = 0; round < 6; ++round) {
    const std::vector<LayerCase> cases = oracle_.make_cases(random);
    for (std::size_t index = 0; index < cases.size(); ++index) {
      for (const DataType type : conformance::kDataTypes) {
        if (!oracle_.get_traits(cases[index]).plain.Has(type)) continue;
        SCOPED_TRACE(std::string(GetDataTypeName(type)) + ", case " + std::to_string(index));
        ExpectOutputsOf(cases[index], type);
        ASSERT_FALSE(HasFailure());
      }
    }
  }
}

TEST_P(Oracles, KnowTheOutputsAtTheEdges) {
  if (!IsOperator()) return;
  const std::vector<conformance::EdgeCase> edges = oracle_.make_edges();
  for (std::size_t index = 0; index < edges.size(); ++index) {
    SCOPED_TRACE("edge " + std::to_string(index));
    ExpectOutputsOf(edges[index].layer, edges[index].layer.values);
  }
}

TEST_P(Oracles, KnowWhatIsRefusedBeyondThem) {
  if (!IsOperator()) return;
  const std::vector<conformance::RefusedCase> refused = oracle_.make_refused();
  for (std::size_t index = 0; index < refused.size(); ++index) {
    SCOPED_TRACE("refusal " + std::to_string(index));
    ExpectRefusal(refused[index]);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryLayer, Oracles, testing::Range<std::size_t>(0, std::size(kOracles)),
                         conformance::NameOfOracle());

}  // namespace
}  // namespace backplane
