/// The contexts of backends: who gets them, how long they stay, and that they are told in pairs.

#include "runtime/runtime_fixture.hpp"
#include "test_allocator.hpp"

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>
#include <utility>

namespace backplane {
namespace {

using Events = std::vector<std::string>;

bool IsNotification(const std::string& event) {
  return event.rfind("before ", 0) == 0 || event.rfind("after ", 0) == 0;
}

class ContextsTest : public RuntimeFixture {
 protected:
  ContextsTest() {
    for (const auto& backend : {a_, b_}) {
      backend->on_event = [this, id = backend->id](const std::string& event) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (IsNotification(event)) notifications_.push_back(id + " " + event);
      };
    }
    b_->supports = [](const LayerSupportQuery& query, std::string& /*reason*/) {
      return std::string(query.layer_name) == "two";
    };
  }

  // It tells of its end what is declared here.
  ~ContextsTest() override { runtime_.reset(); }

  /// "one" on A, "two" on B.
  std::shared_ptr<const IOptimizedNetwork> OptimizeForBoth() const {
    return OptimizeFor(*MakeChain({"one", "two"}), {"B", "A"});
  }

  Events TakeNotifications() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return std::exchange(notifications_, {});
  }

  /// Every Before of a backend has its After, and no After is without its Before.
  static void ExpectPairs(const TestBackend& backend) {
    std::set<std::string> open;
    for (const std::string& event : backend.GetEvents()) {
      if (!IsNotification(event)) continue;
      const std::string network = event.substr(event.rfind(' ') + 1);
      const bool is_unload = event.find("unload") != std::string::npos;
      const std::string pair = (is_unload ? "unload " : "load ") + network;
      if (event.rfind("before", 0) == 0) {
        EXPECT_TRUE(open.insert(pair).second) << event;
      } else {
        EXPECT_EQ(open.erase(pair), 1U) << event;
      }
    }
    EXPECT_TRUE(open.empty()) << *open.begin() << " of backend " << backend.id;
  }

 private:
  std::mutex mutex_;
  Events notifications_;
};

TEST_F(ContextsTest, EveryFunctionGetsTheContextOfTheRuntime) {
  const auto c = std::make_shared<TestBackend>("C");
  std::map<std::string, const IBackendContext*> passed;
  c->on_context_passed = [&](const std::string& function, const IBackendContext* context) {
    passed[function] = context;
  };
  const auto runtime = MakeRuntime({c});
  runtime->LoadNetwork(Optimize(*MakeChain({"one"}), {"C"}, runtime->GetDeviceSpec()));
  const IBackendContext* made = passed.at("CreateBackendContext");
  ASSERT_NE(made, nullptr);
  for (const char* function : {"CreateBackendSpecificModelContext", "GetLayerSupport",
                               "OptimizeSubgraphView", "CreateWorkloadFactory"}) {
    EXPECT_EQ(passed.at(function), made) << function;
  }
}

TEST_F(ContextsTest, EveryRuntimeHasItsOwn) {
  std::vector<const IBackendContext*> made;
  std::vector<const IBackendContext*> passed;
  const auto c = std::make_shared<TestBackend>("C");
  c->on_context_passed = [&](const std::string& function, const IBackendContext* context) {
    (function == "CreateBackendContext" ? made : passed).push_back(context);
  };
  const auto first = MakeRuntime({c});
  const auto second = MakeRuntime({c});
  ASSERT_EQ(made.size(), 2U);
  EXPECT_NE(made[0], made[1]);
  Optimize(*MakeChain({"one"}), {"C"}, second->GetDeviceSpec());
  for (const IBackendContext* context : passed) EXPECT_EQ(context, made[1]);
  EXPECT_EQ(passed.size(), 3U);
}

TEST_F(ContextsTest, AreAbsentWithoutARuntime) {
  int num_passed = 0;
  a_->on_context_passed = [&](const std::string& /*function*/, const IBackendContext* context) {
    EXPECT_EQ(context, nullptr);
    ++num_passed;
  };
  const DeviceSpec device(runtime_->GetDeviceSpec().ShareRegistry());
  const auto network = Optimize(*MakeChain({"one"}), {"A"}, device);
  EXPECT_EQ(num_passed, 3);
  const Diagnostic diagnostic = CatchDiagnostic([&] { runtime_->LoadNetwork(network); });
  EXPECT_EQ(diagnostic.code, DiagnosticCode::kForeignNetwork);
}

