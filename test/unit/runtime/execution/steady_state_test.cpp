#include "execution/allocation_counter.hpp"
#include "runtime/runtime_fixture.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace backplane {
namespace {

using Floats = std::vector<float>;

class SteadyStateTest : public RuntimeFixture {
 protected:
  // Operators of two backends, in place where they may, a view and a constant.
  std::unique_ptr<INetwork> MakeNetwork() const {
    auto network = INetwork::Create("net");
    const Floats ones{1, 1, 1, 1};
    const OutputSlot x = network->AddInputLayer(Float({4}), "x");
    const OutputSlot c =
        network->AddConstantLayer(Float({4}), CopyConstantData(ones.data(), 16), "c");
    const LayerId a = AddRelu(*network, x, "a");
    const LayerId sum = AddSum(*network, {a, 0}, c, "sum");
    const LayerId view = AddView(*network, {sum, 0}, {2, 2}, "view");
    const LayerId b = AddRelu(*network, {view, 0}, "b");
    network->SetBackendHint(b, "B");
    network->AddOutputLayer({AddView(*network, {b, 0}, {4}, "back"), 0}, "y");
    return network;
  }
};

TEST_F(SteadyStateTest, AllocatesNothing) {
  const NetworkId id = Load(*MakeNetwork(), {"A"});
  Floats output(4);
  const InputTensors inputs{MakeInput(0, input_)};
  const OutputTensors outputs{MakeOutput(0, output)};
  const long before = CountAllocations();
  Status status = Status::kSuccess;
  for (int run = 0; run < 10 && status == Status::kSuccess; ++run) {
    status = runtime_->EnqueueWorkload(id, inputs, outputs, nullptr);
  }
  EXPECT_EQ(CountAllocations(), before);
  EXPECT_EQ(status, Status::kSuccess);
  EXPECT_EQ(output, (Floats{3, 4, 5, 6}));
  delete new int;  // the counter counts
  EXPECT_GT(CountAllocations(), before);
}

TEST_F(SteadyStateTest, AllocatesNothingWithBounds) {
  const NetworkId id = Load(*MakeNetwork(), {"A"});
  Floats output(4);
  const InputTensors inputs{MakeInput(0, input_)};
  const OutputTensors outputs{MakeOutput(0, output)};
  const CancellationSource source;
  RunOptions options;
  options.timeout = std::chrono::hours(1);
  options.cancellation = source.GetToken();
  // The first starts the thread that watches.
  Status status = runtime_->EnqueueWorkload(id, inputs, outputs, options);
  const long before = CountAllocations();
  for (int run = 0; run < 10 && status == Status::kSuccess; ++run) {
    status = runtime_->EnqueueWorkload(id, inputs, outputs, options);
  }
  EXPECT_EQ(CountAllocations(), before);
  EXPECT_EQ(status, Status::kSuccess);
}

TEST_F(SteadyStateTest, AllocatesNothingWithFences) {
  const int event = eventfd(1, EFD_CLOEXEC);
  a_->capabilities = b_->capabilities = {{kCapabilityFences, kAllFenceKinds}};
  a_->on_execute = [event](const ExecuteArgs& args) {
    *args.GetCompletion() = {FenceKind::kEventFd, event, 0, 0, {}};
  };
  std::uint32_t num_waited_for = 0;
  b_->on_execute = [&](const ExecuteArgs& args) { num_waited_for += args.GetNumWaitFences(); };
  runtime_ = MakeRuntime({a_, b_});
  const NetworkId id = Load(*MakeNetwork(), {"A"});
  Floats output(4);
  const InputTensors inputs{MakeInput(0, input_)};
  const OutputTensors outputs{MakeOutput(0, output)};
  const long before = CountAllocations();
  Status status = Status::kSuccess;
  for (int run = 0; run < 10 && status == Status::kSuccess; ++run) {
    status = runtime_->EnqueueWorkload(id, inputs, outputs, nullptr);
  }
  EXPECT_EQ(CountAllocations(), before);
  EXPECT_EQ(status, Status::kSuccess);
  EXPECT_EQ(output, (Floats{3, 4, 5, 6}));
  EXPECT_EQ(num_waited_for, 10U);
  close(event);
}

// Each thread runs once while all the others are in a run too, so that there is a working memory
// for each; what they do from then on is counted.
TEST_F(SteadyStateTest, AllocatesNothingOnSeveralThreads) {
  constexpr int kThreads = 4;
  const NetworkId id = Load(*MakeNetwork(), {"A"});
  std::atomic<int> num_inside{0};
  std::atomic<bool> is_warm{false};
  a_->on_execute = [&](const ExecuteArgs& /*args*/) {
    if (is_warm) return;
    ++num_inside;
    while (num_inside < kThreads) std::this_thread::yield();
  };
  std::atomic<int> num_warm{0};
  std::atomic<long> num_allocations{0};
  std::atomic<int> num_failures{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&] {
      Floats output(4);
      const InputTensors inputs{MakeInput(0, input_)};
      const OutputTensors outputs{MakeOutput(0, output)};
      const auto run = [&] {
        const Status status = runtime_->EnqueueWorkload(id, inputs, outputs, nullptr);
        if (status != Status::kSuccess) ++num_failures;
      };
      run();
      if (++num_warm == kThreads) is_warm = true;
      while (!is_warm) std::this_thread::yield();
      const long before = CountAllocations();
      for (int i = 0; i < 100; ++i) run();
      num_allocations += CountAllocations() - before;
      if (output != Floats{3, 4, 5, 6}) ++num_failures;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_allocations, 0);
  EXPECT_EQ(num_failures, 0);
}

}  // namespace
}  // namespace backplane
