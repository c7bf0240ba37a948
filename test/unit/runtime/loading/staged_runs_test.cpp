/// Runs of networks that sources make stage by stage.

#include "loading/staged_fixture.hpp"

#include <backplane/runtime/find_binding.hpp>

namespace backplane {
namespace {

TEST_F(StagedRunsTest, MakeOnePlanForEachShape) {
  const auto source = std::make_shared<ChainSource>();
  const NetworkId id = LoadSource(source);
  EXPECT_EQ(RunWith(id, {1, 2}), (std::vector<float>{2, 3}));
  EXPECT_EQ(RunWith(id, {5, 6}), (std::vector<float>{6, 7}));
  EXPECT_EQ(RunWith(id, {1, 2, 3}), (std::vector<float>{2, 3, 4}));
  EXPECT_EQ(source->num_stages, 2);
  EXPECT_EQ(a_->CountEvents("create workload"), 2);  // not of what nobody reads
  const std::vector<PlanReport> plans = runtime_->GetPlanReports(id);
  ASSERT_EQ(plans.size(), 2U);
  EXPECT_EQ(plans[0].num_runs + plans[1].num_runs, 3U);
  ASSERT_EQ(plans[0].stages.size(), 1U);
  EXPECT_EQ(plans[0].stages[0].placement.layers.at(0).backend_id, "A");
}

TEST_F(StagedRunsTest, GoOnWithWhatAnOperationMade) {
  const auto source = std::make_shared<ChainSource>(MakeOperation(&ChooseLarge));
  const NetworkId id = LoadSource(source);
  EXPECT_EQ(RunWith(id, {0, 2, 5}), (std::vector<float>{4, 7}));
  EXPECT_EQ(RunWith(id, {0, 0, 5}), (std::vector<float>{7}));
  EXPECT_EQ(RunWith(id, {2, 0, 5}), (std::vector<float>{4, 7}));
  EXPECT_EQ(source->num_stages, 3);
  EXPECT_EQ(RunWith(id, {0, 0, 0}), (std::vector<float>{}));
  EXPECT_EQ(status_, Status::kSuccess);
}

TEST_F(StagedRunsTest, AreOfNetworksBuiltLayerByLayer) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({kOpenExtent}), "x", {{0, "N", {1, 3}}});
  network->AddOutputLayer({AddRelu(*network, {AddRelu(*network, x, "one"), 0}, "two"), 0}, "y");
  const auto optimized = Optimize(std::move(network), {"A"}, runtime_->GetDeviceSpec());
  EXPECT_EQ(optimized->GetOutputs()[0].info, Float({kOpenExtent}));
  const NetworkId id = runtime_->LoadNetwork(optimized);
  EXPECT_EQ(RunWith(id, {1, 2}), (std::vector<float>{3, 4}));
  EXPECT_EQ(RunWith(id, {1, 2, 3}), (std::vector<float>{3, 4, 5}));
  EXPECT_EQ(RunWith(id, {5, 6}), (std::vector<float>{7, 8}));
  EXPECT_EQ(runtime_->GetPlanReports(id).size(), 2U);
  RunWith(id, {1, 2, 3, 4});
  ExpectCode(failure_, DiagnosticCode::kWrongTensorBinding);
  EXPECT_NE(failure_->why.find("is float32 [4], expected float32 [N (1 to 3)]"), std::string::npos)
      << failure_->why;
}

