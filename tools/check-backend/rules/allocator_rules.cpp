// Allocators of the application that the backend is given.

#include "harness/session.hpp"

#include <backplane/api/i_custom_allocator.hpp>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <set>

namespace backplane::check_backend {
namespace {

/// An application's allocator that counts.
class CountingAllocator final : public ICustomAllocator {
 public:
  Status Allocate(std::uint64_t size_bytes, std::uint64_t alignment_bytes,
                  MemoryBlock* block) override {
    void* memory = nullptr;
    if (posix_memalign(&memory, std::max<std::uint64_t>(alignment_bytes, 64),
                       std::max<std::uint64_t>(size_bytes, 1)) != 0) {
      return Status::kOutOfMemory;
    }
    *block = {};
    block->data = memory;
    block->source = MemorySource::kMalloc;
    block->size_bytes = size_bytes;
    const std::lock_guard<std::mutex> lock(mutex_);
    blocks_.insert(memory);
    return Status::kSuccess;
  }

  Status Free(const MemoryBlock& block) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (blocks_.erase(block.data) == 0) {
      has_foreign_frees_ = true;
      return Status::kInvalidArgument;
    }
    std::free(block.data);
    return Status::kSuccess;
  }

  MemorySource GetMemorySource() const override { return MemorySource::kMalloc; }

  std::size_t CountBlocks() const { return blocks_.size(); }
  bool HasForeignFrees() const { return has_foreign_frees_; }

 private:
  std::mutex mutex_;
  std::set<void*> blocks_;
  bool has_foreign_frees_ = false;
};

}  // namespace

void CheckTakesAllocatorsAsItSays(Session& session) {
  Plugin& plugin = session.GetPlugin();
  if (!plugin.HasCapability(kCapabilityCustomAllocator)) {
    return session.Skip("it does not state the capability CustomAllocator");
  }
  if (!session.Begin("makes a context with an allocator of the application, and destroys it")) {
    return;
  }
  const auto allocator = std::make_shared<CountingAllocator>();
  BackendContextArgs args = plugin.MakeContextArgs();
  args.allocator = allocator;
  try {
    plugin.GetBackend().CreateBackendContext(args);
  } catch (const UnsupportedException& refusal) {
    session.Expect(*refusal.what() != '\0',
                   "CreateBackendContext refused the allocator without a reason",
                   "the reason, which the load report tells");
  }
  session.Expect(allocator->CountBlocks() == 0,
                 std::to_string(allocator->CountBlocks()) +
                     " blocks of the allocator were not freed when the context was gone",
                 "that each block is freed");
  session.Expect(!allocator->HasForeignFrees(),
                 "a block was freed that the allocator had not given, or twice",
                 "that each block is freed once");
}

}  // namespace backplane::check_backend
