// Allocators: the application's that the backend is given, and its own.

#include "harness/expectations.hpp"
#include "harness/session.hpp"

#include <backplane/api/i_custom_allocator.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <stdexcept>

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

/// A context made with the allocator, and destroyed again.
void UseContext(Session& session, const std::shared_ptr<CountingAllocator>& allocator) {
  Plugin& plugin = session.GetPlugin();
  BackendContextArgs args = plugin.MakeContextArgs();
  args.allocator = allocator;
  auto context = plugin.GetBackend().CreateBackendContext(args);
  args.allocator.reset();
  context.reset();
  session.Expect(allocator.use_count() == 1,
                 "the allocator was still kept " + std::to_string(allocator.use_count() - 1) +
                     " times when the context was gone",
                 "that it is released with the context");
  session.Expect(allocator->CountBlocks() == 0,
                 std::to_string(allocator->CountBlocks()) +
                     " blocks of the allocator were not freed when the context was gone",
                 "that each block is freed");
  session.Expect(!allocator->HasForeignFrees(),
                 "a block was freed that the allocator had not given, or twice",
                 "that each block is freed once");
}

}  // namespace

void CheckTakesAllocatorsAsItSays(Session& session) {
  if (!session.Begin("offers it an allocator of the application, and makes a context with it when "
                     "it agrees")) {
    return;
  }
  const auto allocator = std::make_shared<CountingAllocator>();
  CustomAllocatorArgs args;
  args.allocator = allocator;
  std::string reason;
  const bool is_used = session.GetPlugin().GetBackend().UseCustomMemoryAllocator(args, reason);
  args.allocator.reset();
  session.Expect(allocator.use_count() == 1, "UseCustomMemoryAllocator kept the allocator",
                 "that nothing is kept: the allocator comes with the arguments of the context");
  session.Expect(allocator->CountBlocks() == 0, "UseCustomMemoryAllocator allocated",
                 "an answer and nothing else");
  if (is_used) return UseContext(session, allocator);
  session.Expect(!reason.empty(), "UseCustomMemoryAllocator refused without a reason",
                 "the reason, which the load report tells");
}

// ---- its own

namespace {

void CheckBlockOf(Session& session, ICustomAllocator& allocator, std::uint64_t size,
                  std::uint64_t alignment) {
  MemoryBlock block;
  const Status status = allocator.Allocate(size, alignment, &block);
  const std::string what =
      "Allocate of " + std::to_string(size) + " bytes aligned to " + std::to_string(alignment);
  if (status != Status::kSuccess) {
    session.Expect(status == Status::kUnsupported || status == Status::kOutOfMemory,
                   what + " returned " + DescribeStatus(status), "kUnsupported or kOutOfMemory");
    session.Expect(block.data == nullptr && block.size_bytes == 0 && block.token == 0,
                   what + " failed, and changed the block", "a block that is untouched");
    return;
  }
  session.Expect(block.size_bytes >= size,
                 what + " gave " + std::to_string(block.size_bytes) + " bytes", "at least those");
  session.Expect(reinterpret_cast<std::uintptr_t>(block.data) % alignment == 0,
                 what + " gave another alignment", "that alignment, or kUnsupported");
  session.Expect(block.source == allocator.GetMemorySource(),
                 what + " gave memory of the source " +
                     std::to_string(static_cast<std::uint32_t>(block.source)) +
                     ", and GetMemorySource answered " +
                     std::to_string(static_cast<std::uint32_t>(allocator.GetMemorySource())),
                 "the same source");
  if (block.source == MemorySource::kMalloc && block.data != nullptr) {
    std::memset(block.data, 1, size);
  }
  ExpectStatus(session, "Free", allocator.Free(block), Status::kSuccess,
               "kSuccess for a block that the allocator gave");
}

}  // namespace

void CheckItsAllocatorGivesBlocks(Session& session) {
  const auto allocator = session.GetPlugin().GetBackend().GetDefaultAllocator();
  if (allocator == nullptr) return session.Skip("it has no default allocator");
  for (const std::uint64_t alignment : {16U, 64U, 4096U}) {
    if (!session.Begin("allocates from its default allocator, aligned to " +
                       std::to_string(alignment))) {
      continue;
    }
    for (const std::uint64_t size : {1U, 64U, 4097U, 1U << 20U}) {
      CheckBlockOf(session, *allocator, size, alignment);
    }
  }
  if (!session.Begin("asks its default allocator for 2^62 bytes")) return;
  MemoryBlock block;
  ExpectStatus(session, "Allocate", allocator->Allocate(std::uint64_t{1} << 62U, 16, &block),
               Status::kOutOfMemory, "kOutOfMemory, as no machine has that much");
}

}  // namespace backplane::check_backend