TEST_F(StagedRunsTest, TellWhatAnOperationThrows) {
  const auto deeds = std::make_shared<Operation::Function>();
  const auto source = std::make_shared<ChainSource>(MakeOperation(
      [deeds](const Values& inputs, IStageRunner& runner) { return (*deeds)(inputs, runner); }));
  const NetworkId id = LoadSource(source);
  *deeds = [](const Values&, IStageRunner&) -> Values {
    throw DiagnosticException(Diagnostic{DiagnosticCode::kStageFailed});
  };
  RunWith(id, {1});
  ExpectCode(failure_, DiagnosticCode::kStageFailed);
  *deeds = [](const Values&, IStageRunner&) { return Values(); };
  RunWith(id, {1});
  ExpectCode(failure_, DiagnosticCode::kStageFailed);
  EXPECT_EQ(failure_->why, "found 0 results; expected 1");
  *deeds = [](const Values&, IStageRunner&) -> Values { throw std::runtime_error("boom"); };
  RunWith(id, {1});
  ExpectCode(failure_, DiagnosticCode::kStageFailed);
  EXPECT_NE(failure_->why.find("boom"), std::string::npos) << failure_->why;
  *deeds = [](const Values&, IStageRunner&) -> Values { throw std::bad_alloc(); };
  RunWith(id, {1});
  EXPECT_EQ(status_, Status::kOutOfMemory);
  *deeds = &ChooseLarge;
  EXPECT_EQ(RunWith(id, {5}), (std::vector<float>{7}));
}

TEST_F(StagedRunsTest, LieWithinEachOtherToABound) {
  const auto source = std::make_shared<std::shared_ptr<const INetworkSource>>();
  *source = std::make_shared<ChainSource>(
      MakeOperation([source](const Values& inputs, IStageRunner& runner) {
        return runner.RunNetwork(*source, inputs);
      }));
  RunWith(LoadSource(*source), {1});
  ExpectCode(failure_, DiagnosticCode::kNetworksTooDeep);
  EXPECT_EQ(failure_->why, "found it within 64 loops and branches; expected at most that many");
  source->reset();
}

TEST_F(StagedRunsTest, TellWhatASourceThrows) {
  const NetworkId id = LoadSource(std::make_shared<FailingSource>());
  RunWith(id, {1});
  EXPECT_EQ(status_, Status::kFailure);
  ExpectCode(failure_, DiagnosticCode::kStageFailed);
  EXPECT_NE(failure_->why.find("boom"), std::string::npos) << failure_->why;
}

TEST_F(StagedRunsTest, TellWhatABackendFails) {
  const NetworkId id = LoadSource(std::make_shared<ChainSource>());
  a_->execute = [](const ExecuteArgs&) { return Status::kBusy; };
  RunWith(id, {1});
  EXPECT_EQ(status_, Status::kBusy);
  ExpectCode(failure_, DiagnosticCode::kExecutionFailed);
}

TEST_F(StagedRunsTest, KeepAsManyPlansAsTheyMay) {
  const OptimizerOptions options = KeepPlans(2, std::make_shared<ChainSource>());
  const NetworkId id = LoadSource(std::make_shared<ChainSource>(), options);
  for (const std::size_t length : {1U, 2U, 3U, 4U}) RunWith(id, std::vector<float>(length));
  EXPECT_EQ(a_->CountEvents("create workload"), 1 + 4);
  EXPECT_EQ(a_->CountEvents("~workload"), 1 + 2);
  EXPECT_EQ(runtime_->GetPlanReports(id).size(), 2U);
}

TEST_F(StagedRunsTest, KeepAsManyPlansWithoutNetworks) {
  const OptimizerOptions options = KeepPlans(2, std::make_shared<ForwardingSource>());
  const NetworkId id = LoadSource(std::make_shared<ForwardingSource>(), options);
  for (std::size_t length = 1; length < 20; ++length) {
    std::vector<float> values(length);
    ResultTensor y;
    ResultTensor z;
    EXPECT_EQ(runtime_->EnqueueWorkload(id, {MakeInput(0, values)}, {Wanting(0, y), Wanting(1, z)}),
              Status::kSuccess);
    EXPECT_EQ(y.info.shape, (TensorShape{static_cast<std::int64_t>(length)}));
  }
  EXPECT_EQ(runtime_->GetPlanReports(id).size(), 2U);
}

