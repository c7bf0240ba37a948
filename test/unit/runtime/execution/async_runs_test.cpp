/// Asynchronous runs: their queue, their threads and their handlers.

#include "execution/runs_fixture.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <list>
#include <mutex>
#include <random>
#include <stdexcept>

namespace backplane {
namespace {

std::size_t CountThreads() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

class AsyncRunsTest : public RunsFixture {
 protected:
  void UseSettings(std::uint32_t num_threads, std::uint32_t queue_capacity) {
    CreationOptions options;
    options.async_runs = {num_threads, queue_capacity};
    runtime_ = MakeRuntime({a_, b_}, options);
  }

  std::future<RunResult> Enqueue(NetworkId id, const AsyncRunOptions& options = {}) {
    return runtime_->EnqueueWorkloadAsync(id, {MakeInput(0, input_)}, {MakeOutput(0, output_)},
                                          options);
  }

  Status EnqueueWith(NetworkId id, RunHandler handler, const AsyncRunOptions& options = {},
                     std::optional<Diagnostic>* failure = nullptr) {
    return runtime_->EnqueueWorkloadAsync(id, {MakeInput(0, input_)}, {MakeOutput(0, output_)},
                                          std::move(handler), options, failure);
  }

  static RunResult Get(std::future<RunResult>& future) {
    if (future.wait_for(kGenerous) != std::future_status::ready) {
      ADD_FAILURE() << "nobody was told";
      return {Status::kFailure, std::nullopt};
    }
    return future.get();
  }

  static AsyncRunOptions WithPriority(std::int32_t priority) {
    AsyncRunOptions options;
    options.priority = priority;
    return options;
  }

  static AsyncRunOptions Bounded(const RunOptions& bounds) {
    AsyncRunOptions options;
    options.run = bounds;
    return options;
  }

  std::vector<float> output_ = std::vector<float>(4, -1.0F);  // one run at a time has results
};

TEST_F(AsyncRunsTest, GiveTheirResultToAFuture) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  auto future = Enqueue(id);
  const RunResult result = Get(future);
  EXPECT_EQ(result.status, Status::kSuccess);
  EXPECT_FALSE(result.failure);
  EXPECT_EQ(output_, chain_result_);
}

TEST_F(AsyncRunsTest, GiveTheirFailureToTheHandler) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  a_->execute = [](const ExecuteArgs&) { return Status::kBusy; };
  std::promise<RunResult> told;
  EXPECT_EQ(EnqueueWith(id, [&](RunResult result) { told.set_value(std::move(result)); }),
            Status::kSuccess);
  auto future = told.get_future();
  const RunResult result = Get(future);
  EXPECT_EQ(result.status, Status::kBusy);
  ExpectCode(result.failure, DiagnosticCode::kExecutionFailed);
}

TEST_F(AsyncRunsTest, StartNoThreadBeforeTheFirst) {
  std::thread([] {}).join();  // the thread sanitizer starts one of its own with the first
  const std::size_t before = CountThreads();
  UseSettings(2, 8);
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  EXPECT_EQ(Run(id, {}).status, Status::kSuccess);
  EXPECT_EQ(CountThreads(), before);
  auto future = Enqueue(id);
  EXPECT_EQ(Get(future).status, Status::kSuccess);
  EXPECT_EQ(CountThreads(), before + 1) << "one is enough for one run";
  auto second = Enqueue(id);
  EXPECT_EQ(Get(second).status, Status::kSuccess);
  runtime_.reset();
  // The system may count one for a moment after it was joined.
  EXPECT_TRUE(Await([&] { return CountThreads() == before; }));
}

