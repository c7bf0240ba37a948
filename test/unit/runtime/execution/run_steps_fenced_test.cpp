#include "execution/run_steps_fenced.hpp"

#include <backplane/api/c_values.hpp>
#include <backplane/host/workload_call.hpp>

#include <gtest/gtest.h>

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace backplane {
namespace {

constexpr StepCompletion kRunStepsFencedByFence = StepCompletion::kByFence;
constexpr StepCompletion kRunStepsFencedAtReturn = StepCompletion::kAtReturn;

using Deed = std::function<Status(const ExecuteArgs&)>;

/// Does what a test says.
class ScriptedWorkload final : public IWorkload {
 public:
  explicit ScriptedWorkload(Deed deed) : deed_(std::move(deed)) {}
  Status Execute(const ExecuteArgs& args) const override { return deed_(args); }

 private:
  const Deed deed_;
};

class ScriptedFactory final : public IWorkloadFactory {
 public:
  explicit ScriptedFactory(const std::function<Status(const FenceView&)>& wait) : wait_(wait) {}
  std::unique_ptr<IWorkload> CreateWorkload(const WorkloadArgs&) override { return nullptr; }
  Status WaitForFence(const FenceView& fence, std::uint64_t) override { return wait_(fence); }

 private:
  const std::function<Status(const FenceView&)>& wait_;
};

std::shared_ptr<PluginOrigin> MakeOrigin() {
  auto origin = std::make_shared<PluginOrigin>();
  origin->backend_id = "Scripted";
  origin->declared_version = kBackendApiVersion;
  return origin;
}

FenceView MakeOpaque(std::uint64_t token) {
  return {FenceKind::kOpaque, -1, token, 0, {}};
}

/// Steps of two backends, each after those that a test names.
class RunStepsFencedTest : public testing::Test {
 protected:
  RunStepsFencedTest() {
    for (int backend = 0; backend < 2; ++backend) {
      std::unique_ptr<IWorkloadFactory> factory = std::make_unique<ScriptedFactory>(wait_);
      factories_.emplace_back(std::move(factory), MakeOrigin());
    }
  }
  ~RunStepsFencedTest() override {
    for (const int event : events_) close(event);
  }

  int MakeEvent(int count) {
    events_.push_back(eventfd(static_cast<unsigned>(count), EFD_CLOEXEC));
    return events_.back();
  }

  void AddStep(std::uint32_t backend, StepCompletion completion,
               const std::vector<std::uint32_t>& dependencies, Deed deed) {
    PlannedStep step;
    step.backend = backend;
    steps_.push_back(step);
    plan_.completions.push_back(completion);
    plan_.first.push_back(static_cast<std::uint32_t>(plan_.dependencies.size()));
    plan_.dependencies.insert(plan_.dependencies.end(), dependencies.begin(), dependencies.end());
    plan_.max_dependencies =
        std::max(plan_.max_dependencies, static_cast<std::uint32_t>(dependencies.size()));
    std::unique_ptr<IWorkload> workload = std::make_unique<ScriptedWorkload>(std::move(deed));
    workloads_.emplace_back(PluginObject<IWorkload>(std::move(workload), MakeOrigin()));
  }

  /// A step that gives this fence, and is remembered as "run".
  void AddGiver(std::uint32_t backend, const std::vector<std::uint32_t>& dependencies,
                const FenceView& fence, Status status = Status::kSuccess) {
    AddStep(backend, kRunStepsFencedByFence, dependencies,
            [this, fence, status](const ExecuteArgs& args) {
              Remember(args);
              *args.GetCompletion() = fence;
              return status;
            });
  }

  void AddPlain(const std::vector<std::uint32_t>& dependencies) {
    AddStep(1, kRunStepsFencedAtReturn, dependencies, [this](const ExecuteArgs& args) {
      Remember(args);
      return Status::kSuccess;
    });
  }

  void Remember(const ExecuteArgs& args) {
    std::string event = "run";
    for (std::uint32_t i = 0; i < args.GetNumWaitFences(); ++i) {
      const FenceView& fence = args.GetWaitFences()[i];
      event += fence.kind == FenceKind::kOpaque ? " after " + std::to_string(fence.token)
                                                : " after an event";
    }
    happened_.push_back(event);
  }

  RunOutcome Run(profiling::RunTimes* times = nullptr) {
    plan_.first.resize(steps_.size());
    plan_.first.push_back(static_cast<std::uint32_t>(plan_.dependencies.size()));
    PendingFences& fences = fences_;
    fences = PendingFences(plan_);
    std::vector<bp_run_args> arguments(steps_.size(), c_form::Make<bp_run_args>());
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (plan_.completions[i] != kRunStepsFencedByFence) continue;
      arguments[i].completion = reinterpret_cast<bp_fence*>(&fences.completions[i]);
      arguments[i].waits = reinterpret_cast<const bp_fence*>(fences.handed_over.data());
    }
    return RunStepsFenced({0, steps_.size()}, {steps_, plan_, workloads_, factories_}, arguments,
                          fences, progress_, limit_ ? &*limit_ : nullptr, times);
  }

  void SetTimeout(std::chrono::nanoseconds timeout) {
    RunOptions options;
    options.timeout = timeout;
    options.cancellation = source_.GetToken();
    limit_.emplace(options, std::chrono::steady_clock::now());
  }

  std::vector<std::string> happened_;
  std::function<Status(const FenceView&)> wait_ = [this](const FenceView& fence) {
    happened_.push_back("wait for " + std::to_string(fence.token));
    return Status::kSuccess;
  };
  std::vector<PluginObject<IWorkloadFactory>> factories_;
  std::vector<PlannedStep> steps_;
  FencePlan plan_;
  std::vector<WorkloadCall> workloads_;
  std::vector<int> events_;
  PendingFences fences_;
  RunProgress progress_;
  CancellationSource source_;
  std::optional<RunLimit> limit_;
};

using Events = std::vector<std::string>;

TEST_F(RunStepsFencedTest, OpaqueFencesGoToTheirOwnBackendOnly) {
  AddGiver(0, {}, MakeOpaque(7));
  AddGiver(0, {0}, MakeOpaque(8));
  AddGiver(1, {1}, MakeOpaque(9));
  EXPECT_EQ(Run().status, Status::kSuccess);
  EXPECT_EQ(happened_, (Events{"run", "run after 7", "wait for 8", "run", "wait for 9"}))
      << "7 has passed when 8 has";
}

TEST_F(RunStepsFencedTest, EventsAndFilesGoToEveryBackendThatWaits) {
  AddGiver(0, {}, {FenceKind::kEventFd, MakeEvent(1), 0, 0, {}});
  AddGiver(0, {}, {FenceKind::kSyncFile, MakeEvent(1), 0, 0, {}});
  AddGiver(1, {0, 1}, {});
  EXPECT_EQ(Run().status, Status::kSuccess);
  EXPECT_EQ(happened_, (Events{"run", "run", "run after an event after an event"}));
}

TEST_F(RunStepsFencedTest, TheHostWaitsForBackendsThatDoNot) {
  const int event = MakeEvent(0);
  int value = 0;
  std::thread worker;
  AddStep(0, kRunStepsFencedByFence, {}, [&](const ExecuteArgs& args) {
    *args.GetCompletion() = {FenceKind::kEventFd, event, 0, 0, {}};
    worker = std::thread([&value, event] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      value = 5;
      const std::uint64_t one = 1;
      EXPECT_EQ(write(event, &one, sizeof(one)), 8);
    });
    return Status::kSuccess;
  });
  int seen = 0;
  AddStep(1, kRunStepsFencedAtReturn, {0}, [&](const ExecuteArgs& args) {
    EXPECT_EQ(args.GetNumWaitFences(), 0U);
    seen = value;
    return Status::kSuccess;
  });
  EXPECT_EQ(Run().status, Status::kSuccess);
  worker.join();
  EXPECT_EQ(seen, 5);
}

