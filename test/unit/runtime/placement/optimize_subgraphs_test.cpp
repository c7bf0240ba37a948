#include "placement/optimize_subgraphs.hpp"

#include "placement/answers.hpp"
#include "placement/optimized_network.hpp"
#include "runtime/runtime_fixture.hpp"

#include <string>
#include <vector>

namespace backplane {
namespace {

using Names = std::vector<std::string>;

class OptimizeSubgraphsTest : public RuntimeFixture {
 protected:
  OptimizeSubgraphsTest() {
    CompileByName(a_);
    CompileByName(b_);
  }

  static const Graph& GetGraph(const IOptimizedNetwork& network) {
    return static_cast<const OptimizedNetwork&>(network).GetParts().network.graph;
  }

  // "A:name" for each layer that is run.
  static Names GetRunLayers(const IOptimizedNetwork& network) {
    const auto& parts = static_cast<const OptimizedNetwork&>(network).GetParts();
    Names names;
    for (const Layer& layer : parts.network.graph.layers) {
      if (parts.network.roles[layer.id] != LayerRole::kStep) continue;
      names.push_back(parts.backends[parts.network.backend_of_layer[layer.id]]->id + ":" +
                      layer.name);
    }
    return names;
  }

  static int Count(const IOptimizedNetwork& network, SubgraphOutcome outcome) {
    int count = 0;
    for (const PlacedSubgraph& part : network.GetPlacement().subgraphs) {
      count += part.outcome == outcome ? 1 : 0;
    }
    return count;
  }