TEST_F(AsyncRunsTest, RunOnAsManyThreadsAsTheSettingsSay) {
  UseSettings(3, 8);
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  Gate gate;
  HoldUp(gate);
  std::vector<std::future<RunResult>> futures;
  futures.reserve(5);
  std::vector<std::vector<float>> outputs(5, std::vector<float>(4));
  for (std::vector<float>& output : outputs) {
    futures.push_back(
        runtime_->EnqueueWorkloadAsync(id, {MakeInput(0, input_)}, {MakeOutput(0, output)}));
  }
  gate.AwaitArrivals(3);
  EXPECT_EQ(runtime_->GetRunsInProgress().size(), 3U);
  gate.Open();
  for (auto& future : futures) EXPECT_EQ(Get(future).status, Status::kSuccess);
}

TEST_F(AsyncRunsTest, BeginByPriorityAndThenInTheOrderOfTheirComing) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  Gate gate;
  HoldUp(gate);
  auto first = Enqueue(id);
  gate.AwaitArrivals(1);
  std::vector<std::string> order;
  std::vector<std::future<void>> ends;
  const std::pair<const char*, std::int32_t> runs[] = {
      {"low 1", -5},
      {"even 1", 0},
      {"high 1", std::numeric_limits<std::int32_t>::max()},
      {"lowest", std::numeric_limits<std::int32_t>::min()},
      {"low 2", -5},
      {"high 2", std::numeric_limits<std::int32_t>::max()},
      {"even 2", 0}};
  for (const auto& [name, priority] : runs) {
    auto end = std::make_shared<std::promise<void>>();
    ends.push_back(end->get_future());
    const auto note = [&order, run = std::string(name), end](const RunResult&) {
      order.push_back(run);
      end->set_value();
    };
    EXPECT_EQ(EnqueueWith(id, note, WithPriority(priority)), Status::kSuccess);
  }
  gate.Open();
  for (auto& end : ends) ASSERT_EQ(end.wait_for(kGenerous), std::future_status::ready);
  EXPECT_EQ(order, (std::vector<std::string>{"high 1", "high 2", "even 1", "even 2", "low 1",
                                             "low 2", "lowest"}));
  EXPECT_EQ(Get(first).status, Status::kSuccess);
}

TEST_F(AsyncRunsTest, AreRefusedAtOnceByAFullQueue) {
  UseSettings(1, 2);
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  Gate gate;
  HoldUp(gate);
  std::vector<std::future<RunResult>> futures;
  futures.reserve(5);
  for (int i = 0; i < 3; ++i) futures.push_back(Enqueue(id));
  std::optional<Diagnostic> failure;
  const auto never = [](const RunResult&) { ADD_FAILURE() << "it was refused"; };
  EXPECT_EQ(EnqueueWith(id, never, {}, &failure), Status::kBusy);
  ASSERT_TRUE(failure);
  ExpectDiagnostic(*failure, DiagnosticCode::kRunQueueFull, std::to_string(id), "found 3 runs",
                   "queue_capacity 2 and num_threads 1");
  AsyncRunOptions waiting;
  waiting.max_wait = milliseconds(20);
  EXPECT_EQ(EnqueueWith(id, never, waiting), Status::kBusy);
  auto refused = Enqueue(id);
  EXPECT_EQ(Get(refused).status, Status::kBusy) << "the future gets it as well";
  gate.Open();
  for (auto& future : futures) EXPECT_EQ(Get(future).status, Status::kSuccess);
  auto after = Enqueue(id);
  EXPECT_EQ(Get(after).status, Status::kSuccess) << "there is room when one was told";
}

TEST_F(AsyncRunsTest, WaitForRoomAsLongAsTheirOptionsSay) {
  UseSettings(1, 0);
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  Gate gate;
  HoldUp(gate);
  auto first = Enqueue(id);
  gate.AwaitArrivals(1);
  AsyncRunOptions waiting;
  waiting.max_wait = std::chrono::nanoseconds::max();
  auto second = std::async(std::launch::async, [this, id, waiting] {
    auto future = Enqueue(id, waiting);
    return Get(future).status;
  });
  waiting.run = Within(milliseconds(20));
  std::optional<Diagnostic> failure;
  const auto never = [](const RunResult&) { ADD_FAILURE() << "it was refused"; };
  EXPECT_EQ(EnqueueWith(id, never, waiting, &failure), Status::kTimeout);
  ExpectCode(failure, DiagnosticCode::kRunTimedOut);
  gate.Open();
  EXPECT_EQ(Get(first).status, Status::kSuccess);
  EXPECT_EQ(second.get(), Status::kSuccess);
}

