#include "memory/arena_block.hpp"

#include "tensors/status_text.hpp"

#include <backplane/host/logging.hpp>

#include <mutex>
#include <utility>

namespace backplane {

namespace {

constexpr char kMemoryChannel[] = "memory";

class ManagerGiver final : public BlockGiver {
 public:
  explicit ManagerGiver(PluginObject<IMemoryManager> manager) : manager_(std::move(manager)) {}

  PluginResult<Status> Give(const MemoryRequirements& requirements, MemoryBlock* block) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    return manager_.Call<&IMemoryManager::Acquire>(requirements, block);
  }

  void TakeBack(const MemoryBlock& block) noexcept override {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto result = manager_.Call<&IMemoryManager::Release>(block);
    if (result.HasFailed()) Log(kMemoryChannel, LogLevel::kWarning, ToText(*result.failure));
  }

  std::string Describe() const override {
    return "the memory manager of backend \"" + GetBackendId() + "\"";
  }
  const std::string& GetBackendId() const override { return manager_.GetOrigin()->backend_id; }

 private:
  std::mutex mutex_;  // a memory manager is called by one thread at a time
  PluginObject<IMemoryManager> manager_;
};

class AllocatorGiver final : public BlockGiver {
 public:
  explicit AllocatorGiver(PluginObject<ICustomAllocator> allocator)
      : allocator_(std::move(allocator)) {}

  PluginResult<Status> Give(const MemoryRequirements& requirements, MemoryBlock* block) override {
    return allocator_.Call<&ICustomAllocator::Allocate>(requirements.size_bytes,
                                                        requirements.alignment_bytes, block);
  }

  void TakeBack(const MemoryBlock& block) noexcept override {
    const auto result = allocator_.Call<&ICustomAllocator::Free>(block);
    if (!result.HasFailed() && result.value == Status::kSuccess) return;
    Log(kMemoryChannel, LogLevel::kWarning,
        Describe() + " did not free a block: " +
            (result.HasFailed() ? result.failure->why : DescribeStatus(result.value)));
  }

  std::string Describe() const override {
    return "the custom allocator of the application for backend \"" + GetBackendId() + "\"";
  }
  const std::string& GetBackendId() const override { return allocator_.GetOrigin()->backend_id; }

 private:
  PluginObject<ICustomAllocator> allocator_;
};

}  // namespace

std::unique_ptr<BlockGiver> MakeBlockGiver(PluginObject<IMemoryManager> memory_manager) {
  return std::make_unique<ManagerGiver>(std::move(memory_manager));
}

std::unique_ptr<BlockGiver> MakeBlockGiver(PluginObject<ICustomAllocator> allocator) {
  return std::make_unique<AllocatorGiver>(std::move(allocator));
}

}  // namespace backplane