TEST_F(StagedRunsTest, GiveTensorsThatNobodyElseHas) {
  const NetworkId id = LoadSource(std::make_shared<ForwardingSource>());
  const auto data = std::make_shared<std::vector<float>>(3, 5.0F);
  const StageValue owned = MakeStageTensor(Float({3}), {data, data->data()});
  InputTensor input;
  input.value = &owned;
  ResultTensor y;
  ResultTensor z;
  ASSERT_EQ(runtime_->EnqueueWorkload(id, {input}, {Wanting(0, y), Wanting(1, z)}),
            Status::kSuccess);
  *static_cast<float*>(y.data.get()) = 1;
  *static_cast<float*>(z.data.get()) = 2;
  EXPECT_EQ(*static_cast<const float*>(y.data.get()), 1);
  EXPECT_EQ(data->front(), 5);
}

TEST_F(StagedRunsTest, RefuseShapesThatAreNone) {
  const auto source = std::make_shared<ForwardingSource>();
  source->input_.is_rank_open = true;
  const NetworkId id = LoadSource(source);
  std::vector<float> values(4);
  const auto refuse = [&](const TensorShape& shape) {
    InputTensor input = MakeInput(0, values);
    input.tensor.info.shape = shape;
    ResultTensor y;
    ResultTensor z;
    failure_.reset();
    EXPECT_NE(runtime_->EnqueueWorkload(id, {input}, {Wanting(0, y), Wanting(1, z)}, &failure_),
              Status::kSuccess);
    ExpectCode(failure_, DiagnosticCode::kWrongTensorBinding);
  };
  refuse({-1});
  refuse({std::int64_t{1} << 40, std::int64_t{1} << 40});
  TensorShape deep{1};
  deep.rank = 50;
  refuse(deep);
}

TEST_F(StagedRunsTest, RunInTheBackground) {
  const NetworkId id = LoadSource(std::make_shared<ChainSource>());
  std::vector<float> values = {1, 2};
  ResultTensor result;
  auto future = runtime_->EnqueueWorkloadAsync(id, {MakeInput(0, values)}, {Wanting(0, result)});
  ASSERT_EQ(future.wait_for(kGenerous), std::future_status::ready);
  EXPECT_EQ(future.get().status, Status::kSuccess);
  EXPECT_EQ(result.info.shape, (TensorShape{2}));
}

TEST_F(StagedRunsTest, EndAtTheirDeadlineInAnOperation) {
  const auto source =
      std::make_shared<ChainSource>(MakeOperation([](const Values& inputs, IStageRunner& runner) {
        while (true) runner.RequireGoingOn();
        return inputs;
      }));
  const NetworkId id = LoadSource(source);
  EXPECT_EQ(Run(id, Within(milliseconds(30))).status, Status::kTimeout);
  CancellationSource cancellation;
  std::thread cancels([&] { cancellation.Cancel(); });
  const Outcome cancelled = Run(id, With(cancellation));
  cancels.join();
  EXPECT_EQ(cancelled.status, Status::kCancelled);
  ExpectCode(cancelled.failure, DiagnosticCode::kRunCancelled);
}

TEST_F(StagedRunsTest, KeepTheirNetworkFromBeingUnloaded) {
  Gate gate;
  const NetworkId id = LoadSource(std::make_shared<ChainSource>());
  HoldUp(gate);
  std::thread runs([&] { RunWith(id, {1, 2}); });
  gate.AwaitArrivals(1);
  std::optional<Diagnostic> failure;
  EXPECT_EQ(runtime_->UnloadNetwork(id, Soon(), &failure), Status::kTimeout);
  ExpectCode(failure, DiagnosticCode::kNetworkInUse);
  gate.Open();
  runs.join();
  EXPECT_EQ(status_, Status::kSuccess);
  runtime_->UnloadNetwork(id);
  EXPECT_EQ(a_->CountEvents("~workload"), 1);
  RunWith(id, {1, 2});
  ExpectCode(failure_, DiagnosticCode::kUnknownNetwork);
}

TEST_F(StagedRunsTest, GoWithTheRuntime) {
  const auto source = std::make_shared<ChainSource>(MakeOperation(&ChooseLarge));
  const NetworkId id = LoadSource(source);
  RunWith(id, {5, 6});
  runtime_.reset();
  EXPECT_EQ(a_->CountEvents("~workload"), a_->CountEvents("create workload"));
}

