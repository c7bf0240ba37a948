#include <backplane/runtime/optimize.hpp>

#include "expect_diagnostic.hpp"
#include "placement/layer_answer.hpp"
#include "test_backend.hpp"
#include "test_networks.hpp"

namespace backplane {
namespace {

using Ids = std::vector<std::string>;
using OptimizeShared = std::shared_ptr<TestBackend>;

OptimizeShared MakeTest(const std::string& id, int rank = 0) {
  auto backend = std::make_shared<TestBackend>(id);
  backend->capabilities = {{kCapabilityRank, rank}};
  return backend;
}

// Refuses the layers with this name, with this reason.
void Refuse(TestBackend& backend, const std::string& name, const std::string& reason) {
  backend.supports = [=](const LayerSupportQuery& query, std::string& text) {
    if (query.layer_name != name) return true;
    text = reason;
    return false;
  };
}

std::vector<std::string> BackendsOfOptimize(const IOptimizedNetwork& network) {
  std::vector<std::string> ids;
  for (const LayerPlacement& layer : network.GetPlacement().layers) ids.push_back(layer.backend_id);
  return ids;
}

class OptimizeTest : public testing::Test {
 protected:
  const OptimizeShared a_ = MakeTest("A", -5);
  const OptimizeShared b_ = MakeTest("B", 10);
  const OptimizeShared c_ = MakeTest("C", 10);
  const DeviceSpec device_{MakeRegistry({a_, b_, c_})};
  const std::unique_ptr<INetwork> chain_ = MakeChain({"one", "two"});
};

TEST_F(OptimizeTest, FallsBackToTheNextPreferenceAndKeepsTheReason) {
  Refuse(*a_, "two", "found float32, supported is float16");
  const auto network = Optimize(*chain_, {"A", "B", "A"}, device_);
  EXPECT_EQ(BackendsOfOptimize(*network), (Ids{"A", "B"}));
  const LayerPlacement& layer = network->GetPlacement().layers[1];
  EXPECT_EQ(layer.name, "two");
  EXPECT_EQ(layer.type, LayerType::kActivation);
  ASSERT_EQ(layer.refusals.size(), 1U);
  EXPECT_EQ(layer.refusals[0].reason, "found float32, supported is float16");
  EXPECT_EQ(network->GetPlacement().preferences, (Ids{"A", "B", "A"}));
  EXPECT_EQ(network->GetInputs()[0].name, "x");
  EXPECT_EQ(network->GetOutputs()[0].name, "y");
}

TEST_F(OptimizeTest, RejectsANetworkThatIsNull) {
  ExpectDiagnostic(CatchDiagnostic([&] { Optimize(std::unique_ptr<INetwork>(), {"A"}, device_); }),
                   DiagnosticCode::kNullNetwork, "", "found null", "INetwork::Create");
}

// A backend that takes whole networks alone takes both layers when it is asked.
TEST_F(OptimizeTest, TellsWhoIsPassedOverFromWhoRefuses) {
  a_->capabilities = {{kCapabilityAllOrNothing, true}};
  Refuse(*a_, "two", "found float32");
  const DeviceSpec device(MakeRegistry({a_, b_}));
  const auto network = Optimize(*chain_, {"A", "B"}, device);
  ASSERT_EQ(BackendsOfOptimize(*network), (Ids{"B", "B"}));
  ExpectContains(ToText(network->GetPlacement()),
                 "A passed over: it takes a network only as a whole");
  EXPECT_EQ(ToText(network->GetPlacement()).find("A refused"), std::string::npos);
  ExpectContains(ToDot(network->GetPlacement()), "A passed over: ");

  chain_->SetBackendHint(1, "A");
  OptimizerOptions options;
  options.hints = HintPolicy::kStrict;
  const Diagnostic strict = CatchDiagnostic([&] {
    Optimize(*chain_, {"A", "B"}, device, options);
  });
  ASSERT_FALSE(strict.causes.empty());
  ExpectContains(strict.what, "not given to the backend that their hint names");
  EXPECT_EQ(strict.causes[0].what, "backend \"A\" was passed over for layer \"one\" (Activation)");
}

TEST_F(OptimizeTest, AsksNobodyWhoIsNeitherPreferredNorHinted) {
  Optimize(*chain_, {"B"}, device_);
  EXPECT_TRUE(a_->GetEvents().empty());
  EXPECT_TRUE(c_->GetEvents().empty());
}

TEST_F(OptimizeTest, MakesEachBackendOnceAndAsksOncePerLayer) {
  Refuse(*a_, "two", "no");
  Optimize(*chain_, {"A", "B"}, device_);
  EXPECT_EQ(a_->GetEvents(),
            (Ids{"create backend", "create model context with 0 options", "get layer support",
                 "asked one", "asked two", "offered 1 layers", "~model context"}));
  EXPECT_EQ(b_->CountEvents("create backend"), 1);
  EXPECT_EQ(b_->CountEvents("asked one"), 0);
}

TEST_F(OptimizeTest, GoesByRankWithoutPreferences) {
  EXPECT_EQ(device_.GetBackendIdsByRank(), (Ids{"B", "C", "A"}));
  Refuse(*b_, "two", "no");
  EXPECT_EQ(BackendsOfOptimize(*Optimize(*chain_, {}, device_)), (Ids{"B", "C"}));
  EXPECT_TRUE(a_->GetEvents().empty());
}

TEST_F(OptimizeTest, AsksPreferredBackendsBeforeRankAndSaysWhy) {
  const DeviceSpec device(MakeRegistry({a_, b_, c_}), nullptr, nullptr,
                          {{"Absent", "/etc/x/1.conf:1"},
                           {"A", "/etc/x/1.conf:2"},
                           {"C", "/etc/x/2.conf:1"},
                           {"A", "/etc/x/3.conf:1"}});
  Refuse(*a_, "two", "no");
  const auto network = Optimize(*chain_, {}, device);
  EXPECT_EQ(BackendsOfOptimize(*network), (Ids{"A", "C"}));
  EXPECT_EQ(network->GetPlacement().preferred.size(), 3U);
  ExpectContains(ToText(network->GetPlacement()),
                 "\nasked first: A (/etc/x/1.conf:2 prefers it), C (/etc/x/2.conf:1 prefers it)");
}

TEST_F(OptimizeTest, LetsPreferencesWinOverWhatIsConfigured) {
  const DeviceSpec device(MakeRegistry({a_, b_, c_}), nullptr, nullptr, {{"A", "/etc/x/1.conf:2"}});
  const auto network = Optimize(*chain_, {"B"}, device);
  EXPECT_EQ(BackendsOfOptimize(*network), (Ids{"B", "B"}));
  EXPECT_TRUE(network->GetPlacement().preferred.empty());
  EXPECT_TRUE(a_->GetEvents().empty());
}

TEST_F(OptimizeTest, GivesDefaultTextForARefusalWithoutReason) {
  Refuse(*a_, "two", "");
  const auto network = Optimize(*chain_, {"A", "B"}, device_);
  ExpectContains(network->GetPlacement().layers[1].refusals[0].reason, "gives no reason");
}

TEST_F(OptimizeTest, TellsBackendsAllAboutALayer) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({2, 3}), "x");
  const std::vector<float> values(12);
  const OutputSlot weights =
      network->AddConstantLayer(Float({3, 4}), CopyConstantData(values.data(), 48), "w");
  const LayerId layer = AddLayer<LayerType::kFullyConnected>(*network, FullyConnectedDescriptor(),
                                                             {x, weights}, "dense");
  network->AddOutputLayer({layer, 0}, "y");
  a_->supports = [](const LayerSupportQuery& query, std::string& /*reason*/) {
    EXPECT_EQ(query.layer_type, LayerType::kFullyConnected);
    EXPECT_STREQ(query.layer_name, "dense");
    EXPECT_EQ(query.descriptor->size_bytes, sizeof(FullyConnectedDescriptor));
    EXPECT_EQ(query.num_inputs, 2U);
    EXPECT_EQ(*query.inputs[1], Float({3, 4}));
    EXPECT_EQ(query.input_is_constant[0], 0);
    EXPECT_EQ(query.input_is_constant[1], 1);
    EXPECT_EQ(query.num_outputs, 1U);
    EXPECT_EQ(*query.outputs[0], Float({2, 4}));
    return true;
  };
  Optimize(*network, {"A"}, device_);
  EXPECT_EQ(a_->CountEvents("asked dense"), 1);
}

