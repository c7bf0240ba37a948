// Layers that something has spoiled are refused, or run inside of the memory of their tensors.

#include "conformance/guarded_memory.hpp"
#include "conformance/typed_case.hpp"
#include "test/kernel_rows.hpp"
#include "test/layer_mutator.hpp"
#include "test/run_on_cpuacc.hpp"

#include <gtest/gtest.h>
#include <backplane/api/exceptions.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

constexpr std::size_t kMostMutants = 200;
/// Larger layers are only asked about.
constexpr std::uint64_t kMostBytes = 1 << 18;

bool IsSmall(const std::vector<TensorInfo>& tensors) {
  return std::all_of(tensors.begin(), tensors.end(),
                     [](const TensorInfo& tensor) { return tensor.GetSizeBytes() <= kMostBytes; });
}

/// Elements that decide what is read and written, sometimes far off.
std::int64_t MakeOwnElement(const OwnTensor& own, std::size_t element, Random& random) {
  switch (random.Integer(0, 15)) {
    case 0:
      return random.Integer(-9, 9);
    case 1:
      return random.Integer(0, 1) == 0 ? std::numeric_limits<std::int64_t>::min()
                                       : std::numeric_limits<std::int64_t>::max();
    default:
      return own.elements.empty() ? random.Integer(own.least, own.greatest)
                                  : own.elements[element % own.elements.size()];
  }
}

StoredTensor MakeOwn(const TensorInfo& info, const OwnTensor& own, Random& random) {
  StoredTensor tensor(info);
  const std::size_t size = std::max<std::size_t>(1, GetDataTypeSizeBytes(info.data_type));
  for (std::size_t element = 0; element * size < tensor.bytes.size(); ++element) {
    const std::int64_t value = MakeOwnElement(own, element, random);
    SetElement(tensor, element, info.data_type == DataType::kBool ? value & 1 : value);
  }
  return tensor;
}

std::vector<StoredTensor> MakeContents(const LayerCase& layer, const TestLayer& mutant,
                                       Random& random) {
  std::vector<StoredTensor> inputs;
  for (std::size_t index = 0; index < mutant.inputs.size(); ++index) {
    const TensorInfo& info = mutant.inputs[index];
    const OwnTensor* own = FindOwn(layer.own_inputs, index);
    inputs.push_back(own != nullptr ? MakeOwn(info, *own, random) : MakeRandomTensor(info, random));
  }
  return inputs;
}

/// Tensors with guards around each.
class GuardedTensors {
 public:
  GuardedTensors(const std::vector<StoredTensor>& tensors, GuardedMemory::Side side) {
    for (const StoredTensor& tensor : tensors) {
      memories_.push_back(
          std::make_unique<GuardedMemory>(tensor.bytes.data(), tensor.bytes.size(), side));
      handles_.push_back(std::make_unique<MemoryHandle>(tensor.info, memories_.back()->GetBegin()));
      pointers_.push_back(handles_.back().get());
    }
  }

  const std::vector<ITensorHandle*>& Get() const { return pointers_; }

 private:
  std::vector<std::unique_ptr<GuardedMemory>> memories_;
  std::vector<std::unique_ptr<MemoryHandle>> handles_;
  std::vector<ITensorHandle*> pointers_;
};

/// Runs a workload twice, with memory of exactly the stated sizes.
void RunGuarded(const IWorkload& workload, IWorkloadFactory& factory,
                const std::vector<StoredTensor>& inputs, const std::vector<StoredTensor>& outputs,
                GuardedMemory::Side side) {
  const GuardedTensors guarded_inputs(inputs, side);
  const GuardedTensors guarded_outputs(outputs, side);
  const std::unique_ptr<IExecutionState> state = factory.CreateExecutionState();
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(Execute(workload, guarded_inputs.Get(), guarded_outputs.Get(), state.get()),
              Status::kSuccess);
  }
}

class HostileLayers : public testing::TestWithParam<std::size_t> {
 protected:
  /// Mostly float32 or quantised bytes, where they mean something; else what does.
  ValueTypes PickTypes(const LayerTraits& traits) {
    ValueTypes types;
    const std::int64_t kind = random_.Integer(0, 5);
    if (kind < 4 && IsSupported(traits, types)) return types;
    types = {random_.Integer(0, 1) == 0 ? DataType::kInt8 : DataType::kUInt8, Scales::kPerTensor};
    if (kind == 4 && HasMeaning(traits, types) && IsSupported(traits, types)) return types;
    do {
      types.data_type = kDataTypes[random_.Integer(0, std::size(kDataTypes) - 1)];
      types.scales = static_cast<Scales>(random_.Integer(0, 2));
    } while (!HasMeaning(traits, types) || !IsSupported(traits, types));
    return types;
  }

  TestLayer MakeMutant(const LayerCase& layer) {
    const LayerTraits traits = oracle_.get_traits(layer);
    TestLayer mutant = MakeTypedLayer(layer, traits, PickTypes(traits), random_);
    LayerMutator(random_).Mutate(mutant);
    return mutant;
  }

  void ExpectIsSafe(const LayerCase& layer, const TestLayer& mutant) {
    if (!GetCpuAccRefusal(mutant).empty()) return;
    ASSERT_EQ(GetRefusal(mutant), "") << "CpuAcc takes what CpuRef refuses";
    if (!IsSmall(mutant.inputs) || !IsSmall(mutant.outputs)) return;
    ++num_runs_;
    const std::vector<StoredTensor> inputs = MakeContents(layer, mutant, random_);
    const RunSetup setup{static_cast<int>(random_.Integer(1, 2)),
                         static_cast<ConstantInputs>(random_.Integer(0, 2))};
    SCOPED_TRACE(ToText(setup));
    const auto side =
        random_.Integer(0, 1) == 0 ? GuardedMemory::Side::kBehind : GuardedMemory::Side::kBefore;
    std::unique_ptr<IWorkloadFactory> factory;
    const auto workload = MakeCpuAccWorkload(mutant, inputs, setup, factory);
    const std::vector<StoredTensor> outputs(mutant.outputs.begin(), mutant.outputs.end());
    RunGuarded(*workload, *factory, inputs, outputs, side);
  }

  const Oracle oracle_ = FindOracle(kRows[GetParam()]);
  /// Other mutants with --gtest_random_seed.
  Random random_{static_cast<std::uint32_t>(oracle_.type) +
                 1000 * static_cast<std::uint32_t>(testing::GTEST_FLAG(random_seed))};
  int num_runs_ = 0;
};

TEST_P(HostileLayers, AreRefusedOrStayInsideOfTheirTensors) {
  std::size_t num_mutants = 0;
  while (num_mutants < kMostMutants) {
    for (const LayerCase& layer : oracle_.make_cases(random_)) {
      if (++num_mutants > kMostMutants) break;
      const TestLayer mutant = MakeMutant(layer);
      SCOPED_TRACE(Describe(mutant));
      try {
        ExpectIsSafe(layer, mutant);
      } catch (const InvalidArgumentException&) {
        continue;  // an index of an axis that the mutant made shorter
      } catch (const std::exception& error) {
        ADD_FAILURE() << "threw: " << error.what();
      }
    }
  }
  EXPECT_GT(num_runs_, 0);
}

INSTANTIATE_TEST_SUITE_P(CpuAcc, HostileLayers, EveryIndexOfRows(), NameOfRow);

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