TEST_F(RunStepsFencedTest, FencesThatHavePassedAreNotMentionedAgain) {
  AddGiver(0, {}, MakeOpaque(1));
  AddPlain({0});
  AddGiver(0, {0}, {});
  AddGiver(0, {}, MakeOpaque(2));
  AddGiver(0, {3}, {});
  AddGiver(0, {3}, {});
  EXPECT_EQ(Run().status, Status::kSuccess);
  EXPECT_EQ(happened_, (Events{"run", "wait for 1", "run", "run", "run", "run after 2", "run"}))
      << "a step that waited for 2 has finished";
}

TEST_F(RunStepsFencedTest, WaitingGoesOnAfterATimeout) {
  int num_waits = 0;
  wait_ = [&num_waits](const FenceView&) {
    return ++num_waits < 3 ? Status::kTimeout : Status::kSuccess;
  };
  AddGiver(0, {}, MakeOpaque(1));
  EXPECT_EQ(Run().status, Status::kSuccess);
  EXPECT_EQ(num_waits, 3);
}

TEST_F(RunStepsFencedTest, AllIsWaitedForWhenAStepFails) {
  AddGiver(0, {}, MakeOpaque(1));
  AddGiver(0, {0}, MakeOpaque(2));
  AddGiver(1, {}, MakeOpaque(3), Status::kUnavailable);
  AddGiver(0, {}, MakeOpaque(4));
  const RunOutcome outcome = Run();
  EXPECT_EQ(outcome.status, Status::kUnavailable);
  EXPECT_EQ(outcome.failed_step, 2U);
  EXPECT_EQ(happened_, (Events{"run", "run after 1", "run", "wait for 2", "wait for 3"}));
}