  std::vector<float> Run(const std::shared_ptr<const IOptimizedNetwork>& network) const {
    return RunChain(runtime_->LoadNetwork(network));
  }
};

TEST_F(OptimizeSubgraphsTest, AFullyOptimizableSubgraphBecomesOnePreCompiledLayer) {
  const auto network = OptimizeFor(*MakeChain({"one", "two", "three"}), {"A"});
  EXPECT_EQ(GetRunLayers(*network), (Names{"A:compiled 1"}));
  EXPECT_EQ(GetGraph(*network).layers[1].type, LayerType::kPreCompiled);
  EXPECT_EQ(Count(*network, SubgraphOutcome::kReplaced), 1);
  EXPECT_EQ(network->GetPlacement().subgraphs[0].replacements, (Names{"compiled 1"}));
  EXPECT_EQ(network->GetPlacement().subgraphs[0].layers, (std::vector<LayerId>{1, 2, 3}));
  EXPECT_EQ(Run(network), (std::vector<float>{3, 4, 5, 6}));
}

TEST_F(OptimizeSubgraphsTest, AFullyOptimizableSubgraphWithBranchesBecomesOnePreCompiledLayer) {
  auto network = INetwork::Create("branches");
  const OutputSlot x = network->AddInputLayer(Float({4}), "x");
  const OutputSlot stem{AddRelu(*network, x, "stem"), 0};
  const OutputSlot left{AddRelu(*network, stem, "left"), 0};
  const OutputSlot right{AddRelu(*network, stem, "right"), 0};
  const OutputSlot sum{AddSum(*network, left, right, "sum"), 0};
  network->AddOutputLayer({AddRelu(*network, sum, "last"), 0}, "y");
  const auto optimized = OptimizeFor(*network, {"A"});
  EXPECT_EQ(GetRunLayers(*optimized), (Names{"A:compiled 1"}));
  EXPECT_EQ(Run(optimized), (std::vector<float>{5, 6, 7, 8}));
}

TEST_F(OptimizeSubgraphsTest, AFullyUnoptimizableSubgraphStaysAsItIs) {
  const auto network = OptimizeFor(*MakeChain({"unoptimizable 1", "unoptimizable 2"}), {"A"});
  EXPECT_EQ(GetRunLayers(*network), (Names{"A:unoptimizable 1", "A:unoptimizable 2"}));
  EXPECT_EQ(Count(*network, SubgraphOutcome::kUntouched), 1);
  EXPECT_EQ(network->GetPlacement().subgraphs.size(), 1U);
  EXPECT_EQ(Run(network), (std::vector<float>{2, 3, 4, 5}));
}

TEST_F(OptimizeSubgraphsTest, APartiallyOptimizableSubgraphHasSubstitutionsAndUntouchedParts) {
  const auto network =
      OptimizeFor(*MakeChain({"one", "unoptimizable 1", "two", "unoptimizable 2", "three"}), {"A"});
  EXPECT_EQ(GetRunLayers(*network), (Names{"A:compiled 1", "A:unoptimizable 1", "A:compiled 3",
                                           "A:unoptimizable 2", "A:compiled 5"}));
  EXPECT_EQ(Count(*network, SubgraphOutcome::kReplaced), 3);
  EXPECT_EQ(Count(*network, SubgraphOutcome::kUntouched), 2);
  EXPECT_EQ(Run(network), (std::vector<float>{5, 6, 7, 8}));
}

TEST_F(OptimizeSubgraphsTest, APartThatReadsInputsOfDifferentLayersIsOneSubstitution) {
  auto network = INetwork::Create("inputs");
  const OutputSlot x = network->AddInputLayer(Float({4}), "x");
  const OutputSlot left{AddRelu(*network, x, "unoptimizable left"), 0};
  const OutputSlot right{AddRelu(*network, x, "unoptimizable right"), 0};
  const OutputSlot sum{AddSum(*network, left, right, "sum"), 0};
  network->AddOutputLayer(sum, "y");
  const auto optimized = OptimizeFor(*network, {"A"});
  EXPECT_EQ(GetRunLayers(*optimized),
            (Names{"A:unoptimizable left", "A:unoptimizable right", "A:compiled 3"}));
}

TEST_F(OptimizeSubgraphsTest, AFullyUnsupportedSubgraphGoesToTheNextBackendWhichHasItsTurn) {
  a_->optimize = [this](const OptimizeSubgraphArgs& args) {
    return AnswerByLayer(a_, args, [](const LayerView&) { return Deed::kFail; });
  };
  const auto network = OptimizeFor(*MakeChain({"one", "two", "three"}), {"A", "B"});
  EXPECT_EQ(GetRunLayers(*network), (Names{"B:compiled 1"}));
  const Placement& placement = network->GetPlacement();
  EXPECT_EQ(Count(*network, SubgraphOutcome::kFailed), 1);
  EXPECT_EQ(placement.subgraphs[1].turn, 2U);
  EXPECT_EQ(placement.subgraphs[1].backend_id, "B");
  EXPECT_EQ(placement.layers[0].backend_id, "B");
  ASSERT_EQ(placement.layers[0].refusals.size(), 1U);
  EXPECT_EQ(placement.layers[0].refusals[0].backend_id, "A");
  ExpectContains(placement.layers[0].refusals[0].reason, "failed the layer");
  EXPECT_EQ(Run(network), (std::vector<float>{3, 4, 5, 6}));
}

TEST_F(OptimizeSubgraphsTest, ExactlyTheFailedPartsAreAssignedAgain) {
  b_->optimize = nullptr;
  const auto network = OptimizeFor(
      *MakeChain({"one", "unsupported 1", "unsupported 2", "unoptimizable", "four"}), {"A", "B"});
  EXPECT_EQ(GetRunLayers(*network), (Names{"A:compiled 1", "B:unsupported 1", "B:unsupported 2",
                                           "A:unoptimizable", "A:compiled 5"}));
  EXPECT_EQ(a_->CountEvents("offered 5 layers"), 1);
  EXPECT_EQ(b_->CountEvents("offered 2 layers"), 1);
  EXPECT_EQ(b_->CountEvents("asked one"), 0);
  EXPECT_EQ(Run(network), (std::vector<float>{5, 6, 7, 8}));
}

TEST_F(OptimizeSubgraphsTest, WhatNobodyTakesAfterAFailureIsAnErrorWithEveryReason) {
  const Diagnostic diagnostic = CatchDiagnostic([&] {
    OptimizeFor(*MakeChain({"one", "unsupported", "two"}), {"A", "B"});
  });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kLayerNotSupported, "chain", "A, B", "");
  ASSERT_EQ(diagnostic.causes.size(), 1U);
  ASSERT_EQ(diagnostic.causes[0].causes.size(), 2U);
  EXPECT_EQ(diagnostic.causes[0].causes[0].subject.name, "A");
  EXPECT_EQ(diagnostic.causes[0].causes[1].subject.name, "B");
}

TEST_F(OptimizeSubgraphsTest, MemoryThatABackendIsRefusedIsNoFaultOfItsVendor) {
  a_->optimize = [](const OptimizeSubgraphArgs&) -> OptimizationViews { throw std::bad_alloc(); };
  const auto network = OptimizeFor(*MakeChain({"one"}), {"A"});
  const std::vector<Diagnostic>& warnings = network->GetPlacement().warnings;
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].code, DiagnosticCode::kOutOfMemory);
  EXPECT_EQ(warnings[0].severity, Severity::kWarning);
  ExpectContains(warnings[0].what, "backend \"A\" was refused memory when it was offered");
  ExpectContains(warnings[0].why, "std::bad_alloc; found: ");
  EXPECT_EQ(warnings[0].fix.find("vendor"), std::string::npos) << warnings[0].fix;
  EXPECT_EQ(Run(network), (std::vector<float>{1, 2, 3, 4}));
}

