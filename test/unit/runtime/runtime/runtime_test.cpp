#include "runtime/runtime_fixture.hpp"

#include <atomic>
#include <thread>

namespace backplane {
namespace {

using Floats = std::vector<float>;
using RuntimeTest = RuntimeFixture;

TEST_F(RuntimeTest, RunsANetworkOnSeveralBackends) {
  a_->supports = [](const LayerSupportQuery& query, std::string& /*reason*/) {
    return std::string(query.layer_name) != "two";
  };
  const NetworkId id = Load(*MakeChain({"one", "two", "three"}), {"A", "B"});
  EXPECT_EQ(RunChain(id), (Floats{3, 4, 5, 6}));
  EXPECT_EQ(RunChain(id), (Floats{3, 4, 5, 6}));
  EXPECT_EQ(a_->CountEvents("create workload"), 2);
  EXPECT_EQ(b_->CountEvents("create workload"), 1);
}

TEST_F(RuntimeTest, RejectsUnknownNetworks) {
  const Diagnostic unload = CatchDiagnostic([&] { runtime_->UnloadNetwork(7); });
  ExpectDiagnostic(unload, DiagnosticCode::kUnknownNetwork, "7", "found 7",
                   "an id that LoadNetwork of this runtime returned");
  std::optional<Diagnostic> failure;
  EXPECT_EQ(runtime_->EnqueueWorkload(7, {}, {}, &failure), Status::kNotFound);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->code, DiagnosticCode::kUnknownNetwork);
  EXPECT_EQ(runtime_->EnqueueWorkload(7, {}, {}, nullptr), Status::kNotFound);
  EXPECT_EQ(CatchDiagnostic([&] { runtime_->GetMemoryReport(7); }).code,
            DiagnosticCode::kUnknownNetwork);
  ExpectDiagnostic(CatchDiagnostic([&] { runtime_->LoadNetwork(nullptr); }),
                   DiagnosticCode::kNullNetwork, "", "found null", "what Optimize returned");
}

TEST_F(RuntimeTest, ForgetsUnloadedNetworks) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  runtime_->UnloadNetwork(id);
  EXPECT_EQ(runtime_->EnqueueWorkload(id, {}, {}, nullptr), Status::kNotFound);
  EXPECT_EQ(CatchDiagnostic([&] { runtime_->UnloadNetwork(id); }).code,
            DiagnosticCode::kUnknownNetwork);
  EXPECT_NE(Load(*MakeChain({"one"}), {"A"}), id);
}

TEST_F(RuntimeTest, RejectsNetworksOptimisedForAnotherRuntime) {
  const auto other = MakeRuntime({a_});
  const auto network = Optimize(*MakeChain({"one"}), {"A"}, other->GetDeviceSpec());
  const Diagnostic diagnostic = CatchDiagnostic([&] { runtime_->LoadNetwork(network); });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kForeignNetwork, "chain",
                   "the backends of another device spec", "of this runtime's GetDeviceSpec");
  EXPECT_NO_THROW(other->LoadNetwork(network));
}

TEST_F(RuntimeTest, LoadsOneNetworkSeveralTimes) {
  const auto network = OptimizeFor(*MakeChain({"one"}), {"A"});
  const NetworkId first = runtime_->LoadNetwork(network);
  const NetworkId second = runtime_->LoadNetwork(network);
  EXPECT_NE(first, second);
  runtime_->UnloadNetwork(first);
  EXPECT_EQ(RunChain(second), (Floats{1, 2, 3, 4}));
}

TEST_F(RuntimeTest, OptimizedNetworkAndDeviceSpecOutliveIt) {
  const auto network = OptimizeFor(*MakeChain({"one"}), {"A"});
  runtime_->LoadNetwork(network);
  const DeviceSpec device = runtime_->GetDeviceSpec();
  runtime_.reset();
  EXPECT_EQ(network->GetPlacement().layers[0].backend_id, "A");
  EXPECT_EQ(network->GetOutputs()[0].info, Float({4}));
  EXPECT_EQ(device.GetBackendIdsByRank().size(), 2U);
  EXPECT_NO_THROW(Optimize(*MakeChain({"one"}), {"B"}, device));
}

TEST_F(RuntimeTest, OthersGoOnWhenItIsDestroyed) {
  const auto other = MakeRuntime({a_});
  const NetworkId id =
      other->LoadNetwork(Optimize(*MakeChain({"one"}), {"A"}, other->GetDeviceSpec()));
  runtime_.reset();
  Floats output(4);
  EXPECT_EQ(other->EnqueueWorkload(id, {MakeInput(0, input_)}, {MakeOutput(0, output)}, nullptr),
            Status::kSuccess);
  EXPECT_EQ(output, (Floats{1, 2, 3, 4}));
}

