// Every layer that has kernels, beside its oracle.

#include "conformance/difference.hpp"
#include "conformance/typed_case.hpp"
#include "test/opencl_case.hpp"

#include <backplane/api/layer_type.hpp>

#include <algorithm>
#include <iterator>

namespace backplane {
namespace opencl_test {
namespace {

constexpr LayerType kRows[] = {
    LayerType::kReshape,
#define OPENCL_KERNEL(name, takes_epilogue) LayerType::k##name,
#include "kernels/kernels.def"
#undef OPENCL_KERNEL
};

/// A driver compiles most of them anew.
constexpr std::size_t kMostCases = 12;

struct NameOfRow {
  std::string operator()(const testing::TestParamInfo<std::size_t>& row) const {
    return GetLayerTypeName(kRows[row.param]);
  }
};

class EveryRow : public OpenClDevice, public testing::WithParamInterface<std::size_t> {
 protected:
  bool IsSupported(const TestLayer& layer, std::string& reason) {
    LayerSupportArgs args;
    args.context = context_.get();
    return MakeOpenCl()->GetLayerSupport(args)->IsLayerSupported(LayerQuestion(layer).Get(),
                                                                 reason);
  }

  std::vector<StoredTensor> Run(const TestLayer& layer, std::vector<StoredTensor> inputs) {
    const auto factory = MakeFactory();
    const auto workload = MakeWorkload(*factory, layer);
    const auto state = factory->CreateExecutionState();
    std::vector<StoredTensor> outputs(layer.outputs.begin(), layer.outputs.end());
    const StoredHandles from(inputs);
    const StoredHandles to(outputs);
    EXPECT_EQ(Execute(*workload, from.Get(), to.Get(), state.get()), Status::kSuccess);
    return outputs;
  }

  /// False when it is refused.
  bool ExpectComputesOrRefuses(const LayerCase& layer, const ValueTypes& types, Random& random) {
    const LayerTraits traits = oracle_.get_traits(layer);
    if (!HasMeaning(traits, types)) return false;
    const TestLayer made = MakeTypedLayer(layer, traits, types, random);
    const std::vector<StoredTensor> inputs = MakeInputs(layer, made, random);
    std::string reason;
    if (!IsSupported(made, reason)) {
      EXPECT_NE(reason, "");
      return false;
    }
    ExpectAsOracle(oracle_, layer, types, inputs, Run(made, inputs),
                   [&](const StoredTensor& found, const auto& expected) {
                     const auto difference =
                         FindDifference(found, expected, GetFastTolerance(found.info.data_type));
                     EXPECT_FALSE(difference) << ToText(*difference);
                   });
    return true;
  }

  /// How many of the first cases were computed; check-backend goes over all.
  int RunCases(const ValueTypes& types) {
    int num_computed = 0;
    Random random(static_cast<std::uint32_t>(oracle_.type));
    const std::vector<LayerCase> cases = oracle_.make_cases(random);
    const std::size_t count = std::min<std::size_t>(cases.size(), kMostCases);
    for (std::size_t index = 0; index < count && !HasFailure(); ++index) {
      SCOPED_TRACE(ToText(types) + ", case " + std::to_string(index));
      if (ExpectComputesOrRefuses(cases[index], types, random)) ++num_computed;
    }
    return num_computed;
  }

  const Oracle oracle_ = FindOracle(kRows[GetParam()]);
};

TEST_P(EveryRow, ComputesAsItsOracle) {
  int num_computed = 0;
  for (const DataType type :
       {DataType::kFloat32, DataType::kFloat16, DataType::kInt32, DataType::kBool}) {
    num_computed += RunCases({type, Scales::kNone});
  }
  EXPECT_GT(num_computed, 0);
}

INSTANTIATE_TEST_SUITE_P(OfKernels, EveryRow, testing::Range<std::size_t>(0, std::size(kRows)),
                         NameOfRow());

/// They lie in bytes, but their bits are no integers.
TEST_F(OpenClDevice, LeavesCastsOfNarrowTypesToOthers) {
  Random random(1);
  for (const EdgeCase& edge : FindOracle(LayerType::kCast).make_edges()) {
    ValueTypes types;
    types.data_type = edge.layer.values;
    const TestLayer cast = MakeTypedLayer(edge.layer, LayerTraits(), types, random);
    const DataType from = cast.inputs[0].data_type;
    const DataType to = cast.outputs[0].data_type;
    if (!IsNarrowType(from) && !IsNarrowType(to)) continue;
    LayerSupportArgs args;
    args.context = context_.get();
    std::string reason;
    EXPECT_FALSE(
        MakeOpenCl()->GetLayerSupport(args)->IsLayerSupported(LayerQuestion(cast).Get(), reason))
        << GetDataTypeName(from) << " to " << GetDataTypeName(to);
  }
}

}  // namespace
}  // namespace opencl_test
}  // namespace backplane