TEST_F(OptimizeSubgraphsTest, DeletedLayersAreLeftOut) {
  const auto network = OptimizeFor(*MakeChain({"one", "needless", "two"}), {"A"});
  EXPECT_EQ(GetRunLayers(*network), (Names{"A:compiled 1", "A:compiled 3"}));
  EXPECT_EQ(Count(*network, SubgraphOutcome::kDeleted), 1);
  EXPECT_EQ(Run(network), (std::vector<float>{2, 3, 4, 5}));
}

TEST_F(OptimizeSubgraphsTest, ANetworkOfWhichEverythingIsDeletedGivesItsInput) {
  const auto network = OptimizeFor(*MakeChain({"needless 1", "needless 2"}), {"A"});
  EXPECT_TRUE(GetRunLayers(*network).empty());
  EXPECT_EQ(Run(network), (std::vector<float>{0, 1, 2, 3}));
}

TEST_F(OptimizeSubgraphsTest, ABackendThatTakesOnlyWholeNetworksAndFailsAPartGetsNothing) {
  a_->capabilities = {{kCapabilityAllOrNothing, true}};
  runtime_ = MakeRuntime({a_, b_});
  b_->optimize = nullptr;
  const auto network = OptimizeFor(*MakeChain({"one", "unsupported", "two"}), {"A", "B"});
  EXPECT_EQ(GetRunLayers(*network), (Names{"B:one", "B:unsupported", "B:two"}));
  for (const LayerPlacement& layer : network->GetPlacement().layers) {
    ASSERT_EQ(layer.refusals.size(), 1U);
    ExpectContains(layer.refusals[0].reason, "only as a whole");
  }
  for (const PlacedSubgraph& part : network->GetPlacement().subgraphs) {
    EXPECT_EQ(part.backend_id, "B");
  }
}

TEST_F(OptimizeSubgraphsTest, AFailedPartWithAStrictHintIsAnError) {
  auto chain = MakeChain({"one", "unsupported"});
  chain->SetBackendHint(2, "A");
  OptimizerOptions options;
  options.hints = HintPolicy::kStrict;
  b_->optimize = nullptr;
  const Diagnostic diagnostic = CatchDiagnostic([&] {
    Optimize(*chain, {"A", "B"}, runtime_->GetDeviceSpec(), options);
  });
  EXPECT_EQ(diagnostic.code, DiagnosticCode::kHintRefused) << ToText(diagnostic);
}

TEST_F(OptimizeSubgraphsTest, LayersThatComeToABackendAreOfferedTogetherWithItsNeighbours) {
  // B leaves its own layer as it is at first, and compiles it with the one that comes from A.
  a_->supports = [](const LayerSupportQuery& query, std::string& reason) {
    reason = "only the first";
    return std::string(query.layer_name) == "unsupported by A";
  };
  b_->optimize = [this](const OptimizeSubgraphArgs& args) {
    const Deed deed = args.subgraph->layers.size() == 1 ? Deed::kLeave : Deed::kCompile;
    return AnswerByLayer(b_, args, [=](const LayerView&) { return deed; });
  };
  const auto network = OptimizeFor(*MakeChain({"unsupported by A", "two"}), {"A", "B"});
  EXPECT_EQ(GetRunLayers(*network), (Names{"B:compiled 1"}));
  EXPECT_EQ(Run(network), (std::vector<float>{2, 3, 4, 5}));
}

