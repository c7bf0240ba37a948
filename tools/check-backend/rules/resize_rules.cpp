// Networks whose extents differ from run to run, of which compiled parts are resized.

#include "conformance/stored_handles.hpp"
#include "harness/network.hpp"
#include "harness/samples.hpp"
#include "harness/session.hpp"

#include <backplane/api/descriptors.hpp>
#include <backplane/runtime/optimize.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace backplane::check_backend {
namespace {

using conformance::MakeStored;
using conformance::Random;
using conformance::StoredTensor;

constexpr std::int64_t kWidth = 6;
/// From smaller to larger ones first: what is resized wrongly then leaves elements out.
constexpr std::int64_t kRows[] = {5, 7, 13, 9, 7};

/// Makes networks of rows of kWidth elements from a seed, each with open or with known rows.
class RowsNetwork {
 public:
  RowsNetwork(std::uint32_t seed, std::size_t num_layers) : seed_(seed), num_layers_(num_layers) {}

  std::unique_ptr<INetwork> Build(std::int64_t rows) const {
    auto network = INetwork::Create("rows");
    Random random(seed_);
    const TensorInfo info({rows, kWidth}, DataType::kFloat32);
    OutputSlot x = network->AddInputLayer(info, "x");
    for (std::size_t layer = 0; layer < num_layers_; ++layer) {
      x = AddLayer(*network, x, random, std::to_string(layer));
    }
    network->AddOutputLayer(x, "y");
    return network;
  }

 private:
  static OutputSlot AddLayer(INetwork& network, OutputSlot x, Random& random,
                             const std::string& name) {
    switch (random.Integer(0, 4)) {
      case 0: {
        ActivationDescriptor descriptor;
        descriptor.function = ActivationFunction::kSigmoid;
        return {backplane::AddLayer<LayerType::kActivation>(network, descriptor, {x}, name), 0};
      }
      case 1: {
        ElementwiseBinaryDescriptor descriptor;
        descriptor.operation = BinaryOperation::kAdd;
        const OutputSlot operand = AddConstant(network, {kWidth}, random, name);
        return {backplane::AddLayer<LayerType::kElementwiseBinary>(network, descriptor,
                                                                   {x, operand}, name),
                0};
      }
      case 2: {
        const OutputSlot matrix = AddConstant(network, {kWidth, kWidth}, random, name);
        return {backplane::AddLayer<LayerType::kBatchMatMul>(network, BatchMatMulDescriptor(),
                                                             {x, matrix}, name),
                0};
      }
      case 3: {
        SoftmaxDescriptor descriptor;
        descriptor.axis = 1;
        return {backplane::AddLayer<LayerType::kSoftmax>(network, descriptor, {x}, name), 0};
      }
      default: {
        // Each row with itself behind it, of which every second element stays.
        ConcatDescriptor join;
        join.axis = 1;
        const LayerId joined =
            backplane::AddLayer<LayerType::kConcat>(network, join, {x, x}, name + "/joined");
        SliceDescriptor part;
        part.steps[1] = 2;
        part.extents[0] = kOpenExtent;
        part.extents[1] = kWidth;
        if (network.GetTensorInfo(x).shape[0] != kOpenExtent) {
          part.extents[0] = network.GetTensorInfo(x).shape[0];
        }
        return {backplane::AddLayer<LayerType::kSlice>(network, part, {{joined, 0}}, name), 0};
      }
    }
  }

  static OutputSlot AddConstant(INetwork& network, const TensorShape& shape, Random& random,
                                const std::string& name) {
    const std::vector<float> data = random.Tensor(shape).data;
    return network.AddConstantLayer(TensorInfo(shape, DataType::kFloat32),
                                    CopyConstantData(data.data(), data.size() * sizeof(float)),
                                    name + "/constant");
  }

  std::uint32_t seed_;
  std::size_t num_layers_;
};

/// Whether a plan that was made from another one has parts that the backend compiled.
bool HasResized(const std::vector<PlanReport>& plans, const std::string& id) {
  const auto is_compiled = [&](const PlacedSubgraph& part) {
    return part.outcome == SubgraphOutcome::kReplaced && part.backend_id == id;
  };
  return std::any_of(plans.begin(), plans.end(), [&](const PlanReport& plan) {
    return std::any_of(plan.stages.begin(), plan.stages.end(), [&](const StageReport& stage) {
      const auto& parts = stage.placement.subgraphs;
      return stage.is_resized && std::any_of(parts.begin(), parts.end(), is_compiled);
    });
  });
}

}  // namespace

void CheckResizedNetworksAreRight(Session& session) {
  const std::string id = session.GetPlugin().GetId();
  const TestRuntime test_runtime(session, id);
  IRuntime& runtime = test_runtime.Get();
  std::vector<std::string> preferences = {id};
  if (test_runtime.HasReference()) preferences.emplace_back("CpuRef");
  bool has_resized = false;
  const std::uint32_t count = session.IsQuick() ? 20 : 100;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t seed = session.GetSeed() * 7919 + i;
    const RowsNetwork rows_network(seed, 1 + i % 8);
    if (!session.Begin("runs a network of " + std::to_string(1 + i % 8) +
                       " layers on inputs of different lengths")) {
      continue;
    }
    const auto optimize = [&](std::int64_t rows) {
      return Optimize(*rows_network.Build(rows), preferences, runtime.GetDeviceSpec());
    };
    const NetworkId open = runtime.LoadNetwork(optimize(kOpenExtent));
    Random random(seed);
    for (const std::int64_t rows : kRows) {
      const TensorInfo info({rows, kWidth}, DataType::kFloat32);
      const std::vector<StoredTensor> inputs = {MakeStored(info, random.Tensor(info.shape).data)};
      const std::string wrong =
          FindWrongRun(RunLoaded(runtime, open, {info}, inputs),
                       RunOnce(runtime, optimize(rows), inputs), {1e-4L, 0, 1e-4L});
      session.Expect(wrong.empty(), std::to_string(rows) + " rows, " + wrong,
                     "what the network gives that was made for them");
    }
    has_resized = has_resized || HasResized(runtime.GetPlanReports(open), id);
    runtime.UnloadNetwork(open);
  }
  if (session.HasCases() && !has_resized)
    session.Skip("the backend resizes nothing that it compiles");
}

}  // namespace backplane::check_backend
