/// Protected mode: the ways in which protected content could get into a backend that lacks it, each
/// of which is closed.

#include "runtime/runtime_fixture.hpp"
#include "test_allocator.hpp"

#include <backplane/host/contexts.hpp>

namespace backplane {
namespace {

using Ids = std::vector<std::string>;

class ProtectedModeTest : public testing::Test {
 protected:
  ProtectedModeTest() {
    for (const auto& backend : {a_, b_}) {
      backend->capabilities = {{kCapabilityProtectedMemory, true}};
    }
  }

  std::unique_ptr<IRuntime> Make(std::vector<CustomAllocator> allocators) {
    CreationOptions options;
    options.custom_allocators = std::move(allocators);
    options.protection = MemoryProtection::kProtected;
    return MakeRuntime({a_, b_}, options);
  }

  /// B is available, A is not, with this reason.
  void ExpectLeftOut(const IRuntime& runtime, DiagnosticCode code, const std::string& found,
                     const std::string& expected) {
    EXPECT_EQ(runtime.GetDeviceSpec().GetBackendIdsByRank(), Ids{"B"});
    const auto& candidates = runtime.GetLoadReport().candidates;
    ASSERT_EQ(candidates.size(), 1U);
    EXPECT_EQ(candidates[0].status, CandidateStatus::kUnavailable);
    ASSERT_EQ(candidates[0].diagnostics.size(), 1U);
    ExpectDiagnostic(candidates[0].diagnostics[0], code, "A", found, expected);
    EXPECT_EQ(a_->CountEvents("create context with 0 options"), 0);
    ExpectNoWayIn(runtime);
  }

  /// A is neither asked when preferred or hinted, nor when nobody is.
  void ExpectNoWayIn(const IRuntime& runtime) {
    const DeviceSpec& device = runtime.GetDeviceSpec();
    EXPECT_EQ(CatchDiagnostic([&] {
                Optimize(*MakeChain({"one"}), {"A", "B"}, device);
              }).code,
              DiagnosticCode::kBackendRejected);
    const auto hinted = MakeChain({"one"});
    hinted->SetBackendHint(1, "A");
    EXPECT_EQ(CatchDiagnostic([&] { Optimize(*hinted, {"B"}, device); }).code,
              DiagnosticCode::kBackendRejected);
    const auto placed = Optimize(*MakeChain({"one", "two"}), {}, device);
    for (const LayerPlacement& layer : placed->GetPlacement().layers) {
      EXPECT_EQ(layer.backend_id, "B");
    }
    EXPECT_EQ(a_->CountEvents("get layer support"), 0);
  }

