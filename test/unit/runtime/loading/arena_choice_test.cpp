/// From where the arena of a network comes: who is asked, in which order, and what happens when
/// several backends share it.

#include "runtime/runtime_fixture.hpp"
#include "test_allocator.hpp"

#include <atomic>
#include <thread>

namespace backplane {
namespace {

using ArenaChoiceShared = std::shared_ptr<TestAllocator>;
using Floats = std::vector<float>;

class ArenaChoiceTest : public RuntimeFixture {
 protected:
  ArenaChoiceTest() {
    b_->supports = [](const LayerSupportQuery& query, std::string& /*reason*/) {
      return std::string(query.layer_name) == "two";
    };
    for (const auto& backend : {a_, b_}) {
      backend->on_execute = [this](const ExecuteArgs& args) {
        output_address_ = args.GetOutput(0).GetData();
        owner_of_output_ = allocator_->Owns(output_address_);
      };
    }
  }

  void MakeRuntimeWith(std::vector<CustomAllocator> allocators) {
    CreationOptions options;
    options.custom_allocators = std::move(allocators);
    runtime_ = MakeRuntime({a_, b_}, options);
  }

  Diagnostic CatchLoad(const std::vector<std::string>& preferences) {
    const auto network = OptimizeFor(*MakeChain({"one"}), preferences);
    return CatchDiagnostic([&] { runtime_->LoadNetwork(network); });
  }

