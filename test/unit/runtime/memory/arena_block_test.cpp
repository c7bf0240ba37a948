#include "memory/arena_block.hpp"

#include "expect_diagnostic.hpp"
#include "test_backend.hpp"

#include <limits>

namespace backplane {
namespace {

class ArenaSourceTest : public testing::Test {
 protected:
  ArenaSourceTest() { test_->has_memory_manager = true; }

  ArenaSource MakeSource() {
    const auto registration = MakeRegistration(test_);
    return ArenaSource({registration.factory()->CreateMemoryManager({}), registration.origin});
  }

  std::shared_ptr<TestBackend> test_ = std::make_shared<TestBackend>("A");
};

TEST(ArenaSource, GivesAlignedMemoryOfTheHost) {
  ArenaSource source{PluginObject<IMemoryManager>()};
  const auto block = source.Allocate(100);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block->Get().data) % 64, 0U);
  EXPECT_EQ(block->Get().size_bytes, 100U);
  EXPECT_EQ(block->Get().source, MemorySource::kMalloc);
}

TEST(ArenaSource, SaysHowMuchTheHostLacks) {
  ArenaSource source{PluginObject<IMemoryManager>()};
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

TEST_F(ArenaSourceTest, UsesTheHostWhenTheCpuCannotAddressTheBlock) {
  test_->is_memory_addressable = false;
  ArenaSource source = MakeSource();
  const auto block = source.Allocate(100);
  EXPECT_NE(block->Get().data, nullptr);
  EXPECT_EQ(test_->CountEvents("release"), 1);
}

TEST_F(ArenaSourceTest, SurvivesReleaseThatThrows) {
  test_->failures[CallPoint::kRelease] = FailureKind::kThrow;
  ArenaSource source = MakeSource();
  source.Allocate(100);
  EXPECT_EQ(test_->CountEvents("release"), 1);
}

}  // namespace
}  // namespace backplane