TEST_F(RunStepsFencedTest, AWrongFenceFailsTheRunAfterTheOthers) {
  const FenceView wrong[] = {{static_cast<FenceKind>(77), 0, 0, 0, {}},
                             {FenceKind::kSyncFile, -1, 0, 0, {}},
                             {FenceKind::kEventFd, -2, 0, 0, {}}};
  const FenceFault::Kind faults[] = {FenceFault::Kind::kUnknownKind,
                                     FenceFault::Kind::kNoDescriptor,
                                     FenceFault::Kind::kNoDescriptor};
  for (int i = 0; i < 3; ++i) {
    steps_.clear();
    plan_ = {};
    workloads_.clear();
    happened_.clear();
    AddGiver(0, {}, MakeOpaque(1));
    AddGiver(1, {0}, wrong[i]);
    AddPlain({1});
    const RunOutcome outcome = Run();
    EXPECT_EQ(outcome.status, Status::kFailure);
    EXPECT_EQ(outcome.failed_step, 1U);
    EXPECT_EQ(outcome.fence_fault.kind, faults[i]);
    EXPECT_EQ(happened_, (Events{"run", "wait for 1", "run"}));
  }
}

TEST_F(RunStepsFencedTest, WhatAWrongFenceFollowsIsWaitedFor) {
  AddGiver(0, {}, MakeOpaque(1));
  AddGiver(0, {0}, MakeOpaque(2));
  wait_ = [this](const FenceView& fence) {
    happened_.push_back("wait for " + std::to_string(fence.token));
    return fence.token == 2 ? Status::kInvalidArgument : Status::kSuccess;
  };
  const RunOutcome outcome = Run();
  EXPECT_EQ(outcome.status, Status::kFailure);
  EXPECT_EQ(outcome.failed_step, 1U);
  EXPECT_EQ(outcome.fence_fault.kind, FenceFault::Kind::kNotWaitedFor);
  EXPECT_EQ(outcome.fence_fault.answer, Status::kInvalidArgument);
  EXPECT_EQ(happened_, (Events{"run", "run after 1", "wait for 2", "wait for 1"}));
}

TEST_F(RunStepsFencedTest, AClosedDescriptorAndAThrowingWaitFailTheRun) {
  const int closed = eventfd(0, EFD_CLOEXEC);
  close(closed);
  AddGiver(0, {}, {FenceKind::kEventFd, closed, 0, 0, {}});
  const RunOutcome outcome = Run();
  EXPECT_EQ(outcome.fence_fault.kind, FenceFault::Kind::kNotPolled);
  const std::string fault = DescribeFault(outcome.fence_fault, "layer \"one\"");
  EXPECT_NE(fault.find("file descriptor " + std::to_string(closed)), std::string::npos) << fault;
  EXPECT_NE(fault.find("layer \"one\""), std::string::npos) << fault;

  wait_ = [](const FenceView&) -> Status { throw std::runtime_error("boom"); };
  AddGiver(0, {}, MakeOpaque(1));
  steps_.erase(steps_.begin());
  workloads_.erase(workloads_.begin());
  plan_.completions.pop_back();
  plan_.first = {0};
  const RunOutcome thrown = Run();
  ASSERT_NE(thrown.thrown, nullptr);
  EXPECT_NE(thrown.thrown->why.find("boom"), std::string::npos);
}

