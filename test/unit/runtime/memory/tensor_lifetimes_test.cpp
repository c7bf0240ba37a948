#include "memory/tensor_lifetimes.hpp"

#include "memory/arena_plan.hpp"
#include "network/network.hpp"
#include "test_networks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace backplane {
namespace {

const Graph& GraphOf(const INetwork& network) {
  return static_cast<const Network&>(network).GetGraph();
}

void ExpectLifetime(const TensorLifetime& lifetime, std::uint64_t size_bytes,
                    std::uint32_t first_step, std::uint32_t last_step) {
  EXPECT_EQ(lifetime.size_bytes, size_bytes);
  EXPECT_EQ(lifetime.first_step, first_step);
  EXPECT_EQ(lifetime.last_step, last_step);
}

TEST(TensorLifetimes, EndAtTheLastReader) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({4}), "x");
  const LayerId a = AddRelu(*network, x, "a");
  const LayerId b = AddRelu(*network, {a, 0}, "b");
  const LayerId c = AddSum(*network, {a, 0}, {b, 0}, "c");
  network->AddOutputLayer({c, 0}, "y");
  const auto lifetimes = ComputeLifetimes(GraphOf(*network));
  ASSERT_EQ(lifetimes.size(), 4U);
  ExpectLifetime(lifetimes[0], 16, 0, 1);
  ExpectLifetime(lifetimes[1], 16, 1, 3);
  ExpectLifetime(lifetimes[2], 16, 2, 3);
  ExpectLifetime(lifetimes[3], 16, 3, 4);
}

TEST(TensorLifetimes, OutputsLastToTheEnd) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({4}), "x");
  network->AddOutputLayer(x, "unchanged");
  const LayerId a = AddRelu(*network, x, "a");
  network->AddOutputLayer({a, 0}, "early");
  AddRelu(*network, {a, 0}, "unused");
  const auto lifetimes = ComputeLifetimes(GraphOf(*network));
  ExpectLifetime(lifetimes[0], 16, 0, 3);
  ExpectLifetime(lifetimes[1], 16, 1, 3);
  ExpectLifetime(lifetimes[2], 16, 2, 2);
}

TEST(TensorLifetimes, ConstantsTakeNoRoom) {
  auto network = INetwork::Create("net");
  const std::vector<float> values(4);
  const OutputSlot constant =
      network->AddConstantLayer(Float({4}), CopyConstantData(values.data(), 16), "c");
  network->AddOutputLayer(constant, "y");
  EXPECT_EQ(ComputeLifetimes(GraphOf(*network))[0].size_bytes, 0U);
}

// Runs random graphs in the mind: each tensor is stamped into a model of the arena when it is
// written, and must still be there whenever it is read.
TEST(TensorLifetimes, KeepEveryTensorIntactInRandomGraphs) {
  std::mt19937 engine(7);
  const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
  for (int round = 0; round < 100; ++round) {
    auto network = INetwork::Create("net");
    std::vector<OutputSlot> tensors{network->AddInputLayer(Float({1 + random() % 100}), "x")};
    const auto pick = [&] { return tensors[random() % tensors.size()]; };
    const std::uint32_t num_layers = random() % 40;
    for (std::uint32_t i = 0; i < num_layers; ++i) {
      ConcatDescriptor descriptor;
      std::vector<OutputSlot> inputs{pick()};
      if (random() % 2 == 0 && network->GetTensorInfo(inputs[0]).shape[0] < 5000) {
        inputs.push_back(pick());
      }
      tensors.push_back({AddLayer<LayerType::kConcat>(*network, descriptor, inputs, ""), 0});
    }
    network->AddOutputLayer(pick(), "y");
    network->AddOutputLayer(pick(), "z");

    const Graph& graph = GraphOf(*network);
    const std::vector<TensorLifetime> lifetimes = ComputeLifetimes(graph);
    const std::vector<std::uint32_t> first_tensor = NumberTensors(graph);
    const ArenaPlan plan = PlanArena(lifetimes);
    std::vector<std::uint32_t> owner(plan.arena_bytes / 64, 0xffffffffU);
    const auto blocks_of = [&](std::uint32_t tensor) {
      const auto begin = owner.begin() + static_cast<std::ptrdiff_t>(plan.offsets[tensor] / 64);
      const std::uint64_t num_blocks = (lifetimes[tensor].size_bytes + 63) / 64;
      return std::make_pair(begin, begin + static_cast<std::ptrdiff_t>(num_blocks));
    };
    const auto expect_intact = [&](std::uint32_t tensor) {
      const auto [begin, end] = blocks_of(tensor);
      EXPECT_TRUE(std::all_of(begin, end, [&](std::uint32_t id) { return id == tensor; }));
    };
    for (const Layer& layer : graph.layers) {
      if (layer.type == LayerType::kOutput) continue;
      for (std::uint32_t output = 0; output < layer.outputs.size(); ++output) {
        const auto [begin, end] = blocks_of(first_tensor[layer.id] + output);
        std::fill(begin, end, first_tensor[layer.id] + output);
      }
      // After writing: an operator must not overwrite what it still reads.
      for (const OutputSlot input : layer.inputs) {
        expect_intact(first_tensor[input.layer] + input.index);
      }
    }
    for (const LayerId output : graph.outputs) {
      expect_intact(first_tensor[graph.layers[output].inputs[0].layer]);
    }
  }
}

}  // namespace
}  // namespace backplane
