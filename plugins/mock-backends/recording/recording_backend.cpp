/// A backend that runs, records every call that concerns the life of runtimes and networks, and
/// fails where its options say. Its capability "Calls" tells what it has recorded.
///
/// With the word "protected" its row makes it state that it can work in protected memory.

#include "contexts.hpp"
#include "execution.hpp"
#include "recorder.hpp"
#include "row.hpp"

namespace {

using backplane::mock::kRow;
using recording_mock::Failure;
using recording_mock::Record;

class RecordingBackend final : public backplane::IBackendInternal {
 public:
  const char* GetId() const override { return kRow.name; }

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
    if (args.allocator && args.allocator->GetMemorySource() == backplane::MemorySource::kDmaBuf) {
      throw backplane::UnsupportedException("dma-buf memory does not reach the mock device");
    }
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
    backplane::BackendCapabilities capabilities{{"Calls", recording_mock::CopyCalls()},
                                                {backplane::kCapabilityCustomAllocator, true}};
    if (kRow.is_protected) capabilities.emplace_back(backplane::kCapabilityProtectedMemory, true);
    return capabilities;
  }

  std::vector<backplane::OptionSchema> GetOptionSchemas() const override {
    return recording_mock::DescribeOptions();
  }

 private:
  static void Pass(const std::string& function, const backplane::IBackendContext* context) {
    Record(function + (context != nullptr ? "" : " without context"));
  }
};

}  // namespace

BACKPLANE_BACKEND(RecordingBackend, kRow.name);