TEST_F(AsyncRunsTest, WhoseDeadlinePassesInTheQueueNeverBegin) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  Gate gate;
  std::atomic<int> num_executed{0};
  a_->execute = [&](const ExecuteArgs&) {
    ++num_executed;
    gate.Pass();
    return Status::kSuccess;
  };
  auto first = Enqueue(id);
  gate.AwaitArrivals(1);
  auto late = Enqueue(id, Bounded(Within(milliseconds(20))));
  const RunResult result = Get(late);
  EXPECT_EQ(result.status, Status::kTimeout) << "also while every thread is taken";
  ASSERT_TRUE(result.failure);
  ExpectDiagnostic(*result.failure, DiagnosticCode::kRunTimedOut, std::to_string(id),
                   "found its deadline passed while it was queued", "expected a thread");
  gate.Open();
  EXPECT_EQ(Get(first).status, Status::kSuccess);
  runtime_.reset();
  EXPECT_EQ(num_executed, 1);
}

TEST_F(AsyncRunsTest, CanBeCancelledInTheQueue) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  Gate gate;
  HoldUp(gate);
  auto first = Enqueue(id);
  gate.AwaitArrivals(1);
  const CancellationSource source;
  auto cancelled = Enqueue(id, Bounded(With(source)));
  source.Cancel();
  const RunResult result = Get(cancelled);
  EXPECT_EQ(result.status, Status::kCancelled);
  ExpectCode(result.failure, DiagnosticCode::kRunCancelled);
  gate.Open();
  EXPECT_EQ(Get(first).status, Status::kSuccess);
}

TEST_F(AsyncRunsTest, AreCancelledWhileTheyGoOn) {
  const NetworkId id = Load(*MakeChain({"one", "two"}), {"A"});
  const CancellationSource source;
  a_->on_execute = [&](const ExecuteArgs&) { source.Cancel(); };
  auto future = Enqueue(id, Bounded(With(source)));
  EXPECT_EQ(Get(future).status, Status::kCancelled);
}

TEST_F(AsyncRunsTest, OfANetworkThatIsUnloadedAreCancelled) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  const NetworkId other = Load(*MakeChain({"two"}), {"A"});
  Gate gate;
  HoldUp(gate);
  auto first = Enqueue(id);
  gate.AwaitArrivals(1);
  auto second = Enqueue(id);
  auto third = Enqueue(other);
  std::optional<Diagnostic> failure;
  EXPECT_EQ(runtime_->UnloadNetwork(id, Soon(), &failure), Status::kTimeout);
  ExpectCode(failure, DiagnosticCode::kNetworkInUse);
  const RunResult result = Get(second);
  EXPECT_EQ(result.status, Status::kCancelled);
  ASSERT_TRUE(result.failure);
  ExpectContains(result.failure->why, "found its network unloaded");
  gate.Open();
  EXPECT_EQ(Get(first).status, Status::kSuccess);
  EXPECT_EQ(Get(third).status, Status::kSuccess);
}

TEST_F(AsyncRunsTest, ThatAreQueuedWhenTheRuntimeGoesAreCancelled) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  Gate gate;
  HoldUp(gate);
  auto first = Enqueue(id);
  gate.AwaitArrivals(1);
  std::atomic<int> num_told{0};
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(EnqueueWith(id,
                          [&](const RunResult& result) {
                            EXPECT_EQ(result.status, Status::kCancelled);
                            ExpectCode(result.failure, DiagnosticCode::kRunCancelled);
                            if (++num_told == 5) gate.Open();
                          }),
              Status::kSuccess);
  }
  runtime_.reset();
  EXPECT_EQ(num_told, 5);
  EXPECT_EQ(Get(first).status, Status::kSuccess) << "a run that goes on is waited for";
}

