/// Allocators that an application gives when it makes a runtime.

#include "runtime/runtime_fixture.hpp"
#include "test_allocator.hpp"

#include <backplane/host/contexts.hpp>

namespace backplane {
namespace {

class AllocatorsTest : public testing::Test {
 protected:
  std::unique_ptr<IRuntime> Make(std::vector<CustomAllocator> allocators) {
    CreationOptions options;
    options.custom_allocators = std::move(allocators);
    return MakeRuntime({a_, b_}, options);
  }

  Diagnostic Refuse(std::vector<CustomAllocator> allocators) {
    return CatchDiagnostic([&] { Make(std::move(allocators)); });
  }

  /// A is left out, with this reason.
  void ExpectLeftOut(const IRuntime& runtime, DiagnosticCode code, const std::string& why) {
    EXPECT_EQ(runtime.GetDeviceSpec().GetBackendIdsByRank(), (std::vector<std::string>{"B"}));
    const auto& candidates = runtime.GetLoadReport().candidates;
    ASSERT_EQ(candidates.size(), 1U);
    EXPECT_EQ(candidates[0].identity->id, "A");
    ASSERT_EQ(candidates[0].diagnostics.size(), 1U);
    ExpectDiagnostic(candidates[0].diagnostics[0], code, "A", why, "");
    const Diagnostic asked =
        CatchDiagnostic([&] { Optimize(*MakeChain({"one"}), {"A"}, runtime.GetDeviceSpec()); });
    EXPECT_EQ(asked.code, DiagnosticCode::kBackendRejected);
    ASSERT_EQ(asked.causes.size(), 1U);
    EXPECT_EQ(GetDiagnosticId(asked.causes[0].code), GetDiagnosticId(code));
  }

  const std::shared_ptr<TestBackend> a_ = std::make_shared<TestBackend>("A");
  const std::shared_ptr<TestBackend> b_ = std::make_shared<TestBackend>("B");
  const std::shared_ptr<TestAllocator> allocator_ = std::make_shared<TestAllocator>();
};

TEST_F(AllocatorsTest, NullIsAMistake) {
  ExpectDiagnostic(Refuse({{"A", nullptr}}), DiagnosticCode::kNullAllocator, "A", "found null",
                   "expected an ICustomAllocator");
  EXPECT_TRUE(a_->GetEvents().empty()) << "it is found before any backend is made";
}

TEST_F(AllocatorsTest, TwoForOneBackendAreAMistake) {
  ExpectDiagnostic(Refuse({{"A", allocator_}, {"B", allocator_}, {"A", allocator_}}),
                   DiagnosticCode::kDuplicateAllocator, "A", "a second entry for \"A\"",
                   "expected at most one");
}

TEST_F(AllocatorsTest, AnUnknownBackendIsAMistake) {
  const Diagnostic diagnostic = Refuse({{"a", allocator_}});
  ExpectDiagnostic(diagnostic, DiagnosticCode::kBackendNotRegistered, "a", "registered are A, B",
                   "");
  ExpectContains(diagnostic.fix, "\"A\"");
}

TEST_F(AllocatorsTest, ABackendThatCannotBeUsedNeedsNone) {
  const auto registry = MakeRegistry({b_});
  registry->RememberUnusable("A", Diagnostic{DiagnosticCode::kBackendUnavailable});
  CreationOptions options;
  options.custom_allocators = {{"A", allocator_}};
  EXPECT_NO_THROW(CreateRuntime({registry, {}, {}}, options));
}

TEST_F(AllocatorsTest, ReachTheirBackendAlone) {
  a_->on_create_context = [&](const BackendContextArgs& args) {
    EXPECT_EQ(args.allocator, allocator_);
  };
  b_->on_create_context = [&](const BackendContextArgs& args) {
    EXPECT_EQ(args.allocator, nullptr);
  };
  const auto runtime = Make({{"A", allocator_}});
  EXPECT_EQ(a_->CountEvents("create context with 0 options"), 1);
  EXPECT_EQ(b_->CountEvents("create context with 0 options"), 1);
}

TEST_F(AllocatorsTest, ABackendThatRefusesIsLeftOutWithItsReason) {
  a_->allocator_refusal = "only dma-buf memory reaches the device";
  const auto runtime = Make({{"A", allocator_}});
  ExpectLeftOut(*runtime, DiagnosticCode::kAllocatorRefused,
                "only dma-buf memory reaches the device");
  EXPECT_EQ(runtime->GetLoadReport().candidates[0].status, CandidateStatus::kUnavailable);
  EXPECT_EQ(a_->CountEvents("create context with 0 options"), 0);
  EXPECT_NO_THROW(MakeRuntime({a_})) << "other runtimes do not notice";
}

TEST_F(AllocatorsTest, ARefusalWithoutAReasonSaysSo) {
  a_->allocator_refusal = "";
  ExpectLeftOut(*Make({{"A", allocator_}}), DiagnosticCode::kAllocatorRefused,
                "it gives no reason");
}

TEST_F(AllocatorsTest, ABackendThatDoesNotStateTheCapabilityIsLeftOut) {
  a_->takes_allocators = false;
  const auto runtime = Make({{"A", allocator_}});
  ExpectLeftOut(*runtime, DiagnosticCode::kAllocatorRefused,
                "found no capability \"CustomAllocator\"; expected true");
  EXPECT_EQ(runtime->GetLoadReport().candidates[0].status, CandidateStatus::kUnavailable);
  EXPECT_EQ(a_->CountEvents("create context with 0 options"), 0);
}

TEST_F(AllocatorsTest, ARefusalWithoutAnAllocatorIsAFailure) {
  a_->failures = {{CallPoint::kCreateBackendContext, FailureKind::kThrowUnsupported}};
  const auto runtime = Make({});
  ExpectLeftOut(*runtime, DiagnosticCode::kBackendThrew, "not here");
  EXPECT_EQ(runtime->GetLoadReport().candidates[0].status, CandidateStatus::kRejected);
}

TEST_F(AllocatorsTest, ARefusalOfTheOnlyBackendLeavesNoRuntime) {
  a_->allocator_refusal = "no";
  CreationOptions options;
  options.custom_allocators = {{"A", allocator_}};
  const Diagnostic diagnostic = CatchDiagnostic([&] { MakeRuntime({a_}, options); });
  EXPECT_EQ(diagnostic.code, DiagnosticCode::kNoBackends);
  ASSERT_EQ(diagnostic.causes.size(), 1U);
  EXPECT_EQ(diagnostic.causes[0].code, DiagnosticCode::kAllocatorRefused);
}

}  // namespace
}  // namespace backplane
