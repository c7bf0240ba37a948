#include "memory/kinds.hpp"

#include "identity.hpp"
#include "memory/buffer_handle.hpp"
#include "memory/memory_manager.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace backplane {
namespace opencl {
namespace {

/// Behind each tensor, so that a kernel may load a whole vector where its last elements lie.
constexpr std::uint64_t kTailBytes = 64;

std::uint64_t GetPaddedBytes(const TensorInfo& info) {
  return (info.GetSizeBytes() + kTailBytes - 1) / kTailBytes * kTailBytes + kTailBytes;
}

class KindBase : public ITensorHandleFactory {
 public:
  ~KindBase() noexcept override = default;

  /// Kernels read dense tensors, and the core binds dense parts by itself.
  std::unique_ptr<ITensorHandle> CreateSubTensorHandle(
      const SubTensorHandleArgs& /*args*/) const override {
    return nullptr;
  }

 protected:
  explicit KindBase(std::shared_ptr<DeviceContext> device) : device_(std::move(device)) {}

  const std::shared_ptr<DeviceContext>& GetDevice() const { return device_; }
  std::uint64_t GetAlignment() const { return device_->GetDevice().alignment_bytes; }

 private:
  std::shared_ptr<DeviceContext> device_;
};

class DeviceKind final : public KindBase {
 public:
  explicit DeviceKind(std::shared_ptr<DeviceContext> device) : KindBase(std::move(device)) {}

  const char* GetId() const override { return kDeviceFactoryId; }

  Status GetProperties(TensorHandleFactoryProperties* properties) const override {
    properties->layout = TensorLayout::kOpaque;
    properties->copy_to_sources = ToFlags(MemorySource::kMalloc);
    properties->copy_from_sources = ToFlags(MemorySource::kMalloc);
    properties->copies_within_backend = 1;
    return Status::kSuccess;
  }

  MemoryRequirements GetRequirements(const TensorRequirementsArgs& args) const override {
    MemoryRequirements requirements;
    requirements.size_bytes = GetPaddedBytes(*args.info);
    requirements.alignment_bytes = GetAlignment();
    return requirements;
  }

  std::unique_ptr<ITensorHandle> CreateTensorHandle(const TensorHandleArgs& args) const override {
    return std::make_unique<DeviceHandle>(GetDevice(), *args.info, GetPaddedBytes(*args.info),
                                          GetAlignment());
  }
};

class HostVisibleKind final : public KindBase {
 public:
  explicit HostVisibleKind(std::shared_ptr<DeviceContext> device) : KindBase(std::move(device)) {}

  const char* GetId() const override { return kHostVisibleFactoryId; }

  Status GetProperties(TensorHandleFactoryProperties* properties) const override {
    properties->supports_map_unmap = 1;
    const bool imports = GetDevice()->GetDevice().has_unified_memory;
    properties->import_sources = imports ? ToFlags(MemorySource::kMalloc) : 0;
    properties->copies_within_backend = 1;
    return Status::kSuccess;
  }

  /// Kernels want elements aligned, and nothing more: what the device likes better would keep
  /// memory of the application from being imported.
  MemoryRequirements GetRequirements(const TensorRequirementsArgs& args) const override {
    MemoryRequirements requirements;
    requirements.size_bytes = args.info->GetSizeBytes();
    requirements.alignment_bytes = GetDataTypeSizeBytes(args.info->data_type);
    return requirements;
  }

  std::unique_ptr<ITensorHandle> CreateTensorHandle(const TensorHandleArgs& args) const override {
    return std::make_unique<HostVisibleHandle>(GetDevice(), *args.info,
                                               GetDataTypeSizeBytes(args.info->data_type));
  }
};

void Register(TensorHandleFactoryRegistry& registry, std::shared_ptr<IMemoryManager> memory,
              std::unique_ptr<ITensorHandleFactory> factory) {
  const Status manager = registry.RegisterMemoryManager(std::move(memory));
  if (manager != Status::kSuccess) throw std::logic_error("the memory manager was refused");
  // An id that is taken is reported by the host.
  static_cast<void>(registry.RegisterFactory(std::move(factory)));
}

}  // namespace

bool IsOwnKind(const char* factory_id) {
  return factory_id != nullptr && (std::strcmp(factory_id, kDeviceFactoryId) == 0 ||
                                   std::strcmp(factory_id, kHostVisibleFactoryId) == 0);
}

void RegisterKinds(TensorHandleFactoryRegistry& registry,
                   const std::shared_ptr<DeviceContext>& device, ILogger& logger) {
  Register(registry, std::make_shared<BufferManager>(device, 0, logger),
           std::make_unique<DeviceKind>(device));
  Register(registry, std::make_shared<BufferManager>(device, CL_MEM_ALLOC_HOST_PTR, logger),
           std::make_unique<HostVisibleKind>(device));
}

std::vector<std::string> GetPreferences(MemoryChoice choice, const Device& device) {
  if (choice == MemoryChoice::kDevice) return {kDeviceFactoryId};
  if (choice == MemoryChoice::kHostVisible) return {kHostVisibleFactoryId};
  if (!device.has_unified_memory) return {kDeviceFactoryId, kHostVisibleFactoryId};
  return {kHostVisibleFactoryId, kDeviceFactoryId, kHostTensorHandleFactoryId};
}

}  // namespace opencl
}  // namespace backplane