TEST_F(AsyncRunsTest, WhoseHandlersThrowAreLoggedAndOthersGoOn) {
  const LogFile log;
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  EXPECT_EQ(EnqueueWith(id, [](const RunResult&) { throw std::runtime_error("handler broke"); }),
            Status::kSuccess);
  EXPECT_EQ(EnqueueWith(id, [](const RunResult&) { throw 7; }), Status::kSuccess);
  auto next = Enqueue(id);
  EXPECT_EQ(Get(next).status, Status::kSuccess);
  EXPECT_TRUE(log.Has(GetDiagnosticId(DiagnosticCode::kRunHandlerThrew))) << log.Read();
  EXPECT_TRUE(log.Has("handler broke"));
  EXPECT_TRUE(log.Has("something that is no std::exception"));
}

TEST_F(AsyncRunsTest, MayBeQueuedByHandlersThatAlsoUnload) {
  UseSettings(1, 0);
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  std::promise<Status> last;
  const auto unload = [&](const RunResult& result) {
    runtime_->UnloadNetwork(id);
    last.set_value(result.status);
  };
  EXPECT_EQ(
      EnqueueWith(id,
                  [&](const RunResult&) { EXPECT_EQ(EnqueueWith(id, unload), Status::kSuccess); }),
      Status::kSuccess);
  auto future = last.get_future();
  ASSERT_EQ(future.wait_for(kGenerous), std::future_status::ready);
  EXPECT_EQ(future.get(), Status::kSuccess);
  EXPECT_EQ(Run(id, {}).status, Status::kNotFound);
}

TEST_F(AsyncRunsTest, NeedANetworkAndAHandler) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  std::optional<Diagnostic> failure;
  EXPECT_EQ(EnqueueWith(id, nullptr, {}, &failure), Status::kInvalidArgument);
  ASSERT_TRUE(failure);
  ExpectDiagnostic(*failure, DiagnosticCode::kNoRunHandler, std::to_string(id),
                   "found an empty handler", "expected one");
  EXPECT_EQ(EnqueueWith(
                99, [](const RunResult&) {}, {}, &failure),
            Status::kNotFound);
  ExpectCode(failure, DiagnosticCode::kUnknownNetwork);
}

TEST_F(AsyncRunsTest, ThatHangWhenTheRuntimeIsShutDownAreToldOnce) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  auto gate = std::make_shared<Gate>();
  a_->execute = [gate](const ExecuteArgs&) {
    gate->Pass();
    return Status::kSuccess;
  };
  std::atomic<int> num_told{0};
  std::optional<RunResult> told;
  // Kept until the process ends, as kRunLeft asks for.
  static std::list<std::vector<float>>& kept = *new std::list<std::vector<float>>;
  std::vector<float>& input = kept.emplace_back(4);
  std::vector<float>& output = kept.emplace_back(4);
  EXPECT_EQ(runtime_->EnqueueWorkloadAsync(id, {MakeInput(0, input)}, {MakeOutput(0, output)},
                                           [&](RunResult result) {
                                             ++num_told;
                                             told = std::move(result);
                                           }),
            Status::kSuccess);
  gate->AwaitArrivals(1);
  std::optional<Diagnostic> failure;
  EXPECT_EQ(runtime_->Shutdown(Soon(), &failure), Status::kTimeout);
  ExpectCode(failure, DiagnosticCode::kRuntimeInUse);
  ASSERT_EQ(num_told, 1);
  EXPECT_EQ(told->status, Status::kTimeout);
  ExpectCode(told->failure, DiagnosticCode::kRunLeft);
  const std::size_t before = CountThreads();
  runtime_.reset();
  gate->Open();
  EXPECT_TRUE(Await([&] { return CountThreads() < before; })) << "its thread ends by itself";
  EXPECT_EQ(num_told, 1);
}

