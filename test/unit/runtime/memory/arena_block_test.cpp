#include "memory/arena_block.hpp"

#include "expect_diagnostic.hpp"
#include "test_allocator.hpp"
#include "test_backend.hpp"

#include <limits>

namespace backplane {
namespace {

class ArenaSourceTest : public testing::Test {
 protected:
  ArenaSource MakeSource() {
    return {MakeBlockGiver(MakeMemoryManager(test_)), BlockRule::kOfFactories};
  }

  std::shared_ptr<TestBackend> test_ = std::make_shared<TestBackend>("A");
};

TEST(ArenaSource, GivesAlignedMemoryOfTheHost) {
  ArenaSource source;
  const auto block = source.Allocate(100);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block->Get().data) % 64, 0U);
  EXPECT_EQ(block->Get().size_bytes, 100U);
  EXPECT_EQ(block->Get().source, MemorySource::kMalloc);
}

TEST(ArenaSource, SaysHowMuchTheHostLacks) {
  ArenaSource source;
  const Diagnostic diagnostic =
      CatchDiagnostic([&] { source.Allocate(std::numeric_limits<std::int64_t>::max()); });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kOutOfMemory, "", "9223372036854775807 bytes",
                   "expected a block");
}

TEST_F(ArenaSourceTest, TakesBlocksFromTheMemoryManagerAndGivesThemBack) {
  ArenaSource source = MakeSource();
  source.Allocate(100);
  EXPECT_EQ(test_->CountEvents("acquire"), 1);
  EXPECT_EQ(test_->CountEvents("release"), 1);
}

TEST_F(ArenaSourceTest, SaysWhatTheMemoryManagerAnswered) {
  test_->failures[CallPoint::kAcquire] = FailureKind::kRefuse;
  ArenaSource source = MakeSource();
  const Diagnostic diagnostic = CatchDiagnostic([&] { source.Allocate(100); });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kOutOfMemory, "A", "100 bytes", "\"out of memory\"");
  EXPECT_EQ(test_->CountEvents("release"), 0);
}

TEST_F(ArenaSourceTest, PassesOnWhatTheMemoryManagerThrows) {
  test_->failures[CallPoint::kAcquire] = FailureKind::kThrow;
  ArenaSource source = MakeSource();
  const Diagnostic diagnostic = CatchDiagnostic([&] { source.Allocate(100); });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kBackendThrew, "A", "boom", "");
}

TEST_F(ArenaSourceTest, TakesBlocksOfFactoriesThatTheCpuCannotAddress) {
  test_->is_memory_addressable = false;
  ArenaSource source = MakeSource();
  const auto block = source.Allocate(100);
  EXPECT_EQ(block->Get().data, nullptr);
  EXPECT_EQ(test_->CountEvents("acquire"), 1);
}

TEST_F(ArenaSourceTest, SurvivesReleaseThatThrows) {
  test_->failures[CallPoint::kRelease] = FailureKind::kThrow;
  ArenaSource source = MakeSource();
  source.Allocate(100);
  EXPECT_EQ(test_->CountEvents("release"), 1);
}

class ArenaAllocatorTest : public testing::Test {
 protected:
  ArenaSource MakeSource(BlockRule rule) {
    auto origin = std::make_shared<PluginOrigin>();
    origin->backend_id = "A";
    origin->declared_version = IBackendInternal::GetApiVersion();
    return {MakeBlockGiver(PluginObject<ICustomAllocator>(
                std::static_pointer_cast<ICustomAllocator>(allocator_), origin)),
            rule};
  }

  void ExpectRefusal(AllocatorFault fault, BlockRule rule, DiagnosticCode code,
                     const std::string& found, const std::string& expected) {
    allocator_->fault = fault;
    const int num_allocated = allocator_->GetNumAllocated();
    ArenaSource source = MakeSource(rule);
    ExpectDiagnostic(CatchDiagnostic([&] { source.Allocate(100); }), code, "A", found, expected);
    EXPECT_EQ(allocator_->GetNumLive(), 0) << "what was allocated is freed";
    EXPECT_LE(allocator_->GetNumAllocated(), num_allocated + 1) << "it is asked once";
  }

  std::shared_ptr<TestAllocator> allocator_ = std::make_shared<TestAllocator>();
};

