#pragma once

#include "graph/tensor_numbers.hpp"
#include "placement/bridge_check.hpp"
#include "placement/bridge_network.hpp"
#include "placement/kind_maker.hpp"
#include "placement/placed_layers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace backplane {

/// Two backends whose kinds a test adds, and a network whose layers are placed on them.
class BridgeFixture : public testing::Test {
 protected:
  explicit BridgeFixture(MemoryProtection protection = MemoryProtection::kNone)
      : kinds_(protection), protection_(protection) {}

  /// Adds the one kind that a backend has.
  KindIndex AddOnly(std::uint32_t backend, const std::string& id,
                    const FactoryProperties& properties, const FactoryAnswers& answers = {}) {
    const KindIndex kind = kinds_.Add(backend, id, properties, answers);
    kinds_.Prefer(backend, {kind});
    return kind;
  }

  BridgedNetwork Bridge() const {
    BridgeResult result = BridgeNetwork(layers_.GetGraph(), layers_.GetBackends(), kinds_.Get(),
                                        protection_, kinds_.GetBackendIds());
    ExpectBridged(layers_.GetGraph(), result.network, kinds_.GetTable());
    return std::move(result.network);
  }

  /// What leads from one kind or shape to another, in order: "copy A to B by Npu", "import A to B",
  /// "view in A", "run A to B by Npu".
  std::vector<std::string> ListWays(const BridgedNetwork& network) const {
    std::vector<std::string> ways;
    for (const Layer& layer : network.graph.layers) {
      if (layer.inputs.size() != 1 || layer.outputs.size() != 1) continue;
      const std::string from = GetKindId(network, layer.inputs[0]);
      const std::string both = from + " to " + GetKindId(network, {layer.id, 0});
      const std::uint32_t backend = network.backend_of_layer[layer.id];
      const std::string by =
          " by " + (backend == kCoreBackend ? "core" : kinds_.GetBackendIds()[backend]);
      if (layer.type == LayerType::kCopy) ways.push_back("copy " + both + by);
      if (layer.type == LayerType::kImport) ways.push_back("import " + both);
      if (layer.type != LayerType::kReshape) continue;
      const bool is_view = network.roles[layer.id] == LayerRole::kView;
      ways.push_back(is_view ? "view in " + from : "run " + both + by);
    }
    return ways;
  }

  std::string GetKindId(const BridgedNetwork& network, OutputSlot slot) const {
    const KindIndex kind = network.kind_of_tensor[TensorNumbers(network.graph).Get(slot)];
    return kind == kNoKind ? "none" : kinds_.GetTable().kinds[kind].id;
  }

  /// The tensor that a layer reads first; the layer is found by its name.
  static OutputSlot GetInputOf(const BridgedNetwork& network, const std::string& name) {
    const auto& layers = network.graph.layers;
    const auto found = std::find_if(layers.begin(), layers.end(),
                                    [&](const Layer& layer) { return layer.name == name; });
    EXPECT_NE(found, layers.end()) << "no layer is named " << name;
    return found == layers.end() ? OutputSlot() : found->inputs.at(0);
  }

  KindMaker kinds_;
  PlacedLayers layers_;
  MemoryProtection protection_;
  std::uint32_t npu_ = kinds_.AddBackend("Npu");
  std::uint32_t gpu_ = kinds_.AddBackend("Gpu");
};

}  // namespace backplane
