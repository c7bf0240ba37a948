/// What a loaded network tells and does that has many plans: the same as one that has one.

#include "graph/constant_content.hpp"
#include "loading/staged_fixture.hpp"

#include <filesystem>
#include <future>
#include <iterator>

namespace backplane {
namespace {

class PlannedNetworks : public StagedRunsTest {
 protected:
  static std::ptrdiff_t CountDescriptors() {
    const std::filesystem::directory_iterator open("/proc/self/fd");
    return std::distance(open, {});
  }

  /// Makes plans wait for the gate, but for the first one.
  void HoldUpPlanning(Gate& gate) {
    a_->on_create_workload = [&gate](const WorkloadArgs&) { gate.Pass(); };
  }

  static Status Boom(const ExecuteArgs& /*args*/) { throw std::runtime_error("boom"); }
};

TEST_F(PlannedNetworks, KeepNoDescriptorsForResults) {
  const NetworkId id = LoadSource(std::make_shared<ChainSource>());
  const std::vector<float> values(std::size_t{1} << 17);
  const std::ptrdiff_t before = CountDescriptors();
  std::vector<ResultTensor> results(20);
  for (ResultTensor& result : results) {
    ASSERT_EQ(runtime_->EnqueueWorkload(id, {MakeInput(0, values)}, {Wanting(0, result)}),
              Status::kSuccess);
  }
  EXPECT_EQ(CountDescriptors(), before);
}

/// The input and one of two constants, whose memory all stages share.
class SumSource final : public INetworkSource {
 public:
  const std::string& GetName() const override { return name_; }
  std::vector<OpenBinding> GetInputs() const override { return {MakeBinding(0, "x")}; }
  std::vector<OpenBinding> GetOutputs() const override { return {MakeBinding(0, "y")}; }
  NetworkStage MakeFirstStage(const Values& inputs) const override {
    NetworkStage stage;
    stage.network = INetwork::Create("stage");
    OutputSlot last = stage.network->AddInputLayer(inputs[0].info, "x");
    for (const auto& [name, constant] : {std::pair("one", one_), std::pair("two", two_)}) {
      const OutputSlot added = stage.network->AddConstantLayer(Float({1}), constant, name);
      last = {AddLayer<LayerType::kElementwiseBinary>(*stage.network, {}, {last, added}, name), 0};
    }
    stage.network->AddOutputLayer(last, "y");
    stage.network_inputs = {0};
    stage.network_outputs = {1};
    stage.results = {1};
    return stage;
  }

