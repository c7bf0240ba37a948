/// Processes of backends that lie about their runs in the memory by which those are handed over.

#include "isolation/isolated_state.hpp"
#include "isolation/worker_life.hpp"
#include "thread_worker.hpp"

#include <backplane/api/run_arguments.hpp>
#include <backplane/host/logging.hpp>

#include <gmock/gmock.h>

namespace backplane::test {
namespace {

using isolation::WorkerLife;
using ::testing::HasSubstr;
using wire::Function;
using wire::Writer;

class IsolatedRunsTest : public ::testing::Test {
 protected:
  /// What the process does with the lane when something was submitted; then it wakes the host.
  using Lie = std::function<void(wire::LaneHeader&)>;

  void Play(WorkerEnds& ends, const Lie& lie) {
    ends.AnswerOpen();
    std::shared_ptr<SharedArea> lane;
    while (auto question = ends.Receive()) {
      if (question->function == Function::kAddArea) {
        lane = SharedArea::Open(question->descriptors.front().Get());
      }
      ends.Answer(question->function, Writer().Put(Status::kSuccess));
      if (question->function == Function::kCreateLane) break;
    }
    if (!lane) return;
    auto& header = *reinterpret_cast<wire::LaneHeader*>(lane->GetData());
    while (header.submitted.load() == 0 && !ends.IsStopped()) std::this_thread::yield();
    lie(header);
    wire::WakeWord(header.completed);
    while (const auto question = ends.Receive()) ends.Answer(question->function, Writer());
  }

  /// Runs one workload, and gives the words of its failure; "": it did not fail.
  std::string Run(const Lie& lie) {
    isolation::WorkerPlan plan;
    plan.backend_id = "Liar";
    plan.settings.call_timeout = std::chrono::milliseconds(10'000);
    plan.logger = CreateBackendLogger("Liar");
    plan.starter = PlayInThread([&](WorkerEnds& ends) { Play(ends, lie); });
    WorkerLife life(std::move(plan));
    const auto worker = life.Get();
    const isolation::RemoteObject factory(worker, worker->GetObjects().MakeIds());
    const auto workload = std::make_shared<isolation::RemoteWorkload>();
    isolation::IsolatedState state(factory, {workload});
    FenceView completion;
    RunArguments args({}, {});
    args.SetCompletion(&completion);
    EXPECT_EQ(state.Execute(*workload, args.Show()), Status::kSuccess);
    const FinishedWork finished = state.Finish();
    EXPECT_EQ(finished.status == Status::kSuccess, finished.failure == nullptr);
    return finished.failure ? ToText(*finished.failure) : "";
  }
};

TEST_F(IsolatedRunsTest, ThatAreDoneAreDone) {
  EXPECT_EQ(Run([](wire::LaneHeader& lane) { lane.completed = 1; }), "");
}

TEST_F(IsolatedRunsTest, OfWhichMoreAreDoneThanWereHandedOverFail) {
  EXPECT_THAT(Run([](wire::LaneHeader& lane) { lane.completed = 2; }),
              HasSubstr("counts more as done"));
}

}  // namespace
}  // namespace backplane::test