TEST_F(OptimizeSubgraphsTest, ABackendThatThrowsKeepsItsLayersAndIsReported) {
  a_->failures[CallPoint::kOptimizeSubgraphView] = FailureKind::kThrow;
  const auto network = OptimizeFor(*MakeChain({"one", "two"}), {"A"});
  EXPECT_EQ(GetRunLayers(*network), (Names{"A:one", "A:two"}));
  ASSERT_EQ(network->GetPlacement().warnings.size(), 1U);
  const Diagnostic& warning = network->GetPlacement().warnings[0];
  EXPECT_EQ(warning.code, DiagnosticCode::kBackendThrew);
  EXPECT_EQ(warning.severity, Severity::kWarning);
  ExpectContains(warning.why, "boom");
  ExpectContains(warning.what, "layer \"one\" (Activation)");
  EXPECT_EQ(Run(network), (std::vector<float>{2, 3, 4, 5}));
}

TEST_F(OptimizeSubgraphsTest, WhatWasRefusedBeforeABackendThrowsIsReported) {
  a_->optimize = [](const OptimizeSubgraphArgs& args) -> OptimizationViews {
    OptimizationViews views;
    const SubgraphView part = MakeSubgraphPart(args, args.subgraph->layers);
    static_cast<void>(ReplaceByPreCompiled(args, part, nullptr, "empty", &views));
    throw std::runtime_error("gave up");
  };
  const auto network = OptimizeFor(*MakeChain({"one", "two"}), {"A"});
  ASSERT_EQ(network->GetPlacement().warnings.size(), 1U);
  const Diagnostic& warning = network->GetPlacement().warnings[0];
  EXPECT_EQ(warning.code, DiagnosticCode::kBackendThrew);
  ExpectContains(warning.why, "gave up");
  ExpectContains(warning.why, "replacement layers that were refused before: ");
  ExpectContains(warning.why, "\"empty\"");
}

TEST_F(OptimizeSubgraphsTest, SeveralBackendsCompileTheirParts) {
  auto chain = MakeChain({"one", "two", "three", "four"});
  chain->SetBackendHint(2, "B");
  chain->SetBackendHint(3, "B");
  const auto network = OptimizeFor(*chain, {"A", "B"});
  EXPECT_EQ(GetRunLayers(*network), (Names{"A:compiled 1", "B:compiled 2", "A:compiled 4"}));
  EXPECT_EQ(Run(network), (std::vector<float>{4, 5, 6, 7}));
}

TEST_F(OptimizeSubgraphsTest, ConstantsThatOnlyReplacedLayersReadAreDropped) {
  auto network = INetwork::Create("constant");
  const OutputSlot x = network->AddInputLayer(Float({4}), "x");
  const std::vector<float> values{1, 1, 1, 1};
  const OutputSlot one =
      network->AddConstantLayer(Float({4}), CopyConstantData(values.data(), 16), "one");
  network->AddOutputLayer({AddSum(*network, x, one, "sum"), 0}, "y");
  const auto optimized = OptimizeFor(*network, {"A"});
  for (const Layer& layer : GetGraph(*optimized).layers) {
    EXPECT_NE(layer.type, LayerType::kConstant);
  }
  const NetworkId id = runtime_->LoadNetwork(optimized);
  EXPECT_EQ(runtime_->GetMemoryReport(id).constants_bytes, 0U);
  EXPECT_EQ(RunChain(id), (std::vector<float>{1, 2, 3, 4}));
}

TEST_F(OptimizeSubgraphsTest, CompiledObjectsLiveAsLongAsTheirNetwork) {
  auto network = OptimizeFor(*MakeChain({"one", "two"}), {"A"});
  const NetworkId id = runtime_->LoadNetwork(network);
  network.reset();
  EXPECT_EQ(a_->CountEvents("~compiled"), 0);
  EXPECT_EQ(RunChain(id), (std::vector<float>{2, 3, 4, 5}));
  runtime_->UnloadNetwork(id);
  EXPECT_EQ(a_->CountEvents("~compiled"), 1);
}

TEST_F(OptimizeSubgraphsTest, OptimisingAgainGivesTheSamePlan) {
  auto chain = MakeChain({"one", "unoptimizable", "needless", "two", "three"});
  chain->SetBackendHint(4, "B");
  const std::string plan = ToText(OptimizeFor(*chain, {"A", "B"})->GetPlacement());
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(ToText(OptimizeFor(*chain, {"A", "B"})->GetPlacement()), plan);
  }
}

}  // namespace
}  // namespace backplane