TEST_F(ContextsTest, StayAsLongAsADeviceSpec) {
  auto device = std::make_unique<DeviceSpec>(runtime_->GetDeviceSpec());
  runtime_.reset();
  EXPECT_EQ(a_->CountEvents("~context"), 0);
  EXPECT_NO_THROW(Optimize(*MakeChain({"one"}), {"A"}, *device));
  device.reset();
  EXPECT_EQ(a_->CountEvents("~context"), 1);
  EXPECT_EQ(b_->CountEvents("~context"), 1);
}

TEST_F(ContextsTest, StayAsLongAsAnOptimisedNetwork) {
  auto network = OptimizeFor(*MakeChain({"one"}), {"A"});
  runtime_.reset();
  EXPECT_EQ(a_->CountEvents("~context"), 0);
  network.reset();
  const Events events = a_->GetEvents();
  const auto model = std::find(events.begin(), events.end(), "~model context");
  const auto context = std::find(events.begin(), events.end(), "~context");
  ASSERT_NE(model, events.end());
  ASSERT_NE(context, events.end());
  EXPECT_LT(model, context) << "the context outlives what was made with it";
}

TEST_F(ContextsTest, AreToldInTheOrderOfTheNetworksBackendsAndBack) {
  runtime_->UnloadNetwork(runtime_->LoadNetwork(OptimizeForBoth()));
  EXPECT_EQ(TakeNotifications(), (Events{"A before load 1", "B before load 1", "B after load 1",
                                         "A after load 1", "A before unload 1", "B before unload 1",
                                         "B after unload 1", "A after unload 1"}));
}

TEST_F(ContextsTest, ARefusalOfTheSecondIsToldToBothAndToNobodyElse) {
  b_->failures = {{CallPoint::kBeforeLoad, FailureKind::kRefuse}};
  const auto network = OptimizeForBoth();
  EXPECT_EQ(CatchDiagnostic([&] { runtime_->LoadNetwork(network); }).code,
            DiagnosticCode::kContextRefused);
  EXPECT_EQ(TakeNotifications(), (Events{"A before load 1", "B before load 1",
                                         "B after failed load 1", "A after failed load 1"}));
  a_->failures = b_->failures;
  EXPECT_THROW(runtime_->LoadNetwork(network), DiagnosticException);
  EXPECT_EQ(TakeNotifications(), (Events{"A before load 2", "A after failed load 2"}));
}

TEST_F(ContextsTest, AreToldInPairsWhateverFails) {
  const auto network = OptimizeForBoth();
  for (const CallPoint point :
       {CallPoint::kBeforeLoad, CallPoint::kAfterLoad, CallPoint::kBeforeUnload,
        CallPoint::kAfterUnload, CallPoint::kCreateWorkloadFactory, CallPoint::kCreateWorkload,
        CallPoint::kCreateExecutionState}) {
    for (const FailureKind kind : {FailureKind::kRefuse, FailureKind::kThrow,
                                   FailureKind::kThrowInt, FailureKind::kThrowUnavailable}) {
      for (const auto& failing : {a_, b_}) {
        failing->failures = {{point, kind}};
        try {
          runtime_->UnloadNetwork(runtime_->LoadNetwork(network));
        } catch (const DiagnosticException& exception) {
          // Only loading may fail.
          EXPECT_NE(exception.GetDiagnostic().code, DiagnosticCode::kUnknownNetwork);
        }
        failing->failures.clear();
        ExpectPairs(*a_);
        ExpectPairs(*b_);
      }
    }
  }
  // Four attempts to make one of A failed, once for each kind.
  EXPECT_EQ(a_->CountEvents("create workload") - 4, a_->CountEvents("~workload"));
  EXPECT_NO_THROW(runtime_->LoadNetwork(network));
}