TEST_F(AsyncRunsTest, HandlersThatHangAreNamedToo) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  Gate gate;
  auto told = std::make_shared<std::promise<void>>();
  auto ended = told->get_future();
  EXPECT_EQ(EnqueueWith(id,
                        [&gate, told](const RunResult&) {
                          gate.Pass();
                          told->set_value();
                        }),
            Status::kSuccess);
  gate.AwaitArrivals(1);
  std::optional<Diagnostic> failure;
  EXPECT_EQ(runtime_->Shutdown(Soon(), &failure), Status::kTimeout);
  ASSERT_TRUE(failure);
  ExpectDiagnostic(*failure, DiagnosticCode::kRuntimeInUse, "", "found 0 runs and 1 handlers",
                   "expected none");
  EXPECT_EQ(a_->CountEvents("after unload 1"), 1) << "the network itself is free";
  runtime_.reset();
  gate.Open();
  EXPECT_EQ(ended.wait_for(kGenerous), std::future_status::ready);
}

// Threads with a stack that no machine has.
TEST_F(AsyncRunsTest, AreRefusedWhenThereIsNoThread) {
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  pthread_attr_t usual;
  pthread_attr_t huge;
  ASSERT_EQ(pthread_getattr_default_np(&usual), 0);
  ASSERT_EQ(pthread_getattr_default_np(&huge), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&huge, std::size_t{1} << 46), 0);
  ASSERT_EQ(pthread_setattr_default_np(&huge), 0);
  std::optional<Diagnostic> failure;
  const Status status = EnqueueWith(
      id, [](const RunResult&) { ADD_FAILURE() << "it was refused"; }, {}, &failure);
  const Outcome bounded = Run(id, Within(kGenerous));
  ASSERT_EQ(pthread_setattr_default_np(&usual), 0);
  EXPECT_EQ(status, Status::kUnavailable);
  ASSERT_TRUE(failure);
  ExpectDiagnostic(*failure, DiagnosticCode::kRunThreadNotStarted, std::to_string(id),
                   "found that the system starts no thread", "expected one");
  EXPECT_EQ(bounded.status, Status::kSuccess) << "nobody watches it, but it runs";
  auto future = Enqueue(id);
  EXPECT_EQ(Get(future).status, Status::kSuccess) << "the next has more luck";
}

// Threads enqueue, cancel and unload as they like: every handler is called once.
TEST_F(AsyncRunsTest, TellEachHandlerOnceWhateverHappens) {
  for (std::uint32_t round = 0; round < 10; ++round) {
    UseSettings(2, 4);
    const NetworkId stays = Load(*MakeChain({"one", "two"}), {"A"});
    const NetworkId goes = Load(*MakeChain({"one", "two"}), {"B"});
    std::atomic<int> num_accepted{0};
    std::atomic<int> num_told{0};
    const CancellationSource source;
    std::vector<std::thread> threads;
    for (std::uint32_t thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&, thread] {
        std::mt19937 random(round * 10 + thread);
        for (int i = 0; i < 60; ++i) {
          AsyncRunOptions options;
          options.priority = static_cast<std::int32_t>(random() % 3);
          if (random() % 3 == 0) options.run.cancellation = source.GetToken();
          if (random() % 3 == 0) options.run.timeout = std::chrono::microseconds(random() % 200);
          if (random() % 2 == 0) options.max_wait = std::chrono::microseconds(random() % 500);
          const auto output = std::make_shared<std::vector<float>>(4);
          const Status status = runtime_->EnqueueWorkloadAsync(
              random() % 2 == 0 ? stays : goes, {MakeInput(0, input_)}, {MakeOutput(0, *output)},
              [&num_told, output](const RunResult&) { ++num_told; }, options);
          if (status == Status::kSuccess) ++num_accepted;
        }
      });
    }
    std::this_thread::sleep_for(std::chrono::microseconds(500 * round));
    runtime_->UnloadNetwork(goes);
    source.Cancel();
    for (std::thread& thread : threads) thread.join();
    runtime_.reset();
    EXPECT_EQ(num_told, num_accepted);
    EXPECT_GT(num_accepted, 0);
  }
}

}  // namespace
}  // namespace backplane
