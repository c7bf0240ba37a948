/// A backend that runs, records every call that concerns the life of runtimes and networks, and
/// fails where its options say. Its capability "Calls" tells what it has recorded.
///
/// With the word "protected" its row makes it state that it can work in protected memory; with
/// "protected_allocator" it has an allocator of such memory by itself, too.

#include "contexts.hpp"
#include "execution.hpp"
#include "recorder.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace {

using recording_mock::Failure;
using recording_mock::Record;

/// Blocks that are known by a descriptor alone.
class [[maybe_unused]] ProtectedAllocator final : public backplane::ICustomAllocator {
 public:
  backplane::Status Allocate(std::uint64_t size_bytes, std::uint64_t /*alignment_bytes*/,
                             backplane::MemoryBlock* block) override {
    block->file_descriptor = memfd_create("mock", MFD_CLOEXEC);
    block->source = backplane::MemorySource::kDmaBufProtected;
    block->size_bytes = size_bytes;
    Record("Allocate");
    return backplane::Status::kSuccess;
  }
  backplane::Status Free(const backplane::MemoryBlock& block) override {
    Record("Free");
    close(block.file_descriptor);
    return backplane::Status::kSuccess;
  }
  backplane::MemorySource GetMemorySource() const override {
    return backplane::MemorySource::kDmaBufProtected;
  }
};

class RecordingBackend final : public backplane::IBackendInternal {
 public:
  const char* GetId() const override { return BACKPLANE_MOCK_NAME; }

  std::unique_ptr<backplane::IMemoryManager> CreateMemoryManager(
      const backplane::BackendCallArgs& args) const override {
    Pass("CreateMemoryManager", args.context);
    Failure(*args.options).IsAt("CreateMemoryManager");
    return nullptr;
  }

  std::unique_ptr<backplane::IWorkloadFactory> CreateWorkloadFactory(
      const backplane::WorkloadFactoryArgs& args) const override {
    Pass("CreateWorkloadFactory", args.context);
    if (Failure(*args.options).IsAt("CreateWorkloadFactory")) return nullptr;
    return std::make_unique<recording_mock::WorkloadFactory>(*args.options);
  }

  std::unique_ptr<backplane::IBackendContext> CreateBackendContext(
      const backplane::BackendContextArgs& args) const override {
    Record("CreateBackendContext options=" + std::to_string(args.options->options.size()) +
           " allocator=" + (args.allocator ? "1" : "0") +
           " protected=" + std::to_string(args.is_protected_mode));
    const Failure failure(*args.options);
    if (failure.IsAt("CreateBackendContext")) return nullptr;
    return std::make_unique<recording_mock::Context>(failure);
  }

  std::shared_ptr<const backplane::IBackendModelContext> CreateBackendSpecificModelContext(
      const backplane::ModelContextArgs& args) const override {
    Pass("CreateBackendSpecificModelContext", args.context);
    return std::make_shared<recording_mock::ModelContext>();
  }

  std::shared_ptr<const backplane::ILayerSupport> GetLayerSupport(
      const backplane::LayerSupportArgs& args) const override {
    Pass("GetLayerSupport", args.context);
    return std::make_shared<recording_mock::LayerSupport>();
  }

  backplane::BackendCapabilities GetCapabilities() const override {
    backplane::BackendCapabilities capabilities{{"Calls", recording_mock::CopyCalls()}};
#ifdef BACKPLANE_MOCK_PROTECTED
    capabilities.emplace_back(backplane::kCapabilityProtectedMemory, true);
#endif
    return capabilities;
  }

  std::vector<backplane::OptionSchema> GetOptionSchemas() const override {
    return recording_mock::DescribeOptions();
  }

  bool UseCustomMemoryAllocator(const backplane::CustomAllocatorArgs& args,
                                std::string& reason) const override {
    Record("UseCustomMemoryAllocator");
    if (args.allocator->GetMemorySource() != backplane::MemorySource::kDmaBuf) return true;
    reason = "dma-buf memory does not reach the mock device";
    return false;
  }

#ifdef BACKPLANE_MOCK_PROTECTED_ALLOCATOR
  std::unique_ptr<backplane::ICustomAllocator> GetDefaultAllocator() const override {
    return std::make_unique<ProtectedAllocator>();
  }
#endif

 private:
  static void Pass(const std::string& function, const backplane::IBackendContext* context) {
    Record(function + (context != nullptr ? "" : " without context"));
  }
};

}  // namespace

BACKPLANE_BACKEND(RecordingBackend, BACKPLANE_MOCK_NAME);
