#include "runtime/runtime_fixture.hpp"

#include <algorithm>

namespace backplane {
namespace {

using Ids = std::vector<std::string>;

class LoadingTest : public RuntimeFixture {
 protected:
  Diagnostic CatchLoad(const std::vector<std::string>& preferences) {
    const auto network = OptimizeFor(*MakeChain({"one", "two"}), preferences);
    return CatchDiagnostic([&] { runtime_->LoadNetwork(network); });
  }

  // Events from the first one of this text on.
  static Ids From(const TestBackend& backend, const std::string& event) {
    const Ids events = backend.GetEvents();
    return {std::find(events.begin(), events.end(), event), events.end()};
  }
};

TEST_F(LoadingTest, TellsOnlyBackendsThatTheNetworkUses) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  const std::string number = std::to_string(id);
  runtime_->UnloadNetwork(id);
  EXPECT_EQ(b_->GetEvents(), (Ids{"create backend", "create context with 0 options"}));
  EXPECT_EQ(From(*a_, "before load " + number),
            (Ids{"before load " + number, "create workload factory", "create workload",
                 "create state", "after load " + number, "before unload " + number, "~workload",
                 "~state", "~workload factory", "~model context", "after unload " + number}));
}

TEST_F(LoadingTest, WorksWithoutContexts) {
  const auto c = std::make_shared<TestBackend>("C");
  c->has_context = false;
  const auto runtime = MakeRuntime({c});
  const auto network = Optimize(*MakeChain({"one"}), {"C"}, runtime->GetDeviceSpec());
  EXPECT_NO_THROW(runtime->UnloadNetwork(runtime->LoadNetwork(network)));
}

TEST_F(LoadingTest, DestroysInTheRightOrder) {
  Load(*MakeChain({"one"}), {"A"});
  runtime_.reset();
  const Ids events = From(*a_, "~workload");
  EXPECT_EQ(events, (Ids{"~workload", "~state", "~workload factory", "~model context",
                         "after unload 1", "~context"}));
}

TEST_F(LoadingTest, MakesOneModelContextForEachNetwork) {
  const auto network = OptimizeFor(*MakeChain({"one"}), {"A"});
  runtime_->LoadNetwork(network);
  runtime_->LoadNetwork(network);
  EXPECT_EQ(a_->CountEvents("create model context with 0 options"), 1);
}

TEST_F(LoadingTest, GivesConstantsToWorkloads) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({4}), "x");
  const auto data = CopyConstantData(input_.data(), 16);
  const OutputSlot c = network->AddConstantLayer(Float({4}), data, "c");
  network->AddOutputLayer({AddSum(*network, x, c, "sum"), 0}, "y");
  a_->on_create_workload = [&](const WorkloadArgs& args) {
    EXPECT_EQ(args.layer_type, LayerType::kElementwiseBinary);
    EXPECT_STREQ(args.layer_name, "sum");
    ASSERT_EQ(args.num_inputs, 2U);
    EXPECT_EQ(args.constants[0], nullptr);
    ASSERT_NE(args.constants[1], nullptr);
    EXPECT_EQ(args.constants[1]->data, data.get());
    EXPECT_EQ(args.constants[1]->info, Float({4}));
    EXPECT_EQ(*args.outputs[0], Float({4}));
  };
  Load(*network, {"A"});
  EXPECT_EQ(a_->CountEvents("create workload"), 1);
}

TEST_F(LoadingTest, NamesLayerAndBackendWithoutWorkload) {
  b_->supports = [](const LayerSupportQuery& query, std::string& /*reason*/) {
    return std::string(query.layer_name) == "two";
  };
  b_->failures = {{CallPoint::kCreateWorkload, FailureKind::kRefuse}};
  const Diagnostic refused = CatchLoad({"B", "A"});
  ExpectDiagnostic(refused, DiagnosticCode::kWorkloadNotCreated, "two", "returned null",
                   "expected an IWorkload");
  ExpectContains(refused.what, "backend \"B\" made no workload for layer \"two\" (Activation)");
  EXPECT_EQ(a_->CountEvents("create workload"), a_->CountEvents("~workload"));

  b_->failures = {{CallPoint::kCreateWorkload, FailureKind::kThrow}};
  const Diagnostic thrown = CatchLoad({"B", "A"});
  ExpectDiagnostic(thrown, DiagnosticCode::kWorkloadNotCreated, "two", "boom", "");
  ASSERT_EQ(thrown.causes.size(), 1U);
  EXPECT_EQ(thrown.causes[0].code, DiagnosticCode::kBackendThrew);
}

