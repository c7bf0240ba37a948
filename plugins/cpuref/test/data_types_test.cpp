#include "conformance/typed_case.hpp"
#include "test/count_allocations.hpp"
#include "test/run_stored.hpp"

#include <gtest/gtest.h>

namespace backplane {
namespace cpuref_test {
namespace {

/// Makes and runs the layer on random tensors. The run must not allocate.
void ExpectComputesDataTypes(const Oracle& oracle, const LayerCase& layer, const TestLayer& made,
                             const ValueTypes& types, Random& random) {
  std::vector<StoredTensor> inputs = MakeInputs(layer, made, random);
  std::vector<StoredTensor> outputs(made.outputs.begin(), made.outputs.end());
  const StoredHandles input_handles(inputs);
  const StoredHandles output_handles(outputs);
  std::unique_ptr<IWorkloadFactory> factory;
  const std::unique_ptr<IWorkload> workload = MakeWorkload(made, &factory);
  const std::unique_ptr<IExecutionState> state = factory->CreateExecutionState();
  const RunArguments args(input_handles.Get(), output_handles.Get(), state.get());
  const std::int64_t before = CountAllocations();
  const Status status = workload->Execute(args.Show());
  const std::int64_t after = CountAllocations();
  ASSERT_EQ(status, Status::kSuccess);
  EXPECT_EQ(after, before);
  ExpectAsOracle(
      oracle, layer, types, inputs, outputs,
      [](const StoredTensor& found, const auto& expected) { ExpectStored(found, expected); });
}

void ExpectTakesWhatItSays(const Oracle& oracle, const LayerCase& layer, const ValueTypes& types,
                           Random& random) {
  const LayerTraits traits = oracle.get_traits(layer);
  if (!HasMeaning(traits, types)) return;
  const TestLayer made = MakeTypedLayer(layer, traits, types, random);
  const bool is_supported = IsSupported(traits, types);
  EXPECT_EQ(GetRefusal(made).empty(), is_supported) << GetRefusal(made);
  if (is_supported && GetRefusal(made).empty()) {
    ExpectComputesDataTypes(oracle, layer, made, types, random);
  } else if (!is_supported) {
    EXPECT_THROW(MakeWorkload(made), std::invalid_argument);
  }
}

class DataTypes : public testing::TestWithParam<std::size_t> {};

TEST_P(DataTypes, OfALayerAreTakenAsItSaysAndComputedRight) {
  const Oracle oracle = kOracles[GetParam()]();
  for (const DataType type : kDataTypes) {
    for (const Scales scales : {Scales::kNone, Scales::kPerTensor, Scales::kPerAxis}) {
      Random random(static_cast<std::uint32_t>(oracle.type) * 100 +
                    static_cast<std::uint32_t>(type));
      for (int round = 0; round < 6; ++round) {
        const std::vector<LayerCase> cases = oracle.make_cases(random);
        ASSERT_FALSE(cases.empty());
        for (std::size_t index = 0; index < cases.size(); ++index) {
          SCOPED_TRACE(ToText({type, scales}) + ", round " + std::to_string(round) + ", case " +
                       std::to_string(index));
          ExpectTakesWhatItSays(oracle, cases[index], {type, scales}, random);
          ASSERT_FALSE(HasFailure());
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryLayer, DataTypes, testing::Range<std::size_t>(0, std::size(kOracles)),
                         NameOfOracle());

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