TEST_F(ArenaAllocatorTest, GivesAlignedBlocksAndFreesThemOnce) {
  ArenaSource source = MakeSource(BlockRule::kCpu);
  {
    const auto first = source.Allocate(100);
    const auto second = source.Allocate(50);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first->Get().data) % 64, 0U);
    EXPECT_NE(first->Get().data, second->Get().data);
    EXPECT_EQ(allocator_->GetNumLive(), 2);
    EXPECT_EQ(source.GetProtection(), MemoryProtection::kNone);
  }
  EXPECT_EQ(allocator_->GetNumLive(), 0);
  EXPECT_EQ(allocator_->GetNumWronglyFreed(), 0);
}

TEST_F(ArenaAllocatorTest, TakesNothingElseWhenTheApplicationsFails) {
  ExpectRefusal(AllocatorFault::kFails, BlockRule::kCpu, DiagnosticCode::kOutOfMemory,
                "the custom allocator of the application for backend \"A\"", "\"out of memory\"");
  ExpectRefusal(AllocatorFault::kThrows, BlockRule::kCpu, DiagnosticCode::kAllocatorFailed,
                "the allocator is angry", "expected a block or a status");
  ExpectRefusal(AllocatorFault::kThrowsNumber, BlockRule::kCpu, DiagnosticCode::kAllocatorFailed,
                "not a std::exception", "expected a block or a status");
  ExpectRefusal(AllocatorFault::kMisaligns, BlockRule::kCpu, DiagnosticCode::kAllocatorFailed,
                "not a multiple of 64", "expected one that is");
  ExpectRefusal(AllocatorFault::kTooSmall, BlockRule::kCpu, DiagnosticCode::kAllocatorFailed,
                "a block of 99 bytes", "expected 100");
  ExpectRefusal(AllocatorFault::kNoAddress, BlockRule::kCpu, DiagnosticCode::kAllocatorFailed,
                "a block without an address", "expected one that the CPU can use");
}

TEST_F(ArenaAllocatorTest, SurvivesFreeThatFails) {
  for (const AllocatorFault fault : {AllocatorFault::kFreeFails, AllocatorFault::kFreeThrows}) {
    allocator_->fault = fault;
    ArenaSource source = MakeSource(BlockRule::kCpu);
    EXPECT_NO_THROW(source.Allocate(100));
  }
  EXPECT_EQ(allocator_->GetNumAllocated(), 2);
}

TEST_F(ArenaAllocatorTest, GivesProtectedBlocksWithoutAnAddress) {
  allocator_->source = MemorySource::kDmaBufProtected;
  ArenaSource source = MakeSource(BlockRule::kProtected);
  const auto block = source.Allocate(100);
  EXPECT_EQ(block->Get().data, nullptr);
  EXPECT_GE(block->Get().file_descriptor, 0);
  EXPECT_EQ(source.GetProtection(), MemoryProtection::kProtected);
}

TEST_F(ArenaAllocatorTest, TakesNothingElseForProtectedBlocks) {
  constexpr BlockRule kRule = BlockRule::kProtected;
  constexpr DiagnosticCode kCode = DiagnosticCode::kUnprotectedMemory;
  ExpectRefusal(AllocatorFault::kNone, kRule, kCode, "a block of another kind",
                "expected a protected dma-buf");
  allocator_->source = MemorySource::kDmaBufProtected;
  ExpectRefusal(AllocatorFault::kLies, kRule, kCode, "a block of another kind",
                "expected a protected dma-buf");
  ExpectRefusal(AllocatorFault::kAddress, kRule, kCode, "an address in a protected block",
                "expected none");
  ExpectRefusal(AllocatorFault::kNoDescriptor, kRule, kCode, "no file descriptor",
                "expected that of a dma-buf");
  ExpectRefusal(AllocatorFault::kTooSmall, kRule, kCode, "a block of 99 bytes", "expected 100");
  ExpectRefusal(AllocatorFault::kFails, kRule, DiagnosticCode::kOutOfMemory, "100 bytes",
                "\"out of memory\"");
  ExpectRefusal(AllocatorFault::kThrows, kRule, DiagnosticCode::kAllocatorFailed,
                "the allocator is angry", "expected a block or a status");
}

}  // namespace
}  // namespace backplane