TEST_F(RuntimeTest, RunsOneNetworkFromSeveralThreads) {
  const NetworkId id = Load(*MakeChain({"one", "two", "three"}), {"A", "B"});
  std::atomic<int> num_wrong{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int run = 0; run < 100; ++run) {
        const float value = static_cast<float>(1000 * thread + run);
        const Floats input(4, value);
        Floats output(4);
        const Status status =
            runtime_->EnqueueWorkload(id, {MakeInput(0, input)}, {MakeOutput(0, output)}, nullptr);
        if (status != Status::kSuccess || output != Floats(4, value + 3)) ++num_wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_wrong, 0);
  EXPECT_LE(a_->CountEvents("create state"), 4);
}

TEST_F(RuntimeTest, RunsAtTheSameTimeHaveMemoryOfTheirOwn) {
  // Each run waits in its first layer for the other, so that both are in the network at once.
  std::atomic<int> num_arrived{0};
  a_->on_execute = [&](const ExecuteArgs& /*args*/) {
    ++num_arrived;
    while (num_arrived < 2) std::this_thread::yield();
  };
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  Floats other_output(4);
  const Floats other_input(4, 10);
  std::thread other([&] {
    EXPECT_EQ(runtime_->EnqueueWorkload(id, {MakeInput(0, other_input)},
                                        {MakeOutput(0, other_output)}, nullptr),
              Status::kSuccess);
  });
  EXPECT_EQ(RunChain(id), (Floats{1, 2, 3, 4}));
  other.join();
  EXPECT_EQ(other_output, (Floats{11, 11, 11, 11}));
  EXPECT_EQ(a_->CountEvents("create state"), 2);
}

TEST_F(RuntimeTest, NetworksRunInTurnKeepTheirMemory) {
  const NetworkId first = Load(*MakeChain({"one"}), {"A"});
  const NetworkId second = Load(*MakeChain({"one", "two"}), {"A"});
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(RunChain(first), (Floats{1, 2, 3, 4}));
    EXPECT_EQ(RunChain(second), (Floats{2, 3, 4, 5}));
  }
  EXPECT_EQ(a_->CountEvents("create state"), 2);
  EXPECT_EQ(a_->CountEvents("~state"), 0);
}

TEST_F(RuntimeTest, UnloadingWaitsForRunsThatGoOn) {
  std::atomic<bool> is_running{false};
  std::atomic<bool> may_end{false};
  a_->on_execute = [&](const ExecuteArgs& /*args*/) {
    is_running = true;
    while (!may_end) std::this_thread::yield();
  };
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  Floats output;
  std::thread run([&] { output = RunChain(id); });
  while (!is_running) std::this_thread::yield();
  std::thread unload([&] { runtime_->UnloadNetwork(id); });
  // The network is gone for others as soon as it is being unloaded.
  Floats unused(4);
  while (runtime_->EnqueueWorkload(id, {}, {}, nullptr) != Status::kNotFound) {
    std::this_thread::yield();
  }
  EXPECT_EQ(a_->CountEvents("~workload"), 0);
  may_end = true;
  run.join();
  unload.join();
  EXPECT_EQ(output, (Floats{1, 2, 3, 4}));
  EXPECT_EQ(a_->CountEvents("~workload"), 1);
}

TEST_F(RuntimeTest, LoadsAndUnloadsFromSeveralThreads) {
  const auto network = OptimizeFor(*MakeChain({"one", "two"}), {"A", "B"});
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int round = 0; round < 10; ++round) {
        const NetworkId id = runtime_->LoadNetwork(network);
        EXPECT_EQ(RunChain(id), (Floats{2, 3, 4, 5}));
        runtime_->UnloadNetwork(id);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(a_->CountEvents("create workload"), a_->CountEvents("~workload"));
}

TEST_F(RuntimeTest, ReportsMemory) {
  auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({4}), "x");
  const auto data = CopyConstantData(input_.data(), 16);
  const OutputSlot c = network->AddConstantLayer(Float({4}), data, "c");
  const OutputSlot d = network->AddConstantLayer(Float({4}), data, "same data");
  const LayerId one = AddSum(*network, x, c, "one");
  const LayerId two = AddSum(*network, {one, 0}, d, "two");
  network->AddOutputLayer({two, 0}, "y");
  const MemoryReport report = runtime_->GetMemoryReport(Load(*network, {"A"}));
  EXPECT_EQ(report.constants_bytes, 16U);
  EXPECT_EQ(report.arena_bytes, 128U);
  EXPECT_EQ(report.lower_bound_bytes, 128U);
}

}  // namespace
}  // namespace backplane
