/// Unloading, and destroying a runtime, while others work.

#include "runtime/runtime_fixture.hpp"

#include <atomic>
#include <thread>

namespace backplane {
namespace {

using Floats = std::vector<float>;

using UnloadTest = RuntimeFixture;

TEST_F(UnloadTest, AnUnknownIdAndASecondTimeAreMistakes) {
  ExpectDiagnostic(CatchDiagnostic([&] { runtime_->UnloadNetwork(7); }),
                   DiagnosticCode::kUnknownNetwork, "7", "found 7",
                   "expected an id that LoadNetwork of this runtime returned");
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  runtime_->UnloadNetwork(id);
  EXPECT_EQ(CatchDiagnostic([&] { runtime_->UnloadNetwork(id); }).code,
            DiagnosticCode::kUnknownNetwork);
  EXPECT_EQ(a_->CountEvents("before unload 1"), 1) << "nobody is told of what is not loaded";
  EXPECT_EQ(a_->CountEvents("before unload 7"), 0);
}

TEST_F(UnloadTest, ThreadsThatEnqueueFindTheNetworkOrNothing) {
  const NetworkId id = Load(*MakeChain({"one", "two"}), {"A"});
  std::atomic<int> num_started{0};
  std::atomic<int> num_wrong{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      bool is_gone = false;
      for (int run = 0; !is_gone; ++run) {
        Floats output(4);
        std::optional<Diagnostic> failure;
        const Status status = runtime_->EnqueueWorkload(id, {MakeInput(0, input_)},
                                                        {MakeOutput(0, output)}, &failure);
        is_gone = status == Status::kNotFound;
        const bool is_right =
            is_gone ? failure && failure->code == DiagnosticCode::kUnknownNetwork
                    : status == Status::kSuccess && output == Floats{2, 3, 4, 5} && !failure;
        if (!is_right) ++num_wrong;
        if (run == 0) ++num_started;
      }
    });
  }
  while (num_started < 4) std::this_thread::yield();
  runtime_->UnloadNetwork(id);
  EXPECT_EQ(a_->CountEvents("create workload"), a_->CountEvents("~workload"));
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_wrong, 0);
}

TEST_F(UnloadTest, OfSeveralThreadsOneUnloads) {
  for (int round = 0; round < 20; ++round) {
    const NetworkId id = Load(*MakeChain({"one"}), {"A"});
    std::atomic<int> num_unloaded{0};
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 3; ++thread) {
      threads.emplace_back([&] {
        try {
          runtime_->UnloadNetwork(id);
          ++num_unloaded;
        } catch (const DiagnosticException& exception) {
          EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kUnknownNetwork);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(num_unloaded, 1);
  }
}

TEST_F(UnloadTest, OneNetworkGoesAndTheOtherRunsOn) {
  const NetworkId first = Load(*MakeChain({"one"}), {"A"});
  const NetworkId second = Load(*MakeChain({"one", "two"}), {"A"});
  runtime_->UnloadNetwork(first);
  EXPECT_EQ(RunChain(second), (Floats{2, 3, 4, 5}));
  const NetworkId third = Load(*MakeChain({"one"}), {"A"});
  EXPECT_NE(third, first) << "ids are not used again";
}

TEST_F(UnloadTest, ARuntimeUnloadsWhatIsStillLoaded) {
  Load(*MakeChain({"one"}), {"A"});
  Load(*MakeChain({"one"}), {"B"});
  runtime_.reset();
  EXPECT_EQ(a_->CountEvents("after unload 1"), 1);
  EXPECT_EQ(b_->CountEvents("after unload 2"), 1);
  EXPECT_EQ(a_->CountEvents("~workload"), 1);
  EXPECT_EQ(b_->CountEvents("~workload"), 1);
}

}  // namespace
}  // namespace backplane
