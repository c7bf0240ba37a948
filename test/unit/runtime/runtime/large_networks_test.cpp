#include "runtime/runtime_fixture.hpp"

#include <pthread.h>

#include <functional>

namespace backplane {
namespace {

// On a stack so small that what calls itself along a graph dies.
void RunOnSmallStack(std::function<void()> run) {
  constexpr std::size_t kStackBytes = std::size_t{512} * 1024;
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, kStackBytes), 0);
  const auto start = [](void* argument) -> void* {
    (*static_cast<std::function<void()>*>(argument))();
    return nullptr;
  };
  pthread_t thread{};
  ASSERT_EQ(pthread_create(&thread, &attributes, start, &run), 0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
  ASSERT_EQ(pthread_attr_destroy(&attributes), 0);
}

/// Networks so large that only what is linear in their layers comes to an end: the quadratic would
/// take hours.
class LargeNetworks : public RuntimeFixture {
 protected:
  void SetUp() override {
    network_ = INetwork::Create("large");
    first_ = {AddRelu(*network_, network_->AddInputLayer(Float({4}), "x"), "first"), 0};
  }

  void AddOutput(OutputSlot tensor) {
    network_->AddOutputLayer(tensor, "y" + std::to_string(num_outputs_++));
  }

  // From the plan to the end of a run, all that goes through the graph.
  void Live() {
    RunOnSmallStack([this] {
      auto optimized = OptimizeFor(*network_, {"A", "B"});
      const Placement& placement = optimized->GetPlacement();
      EXPECT_FALSE(ToText(placement).empty());
      EXPECT_FALSE(ToJson(placement).empty());
      EXPECT_FALSE(ToDot(placement).empty());
      EXPECT_FALSE(SubgraphsToJson(placement).empty());
      EXPECT_FALSE(TransfersToText(placement).empty());
      EXPECT_FALSE(TransfersToJson(placement).empty());
      const NetworkId id = runtime_->LoadNetwork(optimized);
      const std::vector<NetworkBinding> outputs = optimized->GetOutputs();
      optimized.reset();
      network_.reset();
      Run(id, outputs);
      runtime_->UnloadNetwork(id);
    });
  }

  // What the test backend makes of a wide layer would take long.
  void LoadAndUnload() {
    RunOnSmallStack([this] {
      const auto optimized = OptimizeFor(*network_, {"A"});
      runtime_->UnloadNetwork(runtime_->LoadNetwork(optimized));
    });
    EXPECT_EQ(a_->CountEvents("~workload factory"), 1);
  }

  OutputSlot first_;
  std::unique_ptr<INetwork> network_;
  std::vector<std::vector<float>> results_;

 private:
  void Run(NetworkId id, const std::vector<NetworkBinding>& outputs) {
    for (const NetworkBinding& output : outputs)
      results_.emplace_back(output.info.GetSizeBytes() / sizeof(float));
    std::vector<OutputTensor> bound;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      bound.push_back(MakeOutput(outputs[i].id, results_[i]));
    }
    std::optional<Diagnostic> failure;
    EXPECT_EQ(runtime_->EnqueueWorkload(id, {MakeInput(0, input_)}, bound, &failure),
              Status::kSuccess)
        << (failure ? ToText(*failure) : "");
  }

  int num_outputs_ = 0;
};

using Floats = std::vector<float>;