  const std::shared_ptr<TestBackend> a_ = std::make_shared<TestBackend>("A");
  const std::shared_ptr<TestBackend> b_ = std::make_shared<TestBackend>("B");
  const std::shared_ptr<TestAllocator> protected_ =
      std::make_shared<TestAllocator>(MemorySource::kDmaBufProtected);
  const std::shared_ptr<TestAllocator> plain_ = std::make_shared<TestAllocator>();
};

TEST_F(ProtectedModeTest, TellsContexts) {
  a_->on_create_context = [&](const BackendContextArgs& args) {
    EXPECT_EQ(args.is_protected_mode, 1U);
    EXPECT_EQ(args.allocator, protected_);
  };
  const auto runtime = Make({{"A", protected_}, {"B", protected_}});
  EXPECT_EQ(a_->CountEvents("create context with 0 options"), 1);
  EXPECT_EQ(runtime->GetDeviceSpec().GetBackendIdsByRank(), (Ids{"A", "B"}));
}

TEST_F(ProtectedModeTest, LeavesOutBackendsWithoutTheCapability) {
  a_->capabilities = {};
  ExpectLeftOut(*Make({{"A", protected_}, {"B", protected_}}), DiagnosticCode::kNotProtected,
                "found no capability \"ProtectedContentAllocation\"", "expected true");
  a_->capabilities = {{kCapabilityProtectedMemory, false}};
  ExpectLeftOut(*Make({{"A", protected_}, {"B", protected_}}), DiagnosticCode::kNotProtected,
                "with the bool false", "expected the bool true");
  a_->capabilities = {{kCapabilityProtectedMemory, "yes"}};
  ExpectLeftOut(*Make({{"A", protected_}, {"B", protected_}}), DiagnosticCode::kNotProtected,
                "with the string \"yes\"", "expected the bool true");
}

TEST_F(ProtectedModeTest, LeavesOutBackendsWithoutAProtectedAllocator) {
  ExpectLeftOut(*Make({{"B", protected_}}), DiagnosticCode::kNoProtectedAllocator,
                "found no allocator", "of the kind \"protected dma-buf\"");
  ExpectLeftOut(*Make({{"A", plain_}, {"B", protected_}}), DiagnosticCode::kNoProtectedAllocator,
                "that of the application, of the kind \"malloc\"",
                "of the kind \"protected dma-buf\"");
}

TEST_F(ProtectedModeTest, AnAllocatorThatThrowsWhenAskedIsNotProtected) {
  const auto angry = std::make_shared<TestAllocator>(MemorySource::kDmaBufProtected);
  angry->throws_when_asked = true;
  ExpectLeftOut(*Make({{"A", angry}, {"B", protected_}}), DiagnosticCode::kNoProtectedAllocator,
                "whose GetMemorySource threw: it says: the allocator is angry",
                "of the kind \"protected dma-buf\"");
}

TEST_F(ProtectedModeTest, LeavesOutBackendsThatRefuseTheAllocator) {
  a_->allocator_refusal = "the firmware is too old";
  ExpectLeftOut(*Make({{"A", protected_}, {"B", protected_}}), DiagnosticCode::kAllocatorRefused,
                "the firmware is too old", "");
}

TEST_F(ProtectedModeTest, TensorsLieInTheProtectedBlockAlone) {
  const auto runtime = Make({{"A", protected_}, {"B", protected_}});
  const NetworkId id =
      runtime->LoadNetwork(Optimize(*MakeChain({"one"}), {"A"}, runtime->GetDeviceSpec()));
  EXPECT_EQ(protected_->GetNumLive(), 1);
  runtime->UnloadNetwork(id);
  EXPECT_EQ(protected_->GetNumLive(), 0);
  EXPECT_EQ(protected_->GetNumWronglyFreed(), 0);
}

TEST_F(ProtectedModeTest, NothingElseIsTakenWhenThereIsNoProtectedBlock) {
  const auto runtime = Make({{"A", protected_}, {"B", protected_}});
  const auto network = Optimize(*MakeChain({"one"}), {"A"}, runtime->GetDeviceSpec());
  for (const auto& [fault, code] : std::vector<std::pair<AllocatorFault, DiagnosticCode>>{
           {AllocatorFault::kLies, DiagnosticCode::kUnprotectedMemory},
           {AllocatorFault::kAddress, DiagnosticCode::kUnprotectedMemory},
           {AllocatorFault::kNoDescriptor, DiagnosticCode::kUnprotectedMemory},
           {AllocatorFault::kTooSmall, DiagnosticCode::kUnprotectedMemory},
           {AllocatorFault::kFails, DiagnosticCode::kOutOfMemory},
           {AllocatorFault::kThrows, DiagnosticCode::kAllocatorFailed}}) {
    protected_->fault = fault;
    EXPECT_EQ(GetDiagnosticId(CatchDiagnostic([&] { runtime->LoadNetwork(network); }).code),
              GetDiagnosticId(code));
    EXPECT_EQ(protected_->GetNumLive(), 0);
  }
}

TEST_F(ProtectedModeTest, BackendsOfOneNetworkMustHaveOneAllocator) {
  b_->supports = [](const LayerSupportQuery& query, std::string& /*reason*/) {
    return std::string(query.layer_name) == "two";
  };
  const auto other = std::make_shared<TestAllocator>(MemorySource::kDmaBufProtected);
  const auto chain = MakeChain({"one", "two"});
  const auto apart = Make({{"A", protected_}, {"B", other}});
  const auto network = Optimize(*chain, {"B", "A"}, apart->GetDeviceSpec());
  ExpectDiagnostic(CatchDiagnostic([&] { apart->LoadNetwork(network); }),
                   DiagnosticCode::kUnprotectedMemory, "", "different allocators for \"A\", \"B\"",
                   "expected one and the same");
  EXPECT_EQ(protected_->GetNumAllocated() + other->GetNumAllocated(), 0);

  const auto together = Make({{"A", protected_}, {"B", protected_}});
  EXPECT_NO_THROW(together->LoadNetwork(Optimize(*chain, {"B", "A"}, together->GetDeviceSpec())));
  EXPECT_EQ(protected_->GetNumLive(), 1);
}

TEST_F(ProtectedModeTest, ANetworkWithoutLayersWouldCopyWhatIsProtected) {
  const auto runtime = Make({{"A", protected_}, {"B", protected_}});
  ExpectDiagnostic(
      CatchDiagnostic([&] { Optimize(*MakeChain({}), {"A"}, runtime->GetDeviceSpec()); }),
      DiagnosticCode::kNoTransfer, "y", "the application has protected memory", "expected a kind");
}

TEST_F(ProtectedModeTest, NothingIsCopiedIntoOrOutOfProtectedMemory) {
  const auto runtime = Make({{"A", protected_}, {"B", protected_}});
  const NetworkId id =
      runtime->LoadNetwork(Optimize(*MakeChain({"one"}), {"A"}, runtime->GetDeviceSpec()));
  a_->on_execute = [](const ExecuteArgs& /*args*/) { ADD_FAILURE() << "it ran"; };
  const std::vector<float> input{0, 1, 2, 3};
  std::vector<float> output{-1, -1, -1, -1};
  std::optional<Diagnostic> failure;
  EXPECT_EQ(runtime->EnqueueWorkload(id, {MakeInput(0, input)}, {MakeOutput(0, output)}, &failure),
            Status::kUnsupported);
  ASSERT_TRUE(failure);
  ExpectDiagnostic(*failure, DiagnosticCode::kProtectedTensor, "chain",
                   "found a tensor in memory of the CPU", "expected one in protected memory");
  EXPECT_EQ(output, (std::vector<float>{-1, -1, -1, -1}));
  EXPECT_EQ(runtime->EnqueueWorkload(id, {MakeInput(0, input)}, {MakeOutput(0, output)}),
            Status::kUnsupported);
}

TEST_F(ProtectedModeTest, ANetworkOfARuntimeWithoutItIsForeign) {
  const auto plain = MakeRuntime({a_, b_});
  const auto network = Optimize(*MakeChain({"one"}), {"A"}, plain->GetDeviceSpec());
  const auto runtime = Make({{"A", protected_}, {"B", protected_}});
  EXPECT_EQ(CatchDiagnostic([&] { runtime->LoadNetwork(network); }).code,
            DiagnosticCode::kForeignNetwork);
  // Nor is one that was optimised with the same backends, but for no runtime.
  const DeviceSpec device(runtime->GetDeviceSpec().ShareRegistry());
  const auto without = Optimize(*MakeChain({"one"}), {"A"}, device);
  EXPECT_EQ(CatchDiagnostic([&] { runtime->LoadNetwork(without); }).code,
            DiagnosticCode::kForeignNetwork);
}

TEST_F(ProtectedModeTest, OtherRuntimesDoNotNotice) {
  a_->capabilities = {};
  const auto runtime = Make({{"B", protected_}});
  const auto plain = MakeRuntime({a_, b_});
  EXPECT_EQ(plain->GetDeviceSpec().GetBackendIdsByRank(), (Ids{"A", "B"}));
}

TEST_F(ProtectedModeTest, WithoutAnyProtectedBackendThereIsNoRuntime) {
  const Diagnostic diagnostic = CatchDiagnostic([&] { Make({}); });
  EXPECT_EQ(diagnostic.code, DiagnosticCode::kNoBackends);
  ASSERT_EQ(diagnostic.causes.size(), 2U);
  EXPECT_EQ(diagnostic.causes[0].code, DiagnosticCode::kNoProtectedAllocator);
}

}  // namespace
}  // namespace backplane