// Whatever fails, each context that was told Before is told After with the outcome, and nothing
// stays.
TEST_F(LoadingTest, IsBalancedWhateverFails) {
  struct Case {
    CallPoint point;
    FailureKind kind;
    DiagnosticCode code;
  };
  const Case cases[] = {
      {CallPoint::kBeforeLoad, FailureKind::kRefuse, DiagnosticCode::kContextRefused},
      {CallPoint::kBeforeLoad, FailureKind::kThrow, DiagnosticCode::kContextRefused},
      {CallPoint::kCreateWorkloadFactory, FailureKind::kRefuse,
       DiagnosticCode::kWorkloadNotCreated},
      {CallPoint::kCreateWorkloadFactory, FailureKind::kThrow, DiagnosticCode::kBackendThrew},
      {CallPoint::kCreateWorkload, FailureKind::kThrowInt, DiagnosticCode::kWorkloadNotCreated},
      {CallPoint::kCreateExecutionState, FailureKind::kThrow, DiagnosticCode::kBackendThrew},
  };
  NetworkId id = 0;
  for (const Case& one : cases) {
    a_->failures = {{one.point, one.kind}};
    const std::string number = std::to_string(++id);
    const Diagnostic diagnostic = CatchLoad({"A"});
    EXPECT_EQ(GetDiagnosticId(diagnostic.code), GetDiagnosticId(one.code)) << ToText(diagnostic);
    EXPECT_EQ(a_->CountEvents("before load " + number), 1);
    EXPECT_EQ(a_->CountEvents("after failed load " + number), 1);
    EXPECT_EQ(a_->CountEvents("before unload " + number), 0);
    EXPECT_EQ(runtime_->EnqueueWorkload(id, {}, {}, nullptr), Status::kNotFound);
  }
  EXPECT_EQ(a_->CountEvents("~workload"), 2);
  a_->failures.clear();
  EXPECT_NO_THROW(Load(*MakeChain({"one"}), {"A"}));
}

TEST_F(LoadingTest, TellsContextsBeforeTheOneThatRefuses) {
  b_->supports = [](const LayerSupportQuery& query, std::string& /*reason*/) {
    return std::string(query.layer_name) == "two";
  };
  b_->failures = {{CallPoint::kBeforeLoad, FailureKind::kRefuse}};
  const Diagnostic diagnostic = CatchLoad({"B", "A"});
  ExpectDiagnostic(diagnostic, DiagnosticCode::kContextRefused, "B", "returned \"busy\"",
                   "expected \"success\"");
  EXPECT_EQ(a_->CountEvents("before load 1"), 1);
  EXPECT_EQ(a_->CountEvents("after failed load 1"), 1);
  EXPECT_EQ(b_->CountEvents("after failed load 1"), 1);
  EXPECT_EQ(a_->CountEvents("create workload factory"), 0);
}

TEST_F(LoadingTest, GoesOnWhateverContextsSayAfterwards) {
  for (const FailureKind kind : {FailureKind::kRefuse, FailureKind::kThrow}) {
    a_->failures = {{CallPoint::kAfterLoad, kind},
                    {CallPoint::kBeforeUnload, kind},
                    {CallPoint::kAfterUnload, kind}};
    const NetworkId id = Load(*MakeChain({"one"}), {"A"});
    EXPECT_EQ(RunChain(id), (std::vector<float>{1, 2, 3, 4}));
    EXPECT_NO_THROW(runtime_->UnloadNetwork(id));
    EXPECT_EQ(a_->CountEvents("after unload " + std::to_string(id)), 1);
  }
}

TEST_F(LoadingTest, SharesMemoryOfTheCpuBetweenSeveralBackends) {
  b_->supports = [](const LayerSupportQuery& query, std::string& /*reason*/) {
    return std::string(query.layer_name) == "two";
  };
  const NetworkId id = Load(*MakeChain({"one", "two"}), {"B", "A"});
  EXPECT_EQ(RunChain(id), (std::vector<float>{2, 3, 4, 5}));
}

TEST_F(LoadingTest, WorksWithoutExecutionStates) {
  a_->failures = {{CallPoint::kCreateExecutionState, FailureKind::kRefuse}};
  a_->on_execute = [](const ExecuteArgs& args) { EXPECT_EQ(args.GetState(), nullptr); };
  RunChain(Load(*MakeChain({"one"}), {"A"}));
}

}  // namespace
}  // namespace backplane