TEST_F(OptimizeTest, FollowsHintsBesideThePreferences) {
  chain_->SetBackendHint(2, "C");
  const auto network = Optimize(*chain_, {"A"}, device_);
  EXPECT_EQ(BackendsOfOptimize(*network), (Ids{"A", "C"}));
  EXPECT_EQ(network->GetPlacement().layers[1].hint, "C");
  EXPECT_EQ(c_->CountEvents("asked one"), 0);
  chain_->SetBackendHint(2, "");
  EXPECT_EQ(BackendsOfOptimize(*Optimize(*chain_, {"A"}, device_)), (Ids{"A", "A"}));
  EXPECT_EQ(BackendsOfOptimize(*network), (Ids{"A", "C"}));
}

TEST_F(OptimizeTest, PassesOverRefusedHintsUnlessStrict) {
  chain_->SetBackendHint(2, "C");
  Refuse(*c_, "two", "no two here");
  const auto network = Optimize(*chain_, {"A"}, device_);
  EXPECT_EQ(BackendsOfOptimize(*network), (Ids{"A", "A"}));
  EXPECT_EQ(network->GetPlacement().layers[1].refusals[0].reason, "no two here");

  OptimizerOptions strict;
  strict.hints = HintPolicy::kStrict;
  const Diagnostic diagnostic = CatchDiagnostic([&] { Optimize(*chain_, {"A"}, device_, strict); });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kHintRefused, "chain", "cannot be followed",
                   "with strict hints");
  ASSERT_EQ(diagnostic.causes.size(), 1U);
  ExpectDiagnostic(diagnostic.causes[0], DiagnosticCode::kLayerRefused, "C", "no two here", "");
  ExpectContains(diagnostic.causes[0].what, "layer \"two\" (Activation)");
}