TEST_F(StagedRunsTest, AreRefusedAfterShutdown) {
  const NetworkId id = LoadSource(std::make_shared<ChainSource>());
  RunWith(id, {1});
  EXPECT_EQ(runtime_->Shutdown(steady_clock::time_point::max()), Status::kSuccess);
  RunWith(id, {1});
  EXPECT_EQ(status_, Status::kNotFound);
  ExpectCode(failure_, DiagnosticCode::kRuntimeShutDown);
  EXPECT_THROW(LoadSource(std::make_shared<ChainSource>()), DiagnosticException);
}

TEST_F(StagedRunsTest, ImportNoMemoryOfTheirOwn) {
  const NetworkId id = LoadSource(std::make_shared<ChainSource>());
  EXPECT_EQ(CatchDiagnostic([&] { runtime_->ImportTensor(id, BindingKind::kInput, 0, {}); }).code,
            DiagnosticCode::kImportRefused);
  EXPECT_EQ(CatchDiagnostic([&] { runtime_->ReleaseImportedTensor(id, 1); }).code,
            DiagnosticCode::kUnknownImportedTensor);
}

TEST_F(StagedRunsTest, MakePlansWhileOthersRun) {
  const OptimizerOptions options =
      KeepPlans(3, std::make_shared<ChainSource>(MakeOperation(&ChooseLarge)));
  const NetworkId id =
      LoadSource(std::make_shared<ChainSource>(MakeOperation(&ChooseLarge)), options);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 3; ++thread) {
    threads.emplace_back([this, id, thread] {
      for (int run = 0; run < 30; ++run) {
        const std::vector<float> values(static_cast<std::size_t>(1 + (run + thread) % 4), 5.0F);
        ResultTensor result;
        EXPECT_EQ(runtime_->EnqueueWorkload(id, {MakeInput(0, values)}, {Wanting(0, result)}),
                  Status::kSuccess);
        EXPECT_EQ(result.info.shape[0], static_cast<std::int64_t>(values.size()));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(StagedRunsTest, HintTheirLayers) {
  OptimizerOptions options;
  options.choose_hint = [](const NetworkOperator& layer) {
    return layer.name == "one" ? std::string("B") : std::string();
  };
  const NetworkId id = LoadSource(std::make_shared<ChainSource>(), options);
  EXPECT_EQ(RunWith(id, {1}), (std::vector<float>{2}));
  EXPECT_EQ(b_->CountEvents("create workload"), 1);
}

TEST_F(StagedRunsTest, KeepHintsOfNetworksBuiltLayerByLayer) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({kOpenExtent}), "x");
  const LayerId one = AddRelu(*network, x, "one");
  network->AddOutputLayer({AddRelu(*network, {one, 0}, "two"), 0}, "y");
  network->SetBackendHint(one, "B");
  OptimizerOptions options;
  options.choose_hint = [](const NetworkOperator& /*layer*/) { return std::string(); };
  const NetworkId id = runtime_->LoadNetwork(
      Optimize(std::move(network), {"A"}, runtime_->GetDeviceSpec(), options));
  EXPECT_EQ(RunWith(id, {1}), (std::vector<float>{3}));
  EXPECT_EQ(b_->CountEvents("create workload"), 1);
}

TEST(NetworksFromSources, TakeNoLayers) {
  const auto network = INetwork::Create(std::make_shared<ChainSource>());
  EXPECT_EQ(network->GetInputs().at(0).info.shape, (TensorShape{kOpenExtent}));
  try {
    network->AddInputLayer(Float({1}), "more");
    FAIL();
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kNetworkFromSource);
  }
}

TEST(Bindings, AreFoundByName) {
  const auto network = INetwork::Create(std::make_shared<ChainSource>());
  EXPECT_EQ(FindBinding(network->GetInputs(), "x"), 0U);
  try {
    FindBinding(network->GetInputs(), "z");
    FAIL();
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kWrongTensorBinding);
    EXPECT_EQ(exception.GetDiagnostic().why, "found x");
  }
}

}  // namespace
}  // namespace backplane
