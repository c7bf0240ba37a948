/// Runs that end while their plan is made.

#include "loading/staged_fixture.hpp"

#include <gmock/gmock.h>
#include <backplane/api/subgraph_parts.hpp>

namespace backplane {
namespace {

std::uint64_t NowNs() {
  return static_cast<std::uint64_t>(
      std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
}

class EndedPlans : public StagedRunsTest {
 protected:
  EndedPlans() {
    a_->optimize = [this](const OptimizeSubgraphArgs& args) {
      ++num_offers_;
      if (on_offer_) on_offer_(args);
      OptimizationViews views;
      const SubgraphView part = MakeSubgraphPart(args, args.subgraph->layers);
      EXPECT_EQ(ReplaceByPreCompiled(args, part, std::make_shared<TestCompiled>(a_, 1.0F),
                                     "compiled", &views),
                Status::kSuccess);
      return views;
    };
  }

  /// A run in which the application cancels when the plan is at some place: `at` gets what to call.
  void ExpectCancelled(NetworkId id, const std::function<void(std::function<void()>)>& at) {
    const CancellationSource cancellation;
    at([&] { cancellation.Cancel(); });
    const Outcome outcome = Run(id, With(cancellation));
    at(nullptr);
    EXPECT_EQ(outcome.status, Status::kCancelled);
    ExpectCode(outcome.failure, DiagnosticCode::kRunCancelled);
  }

  void ExpectPlanned(NetworkId id) {
    EXPECT_EQ(RunWith(id, {1, 2}), (std::vector<float>{2, 3}));
    EXPECT_EQ(status_, Status::kSuccess);
    ASSERT_EQ(runtime_->GetPlanReports(id).size(), 1U);
    const Placement& placement = runtime_->GetPlanReports(id).at(0).stages.at(0).placement;
    EXPECT_TRUE(placement.warnings.empty()) << "the backend is not blamed";
    EXPECT_EQ(placement.layers.at(0).backend_id, "A");
  }

  std::function<void(const OptimizeSubgraphArgs&)> on_offer_;
  std::atomic<int> num_offers_{0};
};

TEST_F(EndedPlans, TellBackendsOfCancellations) {
  const LogFile log("*=warning");
  const NetworkId id = LoadSource(std::make_shared<ChainSource>());
  ExpectCancelled(id, [this](const std::function<void()>& cancel) {
    on_offer_ = [cancel](const OptimizeSubgraphArgs& args) {
      if (!cancel) return;
      ASSERT_NE(args.stop, nullptr);
      EXPECT_EQ(args.deadline_ns, 0U);
      EXPECT_EQ(*args.stop, 0U);
      cancel();
      EXPECT_NE(*args.stop, 0U);
      throw std::runtime_error("it was stopped");
    };
  });
  ExpectPlanned(id);
  EXPECT_EQ(num_offers_, 2) << "nothing was kept of the first";
  EXPECT_FALSE(log.Has("it was stopped"));
}

TEST_F(EndedPlans, TellBackendsOfDeadlines) {
  const NetworkId id = LoadSource(std::make_shared<ChainSource>());
  on_offer_ = [](const OptimizeSubgraphArgs& args) {
    EXPECT_EQ(args.stop, nullptr);
    ASSERT_NE(args.deadline_ns, 0U);
    while (NowNs() < args.deadline_ns) std::this_thread::yield();
  };
  const Outcome outcome = Run(id, Within(milliseconds(30)));
  EXPECT_EQ(outcome.status, Status::kTimeout);
  ExpectCode(outcome.failure, DiagnosticCode::kRunTimedOut);
  EXPECT_THAT(outcome.failure->what, testing::HasSubstr("\"open chain\""));
  on_offer_ = [](const OptimizeSubgraphArgs& args) { EXPECT_EQ(args.deadline_ns, 0U); };
  ExpectPlanned(id);
}

TEST_F(EndedPlans, BeginNoFurtherStep) {
  const auto source = std::make_shared<ChainSource>();
  const NetworkId id = LoadSource(source);
  ExpectCancelled(id,
                  [&](const std::function<void()>& cancel) { source->on_first_stage = cancel; });
  EXPECT_EQ(a_->CountEvents("asked one"), 0);
  ExpectCancelled(id, [&](const std::function<void()>& cancel) {
    a_->supports = [cancel](const LayerSupportQuery&, std::string&) {
      if (cancel) cancel();
      return true;
    };
  });
  EXPECT_EQ(num_offers_, 0);
  ExpectPlanned(id);
}

TEST_F(EndedPlans, TellBackendsThatResize) {
  const NetworkId id = LoadSource(std::make_shared<ChainSource>());
  EXPECT_EQ(RunWith(id, {1, 2, 3}), (std::vector<float>{2, 3, 4}));
  int num_resizes = 0;
  ExpectCancelled(id, [&](const std::function<void()>& cancel) {
    a_->resize = [this, cancel, &num_resizes](const ResizeArgs& args) {
      ++num_resizes;
      EXPECT_EQ(args.stop != nullptr, cancel != nullptr);
      if (cancel) cancel();
      return std::make_shared<TestCompiled>(a_, 1.0F);
    };
  });
  EXPECT_EQ(RunWith(id, {1, 2}), (std::vector<float>{2, 3}));
  EXPECT_EQ(num_resizes, 2);
}

TEST_F(EndedPlans, DoNotEndThoseThatWaitForThem) {
  Gate gate;
  const NetworkId id = LoadSource(std::make_shared<ChainSource>());
  on_offer_ = [&](const OptimizeSubgraphArgs&) { gate.Pass(); };
  std::thread makes([&] { ExpectPlanned(id); });
  gate.AwaitArrivals(1);
  std::vector<float> values = {1, 2};
  ResultTensor result;
  EXPECT_EQ(runtime_->EnqueueWorkload(id, {MakeInput(0, values)}, {Wanting(0, result)},
                                      Within(milliseconds(30))),
            Status::kTimeout);
  gate.Open();
  makes.join();
  EXPECT_EQ(num_offers_, 1);
}

TEST_F(EndedPlans, AreMadeByThoseThatWaitedForThem) {
  Gate gate;
  const CancellationSource cancellation;
  const NetworkId id = LoadSource(std::make_shared<ChainSource>());
  on_offer_ = [&](const OptimizeSubgraphArgs&) {
    if (num_offers_ > 1) return;
    gate.Pass();
    cancellation.Cancel();
  };
  std::thread makes([&] {
    std::vector<float> values = {1, 2};
    ResultTensor result;
    EXPECT_EQ(runtime_->EnqueueWorkload(id, {MakeInput(0, values)}, {Wanting(0, result)},
                                        With(cancellation)),
              Status::kCancelled);
  });
  gate.AwaitArrivals(1);
  std::thread waits([&] { ExpectPlanned(id); });
  gate.Open();
  makes.join();
  waits.join();
  EXPECT_EQ(num_offers_, 2);
}

}  // namespace
}  // namespace backplane