  ArenaChoiceShared allocator_ = std::make_shared<TestAllocator>();
  void* output_address_ = nullptr;
  bool owner_of_output_ = false;
};

TEST_F(ArenaChoiceTest, TensorsLieInMemoryOfTheCustomAllocator) {
  MakeRuntimeWith({{"A", allocator_}});
  const NetworkId id = Load(*MakeChain({"one", "two"}), {"A"});
  EXPECT_EQ(allocator_->GetNumLive(), 1);
  EXPECT_EQ(RunChain(id), (Floats{2, 3, 4, 5}));
  EXPECT_TRUE(owner_of_output_);
  runtime_->UnloadNetwork(id);
  EXPECT_EQ(allocator_->GetNumLive(), 0);
  EXPECT_EQ(allocator_->GetNumAllocated(), 1);
  EXPECT_EQ(allocator_->GetNumWronglyFreed(), 0);
}

TEST_F(ArenaChoiceTest, SeveralBackendsShareTheAllocatorThatAllOfThemHave) {
  MakeRuntimeWith({{"A", allocator_}, {"B", allocator_}});
  EXPECT_EQ(RunChain(Load(*MakeChain({"one", "two"}), {"B", "A"})), (Floats{2, 3, 4, 5}));
  EXPECT_TRUE(owner_of_output_);
}

TEST_F(ArenaChoiceTest, SeveralBackendsWithDifferentAllocatorsShareTheHost) {
  const auto other = std::make_shared<TestAllocator>();
  MakeRuntimeWith({{"A", allocator_}, {"B", other}});
  EXPECT_EQ(RunChain(Load(*MakeChain({"one", "two"}), {"B", "A"})), (Floats{2, 3, 4, 5}));
  MakeRuntimeWith({{"A", allocator_}});
  EXPECT_EQ(RunChain(Load(*MakeChain({"one", "two"}), {"B", "A"})), (Floats{2, 3, 4, 5}));
  EXPECT_EQ(allocator_->GetNumAllocated(), 0);
  EXPECT_EQ(other->GetNumAllocated(), 0);
}

TEST_F(ArenaChoiceTest, ACustomAllocatorThatFailsFailsTheLoad) {
  MakeRuntimeWith({{"A", allocator_}});
  for (const auto& [fault, code] : std::vector<std::pair<AllocatorFault, DiagnosticCode>>{
           {AllocatorFault::kFails, DiagnosticCode::kOutOfMemory},
           {AllocatorFault::kThrows, DiagnosticCode::kAllocatorFailed},
           {AllocatorFault::kMisaligns, DiagnosticCode::kAllocatorFailed},
           {AllocatorFault::kTooSmall, DiagnosticCode::kAllocatorFailed},
           {AllocatorFault::kNoAddress, DiagnosticCode::kAllocatorFailed}}) {
    allocator_->fault = fault;
    EXPECT_EQ(GetDiagnosticId(CatchLoad({"A"}).code), GetDiagnosticId(code));
    EXPECT_EQ(allocator_->GetNumLive(), 0);
  }
  allocator_->fault = AllocatorFault::kNone;
  EXPECT_EQ(RunChain(Load(*MakeChain({"one"}), {"A"})), (Floats{1, 2, 3, 4}));
}

TEST_F(ArenaChoiceTest, RunsAtOnceHaveBlocksOfTheirOwn) {
  MakeRuntimeWith({{"A", allocator_}});
  std::atomic<int> num_inside{0};
  a_->on_execute = [&](const ExecuteArgs& /*args*/) {
    ++num_inside;
    while (num_inside < 2) std::this_thread::yield();
  };
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  std::thread other([&] { EXPECT_EQ(RunChain(id), (Floats{1, 2, 3, 4})); });
  EXPECT_EQ(RunChain(id), (Floats{1, 2, 3, 4}));
  other.join();
  EXPECT_EQ(allocator_->GetNumLive(), 2);
  runtime_->UnloadNetwork(id);
  EXPECT_EQ(allocator_->GetNumLive(), 0);
}

TEST_F(ArenaChoiceTest, ARunThatGetsNoBlockFailsAndOthersGoOn) {
  MakeRuntimeWith({{"A", allocator_}});
  const NetworkId id = Load(*MakeChain({"one"}), {"A"});
  allocator_->fault = AllocatorFault::kFails;
  a_->on_execute = [&](const ExecuteArgs& /*args*/) {
    Floats output(4);
    std::optional<Diagnostic> failure;
    EXPECT_EQ(
        runtime_->EnqueueWorkload(id, {MakeInput(0, input_)}, {MakeOutput(0, output)}, &failure),
        Status::kOutOfMemory);
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->code, DiagnosticCode::kOutOfMemory);
    EXPECT_EQ(failure->subject.name, "A");
  };
  EXPECT_EQ(RunChain(id), (Floats{1, 2, 3, 4}));
}

TEST_F(ArenaChoiceTest, RuntimesHaveAllocatorsOfTheirOwnForOneBackend) {
  const auto second_allocator = std::make_shared<TestAllocator>();
  CreationOptions options;
  options.custom_allocators = {{"A", allocator_}};
  auto first = MakeRuntime({a_}, options);
  options.custom_allocators = {{"A", second_allocator}};
  auto second = MakeRuntime({a_}, options);
  auto third = MakeRuntime({a_});
  for (const auto* runtime : {&first, &second, &third}) {
    (*runtime)->LoadNetwork(Optimize(*MakeChain({"one"}), {"A"}, (*runtime)->GetDeviceSpec()));
  }
  EXPECT_EQ(allocator_->GetNumLive(), 1);
  EXPECT_EQ(second_allocator->GetNumLive(), 1);
  first.reset();
  EXPECT_EQ(allocator_->GetNumLive(), 0);
  EXPECT_EQ(second_allocator->GetNumLive(), 1) << "the other does not notice";
}

TEST_F(ArenaChoiceTest, AllocatorsAreReleasedWithTheLastThatNeedsThem) {
  const std::weak_ptr<TestAllocator> watched = allocator_;
  {
    CreationOptions options;
    options.custom_allocators = {{"A", allocator_}};
    runtime_ = MakeRuntime({a_}, options);
  }
  a_->on_execute = nullptr;
  auto network = OptimizeFor(*MakeChain({"one"}), {"A"});
  runtime_->LoadNetwork(network);
  allocator_.reset();
  EXPECT_FALSE(watched.expired());
  runtime_.reset();
  EXPECT_FALSE(watched.expired()) << "the network was optimised with it";
  EXPECT_EQ(watched.lock()->GetNumLive(), 0);
  network.reset();
  EXPECT_TRUE(watched.expired());
}

TEST_F(ArenaChoiceTest, ANetworkWithoutLayersLiesInMemoryOfTheHost) {
  MakeRuntimeWith({{"A", allocator_}});
  EXPECT_EQ(RunChain(Load(*MakeChain({}), {"A"})), (Floats{0, 1, 2, 3}));
  EXPECT_EQ(allocator_->GetNumAllocated(), 0);
}

}  // namespace
}  // namespace backplane