TEST_F(OptimizeTest, ReportsAllLayersThatNobodyTakes) {
  a_->supports = [](const LayerSupportQuery& query, std::string& reason) {
    reason = std::string("A cannot run ") + query.layer_name;
    return false;
  };
  Refuse(*b_, "two", "B cannot either");
  c_->supports = a_->supports;
  const Diagnostic diagnostic = CatchDiagnostic([&] {
    Optimize(*chain_, {"A", "B", "C"}, device_);
  });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kLayerNotSupported, "chain", "A, B, C", "");
  ExpectContains(diagnostic.what, "1 of the 2 layers");
  ASSERT_EQ(diagnostic.causes.size(), 1U);
  const Diagnostic& layer = diagnostic.causes[0];
  ExpectDiagnostic(layer, DiagnosticCode::kLayerNotSupported, "two", "Activation", "float32 [4]");
  ASSERT_EQ(layer.causes.size(), 3U);
  ExpectDiagnostic(layer.causes[0], DiagnosticCode::kLayerRefused, "A", "A cannot run two", "");
  ExpectDiagnostic(layer.causes[1], DiagnosticCode::kLayerRefused, "B", "B cannot either", "");

  b_->supports = a_->supports;
  EXPECT_EQ(CatchDiagnostic([&] { Optimize(*chain_, {}, device_); }).causes.size(), 2U);
}

TEST_F(OptimizeTest, ReportsLayersThatAreRefusedAlikeTogether) {
  a_->supports = [](const LayerSupportQuery&, std::string& reason) {
    reason = "no activations";
    return false;
  };
  const Diagnostic diagnostic = CatchDiagnostic([&] { Optimize(*chain_, {"A"}, device_); });
  ExpectContains(diagnostic.what, "2 of the 2 layers");
  ASSERT_EQ(diagnostic.causes.size(), 1U);
  const Diagnostic& layers = diagnostic.causes[0];
  ExpectContains(layers.what, "no backend takes 2 layers of type Activation: one, two");
  ExpectDiagnostic(layers, DiagnosticCode::kLayerNotSupported, "one",
                   "the reasons are the same for all; of the first, its type is Activation",
                   "float32 [4]");
  ASSERT_EQ(layers.causes.size(), 1U);
  ExpectDiagnostic(layers.causes[0], DiagnosticCode::kLayerRefused, "A", "no activations", "");
}

TEST_F(OptimizeTest, RejectsUnknownPreferenceWithTheNearest) {
  const DeviceSpec device(MakeRegistry({MakeTest("CpuTest")}));
  const Diagnostic diagnostic = CatchDiagnostic([&] { Optimize(*chain_, {"CpuTset"}, device); });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kBackendNotRegistered, "CpuTset",
                   "registered are CpuTest", "");
  ExpectContains(diagnostic.fix, "\"CpuTest\"");
}

TEST_F(OptimizeTest, RejectsUnknownHintWithItsLayer) {
  chain_->SetBackendHint(2, "Nobody");
  const Diagnostic diagnostic = CatchDiagnostic([&] { Optimize(*chain_, {"A"}, device_); });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kBackendNotRegistered, "two", "Nobody", "A, B, C");
  ASSERT_EQ(diagnostic.causes.size(), 1U);
  EXPECT_EQ(diagnostic.causes[0].subject.name, "Nobody");
}

TEST_F(OptimizeTest, GivesTheReasonOfARejectedPreference) {
  const auto registry = MakeRegistry({a_});
  Diagnostic reason{DiagnosticCode::kMissingDependency};
  reason.what = "a library is missing";
  registry->RememberUnusable("Npu", reason);
  const Diagnostic diagnostic = CatchDiagnostic([&] {
    Optimize(*chain_, {"Npu", "A"}, DeviceSpec(registry));
  });
  EXPECT_EQ(diagnostic.code, DiagnosticCode::kBackendRejected);
  ASSERT_EQ(diagnostic.causes.size(), 1U);
  EXPECT_EQ(diagnostic.causes[0].code, DiagnosticCode::kMissingDependency);
}