TEST_F(RunStepsFencedTest, WhoGaveAnEventWithATokenIsAskedOnceHowTheWorkEnded) {
  AddGiver(0, {}, {FenceKind::kEventFd, MakeEvent(1), 5, 0, {}});
  AddGiver(1, {0}, {FenceKind::kSyncFile, MakeEvent(1), 6, 0, {}});
  AddPlain({1});
  AddGiver(0, {}, {FenceKind::kEventFd, MakeEvent(1), 7, 0, {}});
  AddGiver(1, {3}, {});
  AddGiver(0, {}, {FenceKind::kEventFd, MakeEvent(1), 0, 0, {}});
  EXPECT_EQ(Run().status, Status::kSuccess);
  EXPECT_EQ(happened_, (Events{"run", "run after an event", "wait for 6", "run", "run",
                               "run after an event", "run", "wait for 5", "wait for 7"}));
}

TEST_F(RunStepsFencedTest, AllOfAChainOfEventsAreAsked) {
  AddGiver(0, {}, {FenceKind::kEventFd, MakeEvent(1), 5, 0, {}});
  AddGiver(1, {0}, {FenceKind::kEventFd, MakeEvent(1), 6, 0, {}});
  AddGiver(0, {1}, {FenceKind::kEventFd, MakeEvent(1), 7, 0, {}});
  AddGiver(1, {2}, MakeOpaque(8));
  EXPECT_EQ(Run().status, Status::kSuccess);
  EXPECT_EQ(happened_,
            (Events{"run", "run after an event", "run after an event", "run after an event",
                    "wait for 8", "wait for 5", "wait for 6", "wait for 7"}));
}

TEST_F(RunStepsFencedTest, WorkThatFailedBehindAnEventFailsTheRun) {
  wait_ = [](const FenceView& fence) -> Status {
    if (fence.token == 5) throw std::runtime_error("boom");
    return Status::kSuccess;
  };
  AddGiver(0, {}, {FenceKind::kEventFd, MakeEvent(1), 5, 0, {}});
  AddGiver(1, {0}, {FenceKind::kEventFd, MakeEvent(1), 6, 0, {}});
  const RunOutcome outcome = Run();
  EXPECT_EQ(outcome.status, Status::kFailure);
  EXPECT_EQ(outcome.failed_step, 0U);
  ASSERT_NE(outcome.thrown, nullptr);
  EXPECT_NE(outcome.thrown->why.find("boom"), std::string::npos);
}

TEST_F(RunStepsFencedTest, TheCauseIsToldAlsoWhenWhatCameAfterItFailedEarlier) {
  wait_ = [](const FenceView& fence) {
    return fence.token == 9 ? Status::kSuccess : Status::kUnavailable;
  };
  AddGiver(0, {}, MakeOpaque(9));
  AddGiver(0, {}, {FenceKind::kEventFd, MakeEvent(1), 5, 0, {}});
  AddGiver(1, {1}, MakeOpaque(6));
  AddPlain({2});
  const RunOutcome outcome = Run();
  EXPECT_EQ(outcome.failed_step, 1U);
  EXPECT_EQ(outcome.fence_fault.kind, FenceFault::Kind::kNotWaitedFor);
  const std::string fault = DescribeFault(outcome.fence_fault, "layer \"one\"");
  EXPECT_NE(fault.find("kEventFd with the file descriptor"), std::string::npos) << fault;
}

TEST_F(RunStepsFencedTest, StepsAreMeasured) {
  AddGiver(0, {}, MakeOpaque(1));
  AddPlain({0});
  profiling::RunTimes times(2);
  EXPECT_EQ(Run(&times).status, Status::kSuccess);
  EXPECT_GT(times.steps[0], 0U);
  EXPECT_LE(times.steps[0], times.steps[1]);
  EXPECT_LE(times.steps[1], times.steps[2]);
}

TEST_F(RunStepsFencedTest, WaitsOfTheHostAreMeasuredAndNoOthers) {
  AddGiver(0, {}, MakeOpaque(1));
  AddGiver(0, {0}, MakeOpaque(2));
  AddPlain({1});
  AddGiver(0, {}, MakeOpaque(3));
  profiling::RunTimes times(4);
  EXPECT_EQ(Run(&times).status, Status::kSuccess);
  EXPECT_EQ(times.waits[0].begin_ns, 0U) << "the second step waited for it";
  EXPECT_GE(times.waits[1].begin_ns, times.steps[2]);
  EXPECT_LE(times.waits[1].begin_ns, times.waits[1].end_ns);
  EXPECT_LE(times.waits[1].end_ns, times.steps[3]);
  EXPECT_EQ(times.waits[2].begin_ns, 0U) << "it had finished when it returned";
  EXPECT_GE(times.waits[3].begin_ns, times.steps[4]);
}