 private:
  const std::string name_ = "sum";
  const std::shared_ptr<const void> one_ = std::make_shared<const float>(1.0F);
  const std::shared_ptr<const void> two_ = std::make_shared<const float>(2.0F);
};

TEST_F(PlannedNetworks, TellBackendsThatTheirConstantsAreThoseOfOtherPlans) {
  std::vector<std::uint64_t> identities;
  a_->on_create_workload = [&](const WorkloadArgs& args) {
    ASSERT_NE(args.constants[1], nullptr);
    identities.push_back(args.constants[1]->identity[0]);
  };
  const NetworkId id = LoadSource(std::make_shared<SumSource>());
  RunWith(id, {1});
  RunWith(id, {1, 2});
  ASSERT_EQ(identities.size(), 4U);
  EXPECT_NE(identities[0], 0U);
  EXPECT_NE(identities[0], identities[1]);
  EXPECT_EQ(identities[0], identities[2]);
  EXPECT_EQ(identities[1], identities[3]);
}

TEST(ContentIdentity, IsOfOneContentAndNoOther) {
  auto content = std::make_shared<std::vector<float>>(std::vector<float>{1, 2, 3, 4});
  const auto at = [&](std::size_t first) {
    return std::shared_ptr<const void>(content, content->data() + first);
  };
  const std::uint64_t whole = IdentifyContent(at(0), 16);
  EXPECT_NE(whole, 0U);
  EXPECT_EQ(IdentifyContent(at(0), 16), whole) << "another pointer to it";
  EXPECT_NE(IdentifyContent(at(0), 8), whole) << "a part of it";
  EXPECT_NE(IdentifyContent(at(2), 8), IdentifyContent(at(0), 8));
  // Memory that is free again may be that of the next.
  content = std::make_shared<std::vector<float>>(4);
  EXPECT_NE(IdentifyContent(at(0), 16), whole);
  EXPECT_EQ(IdentifyContent(nullptr, 0), 0U);
  const float unowned = 1;
  EXPECT_EQ(IdentifyContent({std::shared_ptr<const void>(), &unowned}, 4), 0U);
}

TEST_F(PlannedNetworks, AreNamedByTheirOwnIdsOnly) {
  const NetworkId id = LoadSource(std::make_shared<ChainSource>());
  EXPECT_EQ(RunWith(id, {1}), (std::vector<float>{2}));
  for (NetworkId other = id + 1; other < id + 4; ++other) {
    EXPECT_EQ(CatchDiagnostic([&] { runtime_->UnloadNetwork(other); }).code,
              DiagnosticCode::kUnknownNetwork);
  }
  EXPECT_EQ(RunWith(id, {1}), (std::vector<float>{2}));
  EXPECT_EQ(RunWith(id, {1, 2}), (std::vector<float>{2, 3}));
}

TEST_F(PlannedNetworks, ArePlacedElsewhereWithAllPlansToCome) {
  OptimizerOptions options;
  options.on_failure = FailurePolicy::kPlaceElsewhere;
  const NetworkId id =
      runtime_->LoadNetwork(Optimize(INetwork::Create(std::make_shared<ChainSource>()), {"A", "B"},
                                     runtime_->GetDeviceSpec(), options));
  EXPECT_EQ(RunWith(id, {1}), (std::vector<float>{2}));
  EXPECT_EQ(RunWith(id, {1, 2}), (std::vector<float>{2, 3}));
  EXPECT_EQ(runtime_->GetFallbackReport(id).failed_backend, "");
  a_->execute = Boom;
  EXPECT_EQ(RunWith(id, {1}), (std::vector<float>{2}));
  FallbackReport report = runtime_->GetFallbackReport(id);
  EXPECT_EQ(report.failed_backend, "A");
  ExpectCode(report.outcome, DiagnosticCode::kPlacedElsewhere);
  EXPECT_EQ(report.num_repeated_runs, 1U);
  EXPECT_EQ(RunWith(id, {1, 2}), (std::vector<float>{2, 3}));  // another plan that has A
  EXPECT_EQ(runtime_->GetFallbackReport(id).num_repeated_runs, 2U);
  const int num_workloads = a_->CountEvents("create workload");
  EXPECT_EQ(RunWith(id, {1, 2, 3}), (std::vector<float>{2, 3, 4}));
  EXPECT_EQ(a_->CountEvents("create workload"), num_workloads);
  report = runtime_->GetFallbackReport(id);
  ASSERT_EQ(report.placement.layers.size(), 1U);
  EXPECT_EQ(report.placement.layers[0].name, "one");
  EXPECT_EQ(report.placement.layers[0].backend_id, "B");
}

TEST_F(PlannedNetworks, HaveOnePlacementOfAllStages) {
  const NetworkId id = LoadSource(std::make_shared<ChainSource>(MakeOperation(&ChooseLarge)));
  RunWith(id, {5, 6});
  RunWith(id, {5, 6, 7});
  const Placement placement = runtime_->GetFallbackReport(id).placement;
  EXPECT_EQ(placement.network, "open chain");
  ASSERT_EQ(placement.layers.size(), 2U);
  EXPECT_NE(placement.layers[0].layer, placement.layers[1].layer);
}

TEST_F(PlannedNetworks, CountWhatIsCopiedAfterTheLastStage) {
  const NetworkId id = LoadSource(std::make_shared<ForwardingSource>());
  const std::vector<float> values{1, 2};
  std::vector<float> y(2);
  std::vector<float> z(2);
  const OutputTensors outputs = {MakeOutput(0, y), MakeOutput(1, z)};
  ASSERT_EQ(runtime_->EnqueueWorkload(id, {MakeInput(0, values)}, outputs), Status::kSuccess);
  EXPECT_EQ(z, values);
  const TransferReport report = runtime_->GetTransferReport(id);
  EXPECT_EQ(report.outputs.at(1).copied_runs, 1U);
  EXPECT_EQ(report.outputs.at(1).copied_bytes, 8U);
  EXPECT_NE(report.outputs.at(1).reason.find("between the stages"), std::string::npos);
}

TEST_F(PlannedNetworks, RefuseToCopyWhatIsToBeImported) {
  const NetworkId id = LoadSource(std::make_shared<ForwardingSource>());
  std::vector<float> y(2);
  OutputTensors outputs = {MakeOutput(0, y), MakeOutput(1, y)};
  std::vector<float> z(2);
  outputs[1] = MakeOutput(1, z);
  outputs[1].use = MemoryUse::kImport;
  const std::vector<float> values{1, 2};
  EXPECT_EQ(runtime_->EnqueueWorkload(id, {MakeInput(0, values)}, outputs, &failure_),
            Status::kInvalidArgument);
  ExpectCode(failure_, DiagnosticCode::kImportRefused);
}

TEST_F(PlannedNetworks, AreNotWaitedForLongerThanAsked) {
  const NetworkId id = LoadSource(std::make_shared<ChainSource>());
  RunWith(id, {1});
  Gate gate;
  HoldUpPlanning(gate);
  std::thread thread([&] { RunWith(id, {1, 2}); });
  gate.AwaitArrivals(1);

  std::vector<float> values(3);
  ResultTensor result;
  std::optional<Diagnostic> late;
  EXPECT_EQ(runtime_->EnqueueWorkload(id, {MakeInput(0, values)}, {Wanting(0, result)},
                                      Within(milliseconds(20)), &late),
            Status::kTimeout);
  ExpectCode(late, DiagnosticCode::kRunTimedOut);
  std::optional<Diagnostic> in_use;
  EXPECT_EQ(runtime_->UnloadNetwork(id, Soon(), &in_use), Status::kTimeout);
  ExpectCode(in_use, DiagnosticCode::kNetworkInUse);
  std::optional<Diagnostic> busy;
  EXPECT_EQ(runtime_->Shutdown(Soon(), &busy), Status::kTimeout);
  ExpectCode(busy, DiagnosticCode::kRuntimeInUse);
  gate.Open();
  thread.join();
  EXPECT_EQ(status_, Status::kSuccess);
}

TEST_F(PlannedNetworks, AreNotUnloadedWhileAnOperationRuns) {
  Gate gate;
  const NetworkId id = LoadSource(std::make_shared<ChainSource>(
      MakeOperation([&gate](const Values& inputs, IStageRunner& /*runner*/) {
        gate.Pass();
        return inputs;
      })));
  std::thread thread([&] { RunWith(id, {1}); });
  gate.AwaitArrivals(1);
  std::optional<Diagnostic> busy;
  EXPECT_EQ(runtime_->Shutdown(Soon(), &busy), Status::kTimeout);
  ExpectCode(busy, DiagnosticCode::kRuntimeInUse);
  gate.Open();
  thread.join();
  EXPECT_EQ(status_, Status::kSuccess);
}

TEST_F(PlannedNetworks, AreCheckedBeforeTheyHaveAPlan) {
  const auto optimize = [&](const std::shared_ptr<const INetworkSource>& source,
                            const std::vector<std::string>& preferences,
                            const OptimizerOptions& options) {
    return CatchDiagnostic([&] {
      Optimize(INetwork::Create(source), preferences, runtime_->GetDeviceSpec(), options);
    });
  };
  const auto source = std::make_shared<ChainSource>();
  EXPECT_EQ(optimize(source, {"C"}, {}).code, DiagnosticCode::kBackendNotRegistered);
  OptimizerOptions options;
  options.model_options = {{"C", {{"Fast", true}}}};
  EXPECT_EQ(optimize(source, {"A"}, options).code, DiagnosticCode::kBackendNotRegistered);
  options.model_options = {{"A", {{"Fast", true}}}};
  EXPECT_EQ(optimize(source, {"A"}, options).code, DiagnosticCode::kUnknownOption);
  const auto silent = std::make_shared<ChainSource>();
  silent->has_outputs = false;
  EXPECT_EQ(optimize(silent, {"A"}, {}).code, DiagnosticCode::kNoOutputs);
}

TEST_F(PlannedNetworks, TellExceptionsOfAnyType) {
  const NetworkId id = LoadSource(std::make_shared<ChainSource>(MakeOperation(
      [](const Values& /*inputs*/, IStageRunner& /*runner*/) -> Values { throw 5; })));
  RunWith(id, {1});
  EXPECT_EQ(status_, Status::kFailure);
  ExpectCode(failure_, DiagnosticCode::kStageFailed);
  ExpectContains(failure_->what, "the operation");
  const auto source = std::make_shared<ChainSource>();
  source->on_first_stage = [] { throw 5; };
  RunWith(LoadSource(source), {1});
  EXPECT_EQ(status_, Status::kFailure);
  ExpectCode(failure_, DiagnosticCode::kStageFailed);
}

TEST_F(PlannedNetworks, SayOnceThatPlansAreMadeAgain) {
  const LogFile log;
  const std::string code = GetDiagnosticId(DiagnosticCode::kPlansMadeAgain);
  const OptimizerOptions options = KeepPlans(1, std::make_shared<ChainSource>());
  const NetworkId id = LoadSource(std::make_shared<ChainSource>(), options);
  RunWith(id, {1});
  RunWith(id, {1, 2});
  EXPECT_FALSE(log.Has(code));
  for (int i = 0; i < 3; ++i) {
    RunWith(id, {1});
    RunWith(id, {1, 2});
  }
  const std::string text = log.Read();
  const std::size_t first = text.find(code);
  ASSERT_NE(first, std::string::npos) << text;
  EXPECT_EQ(text.find(code, first + 1), std::string::npos) << text;
}

TEST_F(PlannedNetworks, HaveOneTableOfAllPlans) {
  CreationOptions options;
  options.profiling.state = ProfilingState::kOn;
  runtime_ = MakeRuntime({a_, b_}, options);
  const NetworkId id = LoadSource(std::make_shared<ChainSource>());
  for (std::size_t length = 1; length < 5; ++length) RunWith(id, std::vector<float>(length));
  const Profile profile = runtime_->GetProfile();
  ASSERT_EQ(profile.layers.size(), 1U);
  EXPECT_EQ(profile.layers[0].name, "one");
  EXPECT_EQ(profile.layers[0].network_id, id);
  EXPECT_EQ(profile.layers[0].num_runs, 4U);
  EXPECT_EQ(profile.layers[0].share, 1.0);
}

TEST_F(PlannedNetworks, KeepFindingsOfPlansThatWent) {
  CreationOptions options;
  options.checks = kAllChecks;
  runtime_ = MakeRuntime({a_, b_}, options);
  const OptimizerOptions keep = KeepPlans(1, std::make_shared<ChainSource>());
  const NetworkId id = LoadSource(std::make_shared<ChainSource>(), keep);
  a_->execute = [](const ExecuteArgs& args) {
    *args.GetOutput(0).Get<float>() = 1.0F / 0.0F;
    return Status::kSuccess;
  };
  RunWith(id, {1});
  a_->execute = nullptr;
  for (std::size_t length = 2; length < 5; ++length) RunWith(id, std::vector<float>(length));
  const CheckReport report = runtime_->GetCheckReport(id);
  EXPECT_EQ(report.num_runs, 4U);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].layer, "one");
}

TEST_F(PlannedNetworks, WithFixedShapesTakeValuesAndAllocateResults) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  const StageValue value = MakeStageTensor(Float({4}), {std::shared_ptr<void>(), input_.data()});
  InputTensor input;
  input.value = &value;
  ResultTensor result;
  ASSERT_EQ(runtime_->EnqueueWorkload(id, {input}, {Wanting(0, result)}, &failure_),
            Status::kSuccess);
  EXPECT_EQ(result.info, Float({4}));
  EXPECT_EQ(static_cast<const float*>(result.data.get())[3], 4.0F);
  EXPECT_TRUE(runtime_->GetPlanReports(id).empty());
}

}  // namespace
}  // namespace backplane