TEST_F(ContextsTest, AnAllocatorThatFailsIsToldAsAFailedLoad) {
  const auto allocator = std::make_shared<TestAllocator>();
  CreationOptions options;
  options.custom_allocators = {{"A", allocator}};
  runtime_ = MakeRuntime({a_, b_}, options);
  for (const AllocatorFault fault : {AllocatorFault::kFails, AllocatorFault::kThrows}) {
    allocator->fault = fault;
    const auto network = OptimizeFor(*MakeChain({"one"}), {"A"});
    EXPECT_THROW(runtime_->LoadNetwork(network), DiagnosticException);
  }
  EXPECT_EQ(a_->CountEvents("after failed load 1"), 1);
  EXPECT_EQ(a_->CountEvents("after failed load 2"), 1);
  ExpectPairs(*a_);
}

TEST_F(ContextsTest, AreToldOfNetworksThatTheRuntimeTakesWithIt) {
  for (const FailureKind kind : {FailureKind::kRefuse, FailureKind::kThrow}) {
    auto runtime = MakeRuntime({a_, b_});
    const auto network = Optimize(*MakeChain({"one", "two"}), {"B", "A"}, runtime->GetDeviceSpec());
    runtime->LoadNetwork(network);
    runtime->LoadNetwork(network);
    TakeNotifications();
    b_->failures = {{CallPoint::kBeforeUnload, kind}, {CallPoint::kAfterUnload, kind}};
    runtime.reset();
    b_->failures.clear();
    EXPECT_EQ(TakeNotifications().size(), 8U) << "two networks, two backends, before and after";
    EXPECT_EQ(b_->CountEvents("after unload 2"), b_->CountEvents("after load 2"));
  }
  EXPECT_EQ(a_->CountEvents("create workload"), a_->CountEvents("~workload"));
}

TEST_F(ContextsTest, AreToldOneAtATime) {
  std::atomic<int> num_inside{0};
  std::atomic<int> num_overlaps{0};
  a_->on_event = [&](const std::string& event) {
    if (!IsNotification(event)) return;
    if (num_inside.fetch_add(1) != 0) ++num_overlaps;
    for (int i = 0; i < 20; ++i) std::this_thread::yield();
    --num_inside;
  };
  const auto network = OptimizeFor(*MakeChain({"one"}), {"A"});
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int round = 0; round < 10; ++round) {
        runtime_->UnloadNetwork(runtime_->LoadNetwork(network));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_overlaps, 0);
}

TEST_F(ContextsTest, ModelContextsAreMadeOnceForEachNetworkAndBackendThatIsAsked) {
  const auto network = OptimizeForBoth();
  EXPECT_EQ(a_->CountEvents("create model context with 0 options"), 1);
  EXPECT_EQ(b_->CountEvents("create model context with 0 options"), 1);
  runtime_->LoadNetwork(network);
  runtime_->LoadNetwork(network);
  const auto other = OptimizeFor(*MakeChain({"one"}), {"A"});
  EXPECT_EQ(a_->CountEvents("create model context with 0 options"), 2);
  EXPECT_EQ(b_->CountEvents("create model context with 0 options"), 1) << "it is not asked";
  EXPECT_EQ(a_->CountEvents("~model context"), 0);
}

TEST_F(ContextsTest, ModelContextsGoWithTheirNetwork) {
  auto network = OptimizeForBoth();
  const NetworkId id = runtime_->LoadNetwork(network);
  network.reset();
  EXPECT_EQ(a_->CountEvents("~model context"), 0) << "the loaded network has it";
  runtime_->UnloadNetwork(id);
  EXPECT_EQ(a_->CountEvents("~model context"), 1);
  EXPECT_EQ(b_->CountEvents("~model context"), 1);
  // B is asked, and gets no layer.
  const auto without = OptimizeFor(*MakeChain({"one"}), {"B", "A"});
  EXPECT_EQ(b_->CountEvents("~model context"), 2);
  EXPECT_EQ(a_->CountEvents("~model context"), 1);
}

TEST_F(ContextsTest, ModelContextsGetTheOptionsOfTheNetwork) {
  OptionSchema schema;
  schema.name = "Device";
  schema.type = OptionType::kInt;
  a_->schemas = {schema};
  OptimizerOptions options;
  options.model_options = {{"A", {{"Device", 1}}}};
  Optimize(*MakeChain({"one"}), {"A"}, runtime_->GetDeviceSpec(), options);
  EXPECT_EQ(a_->CountEvents("create model context with 1 options"), 1);
  EXPECT_EQ(a_->CountEvents("create context with 0 options"), 1);
}

}  // namespace
}  // namespace backplane