TEST_F(LargeNetworks, ChainOfViewsIsFollowedWithoutRecursion) {
  OutputSlot last = first_;
  for (int i = 0; i < 200'000; ++i) last = {AddView(*network_, last, {2, 2}, ""), 0};
  AddOutput(last);
  Live();
  EXPECT_EQ(results_.front(), (Floats{1, 2, 3, 4}));
}

TEST_F(LargeNetworks, EachViewOfAChainIsRead) {
  OutputSlot view = first_;
  for (int i = 0; i < 50'000; ++i) {
    view = {AddView(*network_, view, {4}, ""), 0};
    const OutputSlot read = {AddRelu(*network_, view, ""), 0};
    if (i % 2 != 0) network_->SetBackendHint(read.layer, "B");
  }
  AddOutput({AddRelu(*network_, view, ""), 0});
  Live();
  EXPECT_EQ(results_.front(), (Floats{2, 3, 4, 5}));
}

TEST_F(LargeNetworks, OneTensorHasManyViews) {
  OutputSlot last;
  for (int i = 0; i < 50'000; ++i) {
    last = {AddRelu(*network_, {AddView(*network_, first_, {2, 2}, ""), 0}, ""), 0};
    if (i % 2 != 0) network_->SetBackendHint(last.layer, "B");
  }
  AddOutput(last);
  Live();
  EXPECT_EQ(results_.front(), (Floats{2, 3, 4, 5}));
}

TEST_F(LargeNetworks, ConstantIsSeenThroughAChainOfViews) {
  const auto data = CopyConstantData(input_.data(), 16);
  OutputSlot view = network_->AddConstantLayer(Float({4}), data, "c");
  OutputSlot last = first_;
  for (int i = 0; i < 50'000; ++i) {
    view = {AddView(*network_, view, {4}, ""), 0};
    last = {AddSum(*network_, first_, view, ""), 0};
  }
  AddOutput(last);
  int num_without = 0;
  a_->on_create_workload = [&](const WorkloadArgs& args) {
    if (args.layer_type == LayerType::kElementwiseBinary) {
      num_without += args.constants[1] == nullptr || args.constants[1]->data != data.get();
    }
  };
  Live();
  EXPECT_EQ(num_without, 0);
}

TEST_F(LargeNetworks, ManyOutputsAreViewsOfOneTensor) {
  OutputSlot view = first_;
  for (int i = 0; i < 20'000; ++i) {
    view = {AddView(*network_, view, {4}, ""), 0};
    AddOutput(view);
  }
  Live();
  EXPECT_EQ(results_.front(), (Floats{1, 2, 3, 4}));
  EXPECT_EQ(results_.back(), (Floats{1, 2, 3, 4}));
}

TEST_F(LargeNetworks, WideLayersJoinAndTakeApart) {
  std::vector<OutputSlot> parts;
  for (int i = 0; i < 20'000; ++i) {
    SplitDescriptor split;
    split.num_parts = 2;
    split.extents[0] = 2;
    split.extents[1] = 2;
    const LayerId layer = AddLayer<LayerType::kSplit>(*network_, split, {first_}, "");
    parts.push_back({AddRelu(*network_, {layer, 0}, ""), 0});
    parts.push_back({AddRelu(*network_, {layer, 1}, ""), 0});
  }
  AddOutput({AddLayer<LayerType::kConcat>(*network_, ConcatDescriptor(), parts, ""), 0});
  LoadAndUnload();
}

TEST_F(LargeNetworks, PartsLieInsideOfPartsWithoutRecursion) {
  OutputSlot whole = first_;
  for (int i = 0; i < 20'000; ++i) {
    const OutputSlot part = {AddRelu(*network_, first_, ""), 0};
    whole = {AddLayer<LayerType::kConcat>(*network_, ConcatDescriptor(), {whole, part}, ""), 0};
  }
  AddOutput(whole);
  LoadAndUnload();
}

TEST_F(LargeNetworks, LayerRunsOnOtherBackendThanTheOneBefore) {
  OutputSlot last = first_;
  for (int i = 0; i < 50'000; ++i) {
    last = {AddRelu(*network_, last, std::string(100, 'n')), 0};
    if (i % 2 != 0) network_->SetBackendHint(last.layer, "B");
  }
  AddOutput(last);
  Live();
  EXPECT_EQ(results_.front(), (Floats{50'001, 50'002, 50'003, 50'004}));
}

TEST_F(LargeNetworks, DeletedLayersLeadFromOneToTheNext) {
  OutputSlot last = first_;
  for (int i = 0; i < 50'000; ++i) last = {AddRelu(*network_, last, ""), 0};
  AddOutput(last);
  a_->optimize = [](const OptimizeSubgraphArgs& args) {
    OptimizationViews views;
    OutputSlot before = args.subgraph->inputs.front();
    for (const LayerId layer : args.subgraph->layers) {
      views.deleted.push_back({{layer}, {before}, {{layer, 0}}});
      before = {layer, 0};
    }
    return views;
  };
  Live();
  EXPECT_EQ(results_.front(), input_);
}

TEST_F(LargeNetworks, NamesOfInputsAndOutputsAreToldApart) {
  for (int i = 0; i < 100'000; ++i) {
    network_->AddInputLayer(Float({1}), "input of the network number " + std::to_string(i));
    network_->AddOutputLayer(first_, "output of the network number " + std::to_string(i));
  }
  const Diagnostic diagnostic = CatchDiagnostic([&] { network_->AddInputLayer(Float({1}), "x"); });
  EXPECT_EQ(diagnostic.code, DiagnosticCode::kDuplicateName);
  EXPECT_EQ(network_->GetInputs().size(), 100'001U);
}

}  // namespace
}  // namespace backplane
