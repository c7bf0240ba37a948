#include "memory/arena_block.hpp"

#include "tensors/host_memory.hpp"
#include "tensors/status_text.hpp"
#include "tensors/tensor_size.hpp"

#include <backplane/host/shared_memory.hpp>
#include <backplane/host/system_refusal.hpp>

#include <new>
#include <string>
#include <utility>

namespace backplane {

namespace {

// What keeps tensors from lying in a block, or "".
std::string FindFault(const MemoryBlock& block, const MemoryRequirements& needed, BlockRule rule) {
  if (block.size_bytes < needed.size_bytes) {
    return "a block of " + std::to_string(block.size_bytes) + " bytes; expected " +
           std::to_string(needed.size_bytes);
  }
  if (rule == BlockRule::kProtected) {
    if (block.source != MemorySource::kDmaBufProtected) {
      return "a block of another kind; expected a protected dma-buf";
    }
    if (block.data != nullptr) return "an address in a protected block; expected none";
    return block.file_descriptor >= 0 ? "" : "no file descriptor; expected that of a dma-buf";
  }
  if (block.data == nullptr && rule == BlockRule::kOfFactories) return "";
  if (block.data == nullptr) return "a block without an address; expected one that the CPU can use";
  const auto address = reinterpret_cast<std::uintptr_t>(block.data);
  if (address % needed.alignment_bytes == 0) return "";
  return "a block at an address that is not a multiple of " +
         std::to_string(needed.alignment_bytes) + "; expected one that is";
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

[[noreturn]] void ThrowFault(DiagnosticCode code, const BlockGiver& giver,
                             const std::string& fault) {
  Diagnostic diagnostic{code};
  diagnostic.subject = {SubjectKind::kBackend, giver.GetBackendId()};
  diagnostic.what =
      "tensors cannot lie in what " + giver.Describe() + " allocates, and may not lie elsewhere";
  diagnostic.why = "found " + fault;
  diagnostic.fix = "correct the allocator, or create the runtime without it";
  throw DiagnosticException(std::move(diagnostic));
}

// What an allocator of the application throws is not the backend's fault.
[[noreturn]] void ThrowThrown(const BlockGiver& giver, Diagnostic thrown, BlockRule rule) {
  if (rule == BlockRule::kOfFactories) throw DiagnosticException(std::move(thrown));
  ThrowFault(DiagnosticCode::kAllocatorFailed, giver,
             "an exception from it (" + thrown.why + "); expected a block or a status");
}

}  // namespace

ArenaSource::ArenaSource(std::unique_ptr<BlockGiver> giver, BlockRule rule)
    : giver_(std::move(giver)), rule_(rule) {}

std::unique_ptr<ArenaBlock> ArenaSource::Allocate(std::uint64_t size_bytes,
                                                  std::uint64_t alignment_bytes) {
  if (giver_) return AllocateFromGiver(size_bytes, alignment_bytes);
  try {
    return std::make_unique<ArenaBlock>(size_bytes, alignment_bytes, memory_);
  } catch (const std::bad_alloc& exception) {
    Diagnostic diagnostic = DescribeNoMemory(size_bytes, "the host", exception.what());
    const auto refusal = ExplainRefusal(ENOMEM);
    diagnostic.why += "; " + refusal->found;
    diagnostic.fix = refusal->cure + ", use smaller inputs, or run fewer networks at the same time";
    throw DiagnosticException(std::move(diagnostic));
  }
}

std::unique_ptr<ArenaBlock> ArenaSource::AllocateFromGiver(std::uint64_t size_bytes,
                                                           std::uint64_t alignment_bytes) {
  MemoryRequirements requirements;
  requirements.size_bytes = size_bytes;
  requirements.alignment_bytes = alignment_bytes;
  MemoryBlock memory;
  auto given = giver_->Give(requirements, &memory);
  if (given.HasFailed()) ThrowThrown(*giver_, std::move(*given.failure), rule_);
  if (given.value != Status::kSuccess) {
    Diagnostic diagnostic =
        DescribeNoMemory(size_bytes, giver_->Describe(), DescribeStatus(given.value));
    diagnostic.subject = {SubjectKind::kBackend, giver_->GetBackendId()};
    throw DiagnosticException(std::move(diagnostic));
  }
  auto block = std::make_unique<ArenaBlock>(*giver_, memory);
  const std::string fault = FindFault(memory, requirements, rule_);
  if (fault.empty()) return block;
  if (rule_ == BlockRule::kProtected) {
    ThrowFault(DiagnosticCode::kUnprotectedMemory, *giver_, fault);
  }
  if (rule_ == BlockRule::kOfFactories) {
    ThrowFault(DiagnosticCode::kFactoryDisagrees, *giver_, fault);
  }
  ThrowFault(DiagnosticCode::kAllocatorFailed, *giver_, fault);
}

ArenaBlock::ArenaBlock(std::uint64_t size_bytes, std::uint64_t alignment_bytes, HostMemory memory)
    : host_memory_(memory == HostMemory::kShared ? AllocateSharedMemory(size_bytes)
                                                 : ReserveHostMemory(size_bytes, alignment_bytes)) {
  block_.data = host_memory_.get();
  block_.source = MemorySource::kMalloc;
  block_.size_bytes = size_bytes;
}

ArenaBlock::~ArenaBlock() {
  if (giver_ != nullptr) giver_->TakeBack(block_);
}

}  // namespace backplane
