#include "conformance/typed_case.hpp"
#include "test/expect_close.hpp"
#include "test/kernel_rows.hpp"
#include "test/run_on_cpuacc.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

/// Says what was found and what is supported.
void ExpectIsAReason(const std::string& refusal) {
  for (const char* part : {" only ", "but", "differ", "more than", "must"}) {
    if (refusal.find(part) != std::string::npos) return;
  }
  ADD_FAILURE() << "not a reason that helps: " << refusal;
}

void ExpectIsRefused(const TestLayer& layer, const std::string& refusal,
                     const std::vector<StoredTensor>& inputs) {
  ExpectIsAReason(refusal);
  std::unique_ptr<IWorkloadFactory> factory;
  try {
    MakeCpuAccWorkload(layer, inputs, RunSetup(), factory);
    ADD_FAILURE() << "made what is refused: " << refusal;
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(refusal), std::string::npos) << error.what();
  }
}

std::vector<StoredTensor> RunLayerOnCpuRef(const TestLayer& layer,
                                           const std::vector<StoredTensor>& inputs) {
  return RunStoredForAll(layer.type, *layer.GetDescriptor(), inputs, layer.outputs);
}

/// Results of quantised layers do not depend on the backend, but for floats of 16 bits: they are
/// rounded to float32 before.
void ExpectSameBytes(const std::vector<StoredTensor>& found,
                     const std::vector<StoredTensor>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t output = 0; output < found.size(); ++output) {
    const TensorInfo& info = found[output].info;
    if (IsFloat(info.data_type) && info.data_type != DataType::kFloat32) continue;
    EXPECT_EQ(found[output].bytes, expected[output].bytes) << "output " << output;
  }
}

std::vector<RunSetup> ListSetups(std::size_t num_inputs) {
  std::vector<RunSetup> setups;
  for (const int num_threads : {1, 2}) {
    setups.push_back({num_threads, ConstantInputs::kNone});
    if (num_inputs > 1) setups.push_back({num_threads, ConstantInputs::kAllButFirst});
    setups.push_back({num_threads, ConstantInputs::kAll});
  }
  return setups;
}

/// The cases of one layer type, in any types.
class EveryRow : public testing::TestWithParam<std::size_t> {
 protected:
  /// False when it is refused.
  bool ExpectComputesOrRefuses(const LayerCase& layer, const ValueTypes& types, Random& random) {
    const LayerTraits traits = oracle_.get_traits(layer);
    if (!HasMeaning(traits, types)) return false;
    const TestLayer made = MakeTypedLayer(layer, traits, types, random);
    const std::vector<StoredTensor> inputs = MakeInputs(layer, made, random);
    const std::string refusal = GetCpuAccRefusal(made);
    if (!refusal.empty()) {
      ExpectIsRefused(made, refusal, inputs);
      return false;
    }
    EXPECT_TRUE(IsSupported(traits, types)) << "takes what CpuRef refuses";
    const bool is_moved = traits.quantised == QuantisedTypes::kMoved;
    for (const RunSetup& setup : ListSetups(inputs.size())) {
      SCOPED_TRACE(ToText(setup));
      const std::vector<StoredTensor> outputs = RunOnCpuAcc(made, inputs, setup);
      if (types.scales != Scales::kNone) ExpectSameBytes(outputs, RunLayerOnCpuRef(made, inputs));
      ExpectAsOracle(oracle_, layer, types, inputs, outputs,
                     [&](const StoredTensor& found, const auto& expected) {
                       ExpectClose(found, expected,
                                   is_moved ? Precision::kExact : Precision::kFast);
                     });
    }
    return true;
  }

  /// How many cases were computed.
  int RunCases(const ValueTypes& types, int num_rounds) {
    int num_computed = 0;
    Random random(static_cast<std::uint32_t>(oracle_.type) * 100 +
                  static_cast<std::uint32_t>(types.data_type));
    for (int round = 0; round < num_rounds; ++round) {
      const std::vector<LayerCase> cases = oracle_.make_cases(random);
      for (std::size_t index = 0; index < cases.size() && !HasFailure(); ++index) {
        SCOPED_TRACE(conformance::ToText(types) + ", round " + std::to_string(round) + ", case " +
                     std::to_string(index));
        if (ExpectComputesOrRefuses(cases[index], types, random)) ++num_computed;
      }
    }
    return num_computed;
  }

  /// Whether any case has float32 values.
  bool HasFloats() {
    Random random(1);
    for (const LayerCase& layer : oracle_.make_cases(random)) {
      if (IsSupported(oracle_.get_traits(layer), ValueTypes())) return true;
    }
    return false;
  }

  const Oracle oracle_ = FindOracle(kRows[GetParam()]);
};

TEST_P(EveryRow, ComputesFloatsOrRefusesThemWithAReason) {
  const int num_computed = RunCases(ValueTypes(), 8);
  EXPECT_EQ(num_computed > 0, HasFloats()) << "no case runs in float32";
}

TEST_P(EveryRow, ComputesOtherTypesOrRefusesThemWithAReason) {
  for (const DataType type : kDataTypes) {
    for (const Scales scales : {Scales::kNone, Scales::kPerTensor, Scales::kPerAxis}) {
      if (type == DataType::kFloat32 && scales == Scales::kNone) continue;
      RunCases({type, scales}, 2);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(CpuAcc, EveryRow, EveryIndexOfRows(), NameOfRow);

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
