// Several at once.

#include "harness/descriptor_text.hpp"
#include "harness/host_tensors.hpp"
#include "harness/run_code.hpp"
#include "harness/samples.hpp"
#include "harness/session.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace backplane::check_backend {
namespace {

constexpr std::size_t kNumThreads = 4;

/// Lets threads begin together, again and again.
class StartLine {
 public:
  explicit StartLine(std::size_t num_threads) : num_threads_(num_threads) {}

  /// `round` counts from 1.
  void Wait(std::size_t round) {
    num_waiting_.fetch_add(1);
    while (num_waiting_.load() < round * num_threads_) std::this_thread::yield();
  }

 private:
  const std::size_t num_threads_;
  std::atomic<std::size_t> num_waiting_{0};
};

/// Calls `work(thread)` in several threads. What one of them throws is thrown here.
void RunThreads(const std::function<void(std::size_t thread)>& work) {
  std::vector<std::exception_ptr> failures(kNumThreads);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kNumThreads; ++i) {
    threads.emplace_back([&, i] {
      try {
        work(i);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

using Results = std::vector<std::vector<unsigned char>>;

Results GetBytes(const std::vector<conformance::StoredTensor>& tensors) {
  Results results;
  for (const auto& tensor : tensors) results.push_back(tensor.bytes);
  return results;
}

/// One of several that run the same layer on inputs of their own.
struct Runner {
  Runner(const Sample& base, std::uint32_t seed)
      : sample(ChangeInputs(base, seed)), tensors(sample, GuardedSide::kBehind, 0x5A) {}

  Sample sample;
  HostTensors tensors;
  std::unique_ptr<IExecutionState> state;
  Results alone;      // of a run while no other goes on
  std::string wrong;  // the first result that was not this
};

std::vector<std::unique_ptr<Runner>> MakeRunners(const Running& running, const Sample& sample) {
  std::vector<std::unique_ptr<Runner>> runners;
  for (std::size_t i = 0; i < kNumThreads; ++i) {
    auto runner = std::make_unique<Runner>(sample, static_cast<std::uint32_t>(i) + 1);
    runner->state = running.factory->CreateExecutionState();
    runners.push_back(std::move(runner));
  }
  return runners;
}

Status RunWith(const IWorkload& workload, const Runner& runner) {
  return conformance::Execute(workload, GetHandles(runner.tensors.inputs),
                              GetHandles(runner.tensors.outputs), runner.state.get());
}

/// Runs alone, and keeps what came of it. False when that is wrong, which BC0301 says.
bool RunAlone(const IWorkload& workload, Runner& runner) {
  if (RunWith(workload, runner) != Status::kSuccess) return false;
  runner.alone = GetBytes(runner.tensors.ReadOutputs());
  return FindWrongResult(runner.sample, runner.tensors.ReadOutputs()).empty();
}

enum class Comparison { kMeaning, kBits };

std::string Compare(const Runner& runner, Comparison comparison) {
  const auto outputs = runner.tensors.ReadOutputs();
  if (comparison == Comparison::kMeaning) return FindWrongResult(runner.sample, outputs);
  return GetBytes(outputs) == runner.alone ? "" : "other bits than in a run alone";
}

/// Never throws: the others would wait for this thread.
std::string RunAndCompare(const IWorkload& workload, const Runner& runner, Comparison comparison) {
  try {
    const Status status = RunWith(workload, runner);
    return status == Status::kSuccess ? Compare(runner, comparison)
                                      : "Execute returned " + DescribeStatus(status);
  } catch (const std::exception& exception) {
    return std::string("Execute threw: ") + exception.what();
  }
}

/// Runs `workloads[i % n]` in thread i, all at the same time, often.
void RunTogether(const std::vector<const IWorkload*>& workloads,
                 std::vector<std::unique_ptr<Runner>>& runners, std::size_t num_rounds,
                 Comparison comparison) {
  StartLine start(kNumThreads);
  RunThreads([&](std::size_t thread) {
    Runner& runner = *runners[thread];
    const IWorkload& workload = *workloads[thread % workloads.size()];
    for (std::size_t round = 1; round <= num_rounds; ++round) {
      for (const auto& output : runner.tensors.outputs) output->Fill(0x5A);
      start.Wait(round);
      for (int i = 0; i < 8 && runner.wrong.empty(); ++i) {
        runner.wrong = RunAndCompare(workload, runner, comparison);
      }
    }
  });
}

std::size_t CountRounds(const Session& session) {
  return session.IsQuick() ? 30 : 100;
}

/// Reports what any of them found.
void ReportWrong(Session& session, const std::vector<std::unique_ptr<Runner>>& runners,
                 const char* expected) {
  for (const auto& runner : runners) {
    if (runner->wrong.empty()) continue;
    session.Report("in one thread of " + std::to_string(kNumThreads) + ": " + runner->wrong,
                   expected);
    return;
  }
}

bool RunAllAlone(const IWorkload& workload, const std::vector<std::unique_ptr<Runner>>& runners) {
  bool is_right = true;
  for (const auto& runner : runners) is_right = RunAlone(workload, *runner) && is_right;
  return is_right;
}

}  // namespace

void CheckOneWorkloadInManyThreads(Session& session) {
  for (const Sample& sample : MakeSamples(session, 1)) {
    if (!session.Begin("runs one workload, " + DescribeLayer(sample.made) + ", in " +
                       std::to_string(kNumThreads) +
                       " threads at once, each with tensors and a state of its own")) {
      continue;
    }
    SetRunCode(session, sample,
               "  // In several threads at once, with other handles and states:\n  run();\n");
    const Running running = MakeRunning(session.GetPlugin(), sample.made);
    auto runners = MakeRunners(running, sample);
    if (!RunAllAlone(*running.workload, runners)) continue;
    RunTogether({running.workload.get()}, runners, CountRounds(session) / 3, Comparison::kMeaning);
    ReportWrong(session, runners, "the same as in a run alone: workloads are immutable");
  }
}

void CheckWorkloadsAreApart(Session& session) {
  for (const Sample& sample : MakeFewSamples(session, 12)) {
    if (!session.Begin("runs several workloads, " + DescribeLayer(sample.made) +
                       ", each of a factory of its own, in threads at once")) {
      continue;
    }
    std::vector<Running> all;
    std::vector<const IWorkload*> workloads;
    std::vector<std::unique_ptr<Runner>> runners;
    bool is_right = true;
    for (std::size_t i = 0; i < kNumThreads; ++i) {
      all.push_back(MakeRunning(session.GetPlugin(), sample.made));
      workloads.push_back(all.back().workload.get());
      runners.push_back(std::make_unique<Runner>(sample, static_cast<std::uint32_t>(i) + 1));
      runners.back()->state = all.back().factory->CreateExecutionState();
      is_right = RunAlone(*workloads.back(), *runners.back()) && is_right;
    }
    if (!is_right) continue;
    RunTogether(workloads, runners, CountRounds(session), Comparison::kMeaning);
    ReportWrong(session, runners, "the same as in a run alone: networks do not meet");
    runners.clear();
  }
}

void CheckAnswersInManyThreads(Session& session) {
  const auto support = session.GetPlugin().GetSupport();
  const std::vector<Sample> samples = MakeSamplesAnywhere(session, 1);
  if (samples.empty()) return;
  if (!session.Begin("asks for every operator in several threads at once")) return;
  std::atomic<int> num_wrong{0};
  RunThreads([&](std::size_t) {
    for (std::size_t round = 0; round < CountRounds(session); ++round) {
      for (const Sample& sample : samples) {
        if (!AskWhetherSupported(*support, sample.made).is_supported) num_wrong.fetch_add(1);
      }
    }
  });
  session.Expect(num_wrong.load() == 0,
                 std::to_string(num_wrong.load()) + " times no for what is supported otherwise",
                 "the same answers as in one thread");
}

void CheckBitsAreTheSame(Session& session) {
  for (const Sample& sample : MakeSamples(session, 1)) {
    if (!session.Begin("runs " + DescribeLayer(sample.made) +
                       " again, alone and beside others, and compares the bits")) {
      continue;
    }
    SetRunCode(session, sample, "  run();\n  show();\n  run();\n  show();\n");
    const Running running = MakeRunning(session.GetPlugin(), sample.made);
    auto runners = MakeRunners(running, sample);
    if (!RunAllAlone(*running.workload, runners)) continue;
    for (int i = 0; i < 4 && runners[0]->wrong.empty(); ++i) {
      static_cast<void>(RunWith(*running.workload, *runners[0]));
      if (GetBytes(runners[0]->tensors.ReadOutputs()) != runners[0]->alone) {
        runners[0]->wrong = "other bits in run " + std::to_string(i + 2) + " than in run 1";
      }
    }
    RunTogether({running.workload.get()}, runners, CountRounds(session) / 10, Comparison::kBits);
    ReportWrong(session, runners, "the same bits from the same inputs");
  }
}

}  // namespace backplane::check_backend