TEST_F(OptimizeTest, RejectsNetworkWithoutOutputs) {
  auto network = INetwork::Create("net");
  network->AddInputLayer(Float({1}), "x");
  const Diagnostic diagnostic = CatchDiagnostic([&] { Optimize(*network, {"A"}, device_); });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kNoOutputs, "net", "found 1 layers",
                   "at least one output");
}

TEST_F(OptimizeTest, PlacesNetworksWithoutOperators) {
  auto network = INetwork::Create("net");
  network->AddOutputLayer(network->AddInputLayer(Float({1}), "x"), "y");
  EXPECT_TRUE(Optimize(*network, {"A"}, device_)->GetPlacement().layers.empty());
}

TEST_F(OptimizeTest, ChecksOptionsEvenOfBackendsThatGetNoLayers) {
  OptimizerOptions options;
  options.model_options = {{"B", {{"Speed", 1}}}};
  const Diagnostic diagnostic = CatchDiagnostic([&] {
    Optimize(*chain_, {"A", "B"}, device_, options);
  });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kUnknownOption, "B:Speed", "no options", "");
  OptionSchema speed;
  speed.name = "Speed";
  speed.type = OptionType::kInt;
  b_->schemas = {speed};
  Optimize(*chain_, {"A", "B"}, device_, options);
  EXPECT_EQ(b_->CountEvents("create model context with 1 options"), 1);
}

TEST_F(OptimizeTest, PassesOnWhatNamedBackendsThrow) {
  for (const CallPoint point :
       {CallPoint::kBackendFactory, CallPoint::kGetOptionSchemas, CallPoint::kCreateModelContext,
        CallPoint::kGetLayerSupport, CallPoint::kIsLayerSupported}) {
    a_->failures = {{point, FailureKind::kThrow}};
    const Diagnostic thrown = CatchDiagnostic([&] { Optimize(*chain_, {"A", "B"}, device_); });
    ExpectDiagnostic(thrown, DiagnosticCode::kBackendThrew, "A", "boom", "");
    a_->failures = {{point, FailureKind::kThrowInt}};
    EXPECT_EQ(CatchDiagnostic([&] {
                Optimize(*chain_, {"A", "B"}, device_);
              }).code,
              DiagnosticCode::kBackendThrew);
  }
  a_->failures = {{CallPoint::kBackendFactory, FailureKind::kThrowUnavailable}};
  const Diagnostic unavailable = CatchDiagnostic([&] { Optimize(*chain_, {"A"}, device_); });
  ExpectDiagnostic(unavailable, DiagnosticCode::kBackendUnavailable, "A", "no device", "");
  a_->failures = {{CallPoint::kBackendFactory, FailureKind::kRefuse}};
  EXPECT_EQ(CatchDiagnostic([&] { Optimize(*chain_, {"A"}, device_); }).code,
            DiagnosticCode::kNullBackend);
}

TEST_F(OptimizeTest, TakesFailuresOfBackendsThatNobodyNamedAsRefusals) {
  for (const CallPoint point :
       {CallPoint::kBackendFactory, CallPoint::kGetOptionSchemas, CallPoint::kCreateModelContext,
        CallPoint::kGetLayerSupport, CallPoint::kIsLayerSupported}) {
    b_->failures = {{point, FailureKind::kThrow}};
    const auto network = Optimize(*chain_, {}, device_);
    EXPECT_EQ(BackendsOfOptimize(*network), (Ids{"C", "C"}));
    const LayerPlacement& layer = network->GetPlacement().layers[0];
    ASSERT_EQ(layer.refusals.size(), 1U);
    ExpectContains(layer.refusals[0].reason, "boom");
  }
}

TEST_F(OptimizeTest, GivesNoLayersToABackendWithoutLayerSupport) {
  a_->failures = {{CallPoint::kGetLayerSupport, FailureKind::kRefuse}};
  const auto network = Optimize(*chain_, {"A", "B"}, device_);
  EXPECT_EQ(BackendsOfOptimize(*network), (Ids{"B", "B"}));
  ExpectContains(network->GetPlacement().layers[0].refusals[0].reason, "returned null");
}

TEST_F(OptimizeTest, GivesAWholeNetworkOrNothingToBackendsThatSaySo) {
  const OptimizeShared whole = MakeTest("Whole");
  whole->capabilities = {{kCapabilityAllOrNothing, true}};
  Refuse(*whole, "two", "no");
  const DeviceSpec device(MakeRegistry({whole, a_}));
  EXPECT_EQ(BackendsOfOptimize(*Optimize(*chain_, {"Whole", "A"}, device)), (Ids{"A", "A"}));
  EXPECT_EQ(whole->CountEvents("asked one"), 1);
}

}  // namespace
}  // namespace backplane