constexpr std::chrono::hours kLong{1};

TEST_F(RunStepsFencedTest, AnEventThatNeverComesEndsTheRunAtItsDeadline) {
  AddGiver(0, {}, {FenceKind::kEventFd, MakeEvent(0), 0, 0, {}});
  AddPlain({0});
  SetTimeout(std::chrono::milliseconds(20));
  const RunOutcome outcome = Run();
  EXPECT_EQ(outcome.status, Status::kTimeout);
  EXPECT_EQ(outcome.stop, RunStop::kDeadline);
  EXPECT_TRUE(outcome.is_left);
  EXPECT_EQ(outcome.failed_step, 0U) << "the step whose fence did not pass";
  EXPECT_EQ(happened_, (std::vector<std::string>{"run"}));
  ASSERT_TRUE(progress_.Find());
  EXPECT_EQ(progress_.Find()->phase, RunPhase::kFence);
}

TEST_F(RunStepsFencedTest, WorkThatWasLeftIsFinishedWhenItsFencePasses) {
  const int event = MakeEvent(0);
  AddGiver(0, {}, {FenceKind::kEventFd, event, 0, 0, {}});
  SetTimeout(std::chrono::milliseconds(1));
  EXPECT_TRUE(Run().is_left);
  const FencedSteps steps{steps_, plan_, workloads_, factories_};
  EXPECT_FALSE(HasLeftWorkFinished(steps, fences_));
  eventfd_write(event, 1);
  EXPECT_TRUE(HasLeftWorkFinished(steps, fences_));
}

TEST_F(RunStepsFencedTest, AnOpaqueFenceThatNeverPassesEndsTheRunAtItsDeadline) {
  wait_ = [](const FenceView&) { return Status::kTimeout; };
  AddGiver(0, {}, MakeOpaque(7));
  AddPlain({0});
  SetTimeout(std::chrono::milliseconds(20));
  const RunOutcome outcome = Run();
  EXPECT_EQ(outcome.status, Status::kTimeout);
  EXPECT_TRUE(outcome.is_left);
}

TEST_F(RunStepsFencedTest, ACancelledRunWaitsForNoFence) {
  AddGiver(0, {}, {FenceKind::kEventFd, MakeEvent(0), 0, 0, {}});
  AddStep(1, kRunStepsFencedAtReturn, {}, [this](const ExecuteArgs&) {
    source_.Cancel();
    return Status::kSuccess;
  });
  AddPlain({0});
  SetTimeout(kLong);
  const RunOutcome outcome = Run();
  EXPECT_EQ(outcome.status, Status::kCancelled);
  EXPECT_EQ(outcome.stop, RunStop::kCancelled);
  EXPECT_TRUE(outcome.is_left);
}

TEST_F(RunStepsFencedTest, ACancelledRunWhoseWorkHasFinishedLeavesNothing) {
  AddGiver(0, {}, {FenceKind::kEventFd, MakeEvent(1), 0, 0, {}});
  AddStep(1, kRunStepsFencedAtReturn, {}, [this](const ExecuteArgs&) {
    source_.Cancel();
    return Status::kSuccess;
  });
  AddPlain({});
  SetTimeout(kLong);
  const RunOutcome outcome = Run();
  EXPECT_EQ(outcome.status, Status::kCancelled);
  EXPECT_EQ(outcome.failed_step, 2U);
  EXPECT_FALSE(outcome.is_left);
}

TEST_F(RunStepsFencedTest, FencesThatPassInTimeEndNothing) {
  AddGiver(0, {}, {FenceKind::kEventFd, MakeEvent(1), 0, 0, {}});
  AddGiver(0, {}, MakeOpaque(3));
  AddPlain({0, 1});
  SetTimeout(kLong);
  const RunOutcome outcome = Run();
  EXPECT_EQ(outcome.status, Status::kSuccess);
  EXPECT_FALSE(outcome.is_left);
}

}  // namespace
}  // namespace backplane
