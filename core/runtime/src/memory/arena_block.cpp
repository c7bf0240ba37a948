#include "memory/arena_block.hpp"

#include "tensors/host_memory.hpp"
#include "tensors/tensor_size.hpp"

#include <backplane/host/logging.hpp>

#include <new>
#include <utility>

namespace backplane {

namespace {

constexpr char kChannel[] = "memory";

bool IsUsableByCpu(const MemoryBlock& block, std::uint64_t size_bytes) {
  return block.data != nullptr && block.size_bytes >= size_bytes &&
         reinterpret_cast<std::uintptr_t>(block.data) % kTensorAlignmentBytes == 0;
}

Diagnostic DescribeNoMemory(std::uint64_t size_bytes, const std::string& who,
                            const std::string& answer) {
  Diagnostic diagnostic{DiagnosticCode::kOutOfMemory};
  diagnostic.what = "the working memory of a network could not be allocated";
  diagnostic.why = "asked " + who + " for " + std::to_string(size_bytes) + " bytes; found \"" +
                   answer + "\", expected a block";
  diagnostic.fix = "free memory, use smaller inputs, or run fewer networks at the same time";
  return diagnostic;
}

}  // namespace

ArenaSource::ArenaSource(PluginObject<IMemoryManager> memory_manager)
    : memory_manager_(std::move(memory_manager)) {}

std::unique_ptr<ArenaBlock> ArenaSource::Allocate(std::uint64_t size_bytes) {
  if (memory_manager_) {
    if (auto block = AcquireFromManager(size_bytes)) return block;
  }
  try {
    return std::make_unique<ArenaBlock>(size_bytes);
  } catch (const std::bad_alloc& exception) {
    throw DiagnosticException(DescribeNoMemory(size_bytes, "the host", exception.what()));
  }
}

std::unique_ptr<ArenaBlock> ArenaSource::AcquireFromManager(std::uint64_t size_bytes) {
  const std::string& id = memory_manager_.GetOrigin()->backend_id;
  MemoryRequirements requirements;
  requirements.size_bytes = size_bytes;
  requirements.alignment_bytes = kTensorAlignmentBytes;
  MemoryBlock memory;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    auto result = memory_manager_.Call<&IMemoryManager::Acquire>(requirements, &memory);
    const Status status = result.GetOrThrow();
    if (status != Status::kSuccess) {
      Diagnostic diagnostic = DescribeNoMemory(
          size_bytes, "the memory manager of backend \"" + id + "\"", GetStatusText(status));
      diagnostic.subject = {SubjectKind::kBackend, id};
      throw DiagnosticException(std::move(diagnostic));
    }
  }
  auto block = std::make_unique<ArenaBlock>(*this, memory);
  if (IsUsableByCpu(memory, size_bytes)) return block;
  Log(kChannel, LogLevel::kDebug,
      "backend \"" + id + "\" allocates memory that is too small, not aligned to " +
          std::to_string(kTensorAlignmentBytes) +
          " bytes or not addressable by the CPU; tensors lie in memory of the host instead");
  return nullptr;
}

void ArenaSource::Release(const MemoryBlock& block) noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto result = memory_manager_.Call<&IMemoryManager::Release>(block);
  if (result.HasFailed()) Log(kChannel, LogLevel::kWarning, ToText(*result.failure));
}

ArenaBlock::ArenaBlock(std::uint64_t size_bytes) : host_memory_(AllocateHostMemory(size_bytes)) {
  block_.data = host_memory_.get();
  block_.source = MemorySource::kMalloc;
  block_.size_bytes = size_bytes;
}

ArenaBlock::~ArenaBlock() {
  if (source_ != nullptr) source_->Release(block_);
}

}  // namespace backplane
