#include "honest_memory.hpp"

#include "honest_backend.hpp"
#include "wire/file_descriptor.hpp"

#include <backplane/host/shared_memory.hpp>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <stdexcept>

namespace backplane::fuzz {
namespace {

MemoryView Describe(const TensorInfo& info) {
  MemoryView view;
  view.source = MemorySource::kMalloc;
  view.size_bytes = info.GetSizeBytes();
  view.alignment_bytes = GetDataTypeSizeBytes(info.data_type);
  view.data_type = info.data_type;
  view.rank = info.shape.rank;
  std::int64_t stride = static_cast<std::int64_t>(view.alignment_bytes);
  for (std::uint32_t axis = view.rank; axis-- > 0;) {
    view.dims[axis] = info.shape[axis];
    view.strides_bytes[axis] = stride;
    stride *= info.shape[axis];
  }
  return view;
}

/// A file of memory, mapped.
class MappedFile {
 public:
  /// As much of a file as is asked for. Empty: it cannot be mapped, or is shorter.
  MappedFile(int descriptor, std::uint64_t size_bytes) {
    struct stat status {};
    if (size_bytes == 0 || fstat(descriptor, &status) != 0) return;
    if (static_cast<std::uint64_t>(status.st_size) < size_bytes) return;
    data_ = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    size_bytes_ = size_bytes;
  }
  ~MappedFile() {
    if (GetData() != nullptr) munmap(data_, size_bytes_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  void* GetData() const { return data_ == MAP_FAILED ? nullptr : data_; }

 private:
  void* data_ = MAP_FAILED;
  std::uint64_t size_bytes_ = 0;
};

wire::FileDescriptor MakeFile(std::uint64_t size_bytes) {
  wire::FileDescriptor file(memfd_create("honest", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  constexpr std::uint64_t kMostBytes = 1U << 20U;
  if (size_bytes > kMostBytes || ftruncate(file.Get(), static_cast<off_t>(size_bytes)) != 0) {
    throw std::runtime_error("there is no memory");
  }
  return file;
}

/// Where a tensor lies.
struct Place {
  MemoryView own;
  MemoryView imported;
  std::unique_ptr<MappedFile> imported_file;

  const MemoryView* Get() const {
    return imported.data != nullptr ? &imported : own.data != nullptr ? &own : nullptr;
  }
};

class HonestHandle : public ITensorHandle {
 public:
  explicit HonestHandle(const TensorInfo& info) { place_->own = Describe(info); }

  const MemoryView* GetMemoryView() const override { return place_->Get(); }
  Status Bind(const MemoryBlock& block, std::uint64_t offset_bytes) override {
    MemoryView& view = place_->own;
    const bool fits = block.data != nullptr && offset_bytes <= block.size_bytes &&
                      view.size_bytes <= block.size_bytes - offset_bytes;
    if (!fits) return Status::kInvalidArgument;
    view.data = static_cast<std::byte*>(block.data) + offset_bytes;
    return Status::kSuccess;
  }
  Status Map(MemoryAccess /*access*/, MemoryView* view) override {
    if (GetMemoryView() == nullptr) return Status::kInvalidArgument;
    *view = *GetMemoryView();
    return Status::kSuccess;
  }
  Status Unmap() override { return Status::kSuccess; }
  Status Import(const MemoryView& memory) override {
    if (memory.size_bytes < place_->own.size_bytes) return Status::kInvalidArgument;
    auto file = memory.file_descriptor >= 0
                    ? std::make_unique<MappedFile>(memory.file_descriptor, memory.size_bytes)
                    : nullptr;
    void* const data = file ? file->GetData() : memory.data;
    if (data == nullptr) return Status::kInvalidArgument;
    place_->imported = place_->own;
    place_->imported.data = data;
    place_->imported_file = std::move(file);
    return Status::kSuccess;
  }
  Status Unimport() override {
    place_->imported = {};
    place_->imported_file.reset();
    return Status::kSuccess;
  }
  Status Export(MemorySource source, MemoryView* memory) override {
    if (GetMemoryView() == nullptr) return Status::kInvalidArgument;
    *memory = *GetMemoryView();
    return source == memory->source ? Status::kSuccess : Status::kUnsupported;
  }

  const std::shared_ptr<Place>& GetPlace() const { return place_; }

 private:
  const std::shared_ptr<Place> place_ = std::make_shared<Place>();
};

class BoundHandle final : public HonestHandle {
 public:
  using HonestHandle::HonestHandle;
};

class OwningHandle final : public HonestHandle {
 public:
  explicit OwningHandle(const TensorInfo& info)
      : HonestHandle(info),
        file_(MakeFile(info.GetSizeBytes())),
        mapped_(file_.Get(), info.GetSizeBytes()) {
    GetPlace()->own.data = mapped_.GetData();
  }
  Status Bind(const MemoryBlock& /*block*/, std::uint64_t /*offset_bytes*/) override {
    return Status::kUnsupported;
  }
  Status Export(MemorySource source, MemoryView* memory) override {
    if (source != MemorySource::kFileDescriptor) return Status::kUnsupported;
    *memory = GetPlace()->own;
    memory->source = source;
    memory->data = nullptr;
    memory->file_descriptor = file_.Get();
    return Status::kSuccess;
  }

 private:
  const wire::FileDescriptor file_;
  const MappedFile mapped_;
};

/// Lies in its parent, wherever that lies.
class PartHandle final : public ITensorHandle {
 public:
  PartHandle(std::shared_ptr<const Place> whole, const TensorInfo& info)
      : whole_(std::move(whole)), view_(Describe(info)) {}

  const MemoryView* GetMemoryView() const override {
    const MemoryView* const whole = whole_->Get();
    if (whole == nullptr || whole->size_bytes < view_.size_bytes) return nullptr;
    view_.data = whole->data;
    return &view_;
  }
  Status Bind(const MemoryBlock& /*block*/, std::uint64_t /*offset_bytes*/) override {
    return Status::kUnsupported;
  }
  Status Map(MemoryAccess /*access*/, MemoryView* view) override {
    if (GetMemoryView() == nullptr) return Status::kInvalidArgument;
    *view = view_;
    return Status::kSuccess;
  }
  Status Unmap() override { return Status::kSuccess; }
  Status Import(const MemoryView& /*memory*/) override { return Status::kUnsupported; }
  Status Unimport() override { return Status::kUnsupported; }
  Status Export(MemorySource /*source*/, MemoryView* /*memory*/) override {
    return Status::kUnsupported;
  }

 private:
  const std::shared_ptr<const Place> whole_;
  mutable MemoryView view_;
};

template <typename Handle>
class HonestFactory final : public ITensorHandleFactory {
 public:
  explicit HonestFactory(const char* id) : id_(id) {}

  const char* GetId() const override { return id_; }
  Status GetProperties(TensorHandleFactoryProperties* properties) const override {
    constexpr bool kOwns = std::is_same_v<Handle, OwningHandle>;
    properties->supports_map_unmap = 1;
    properties->supports_sub_tensors = kOwns ? 0 : 1;
    properties->owns_memory = kOwns ? 1 : 0;
    properties->import_sources =
        ToFlags(MemorySource::kMalloc) | ToFlags(MemorySource::kFileDescriptor);
    properties->export_sources =
        ToFlags(kOwns ? MemorySource::kFileDescriptor : MemorySource::kMalloc);
    return Status::kSuccess;
  }
  MemoryRequirements GetRequirements(const TensorRequirementsArgs& args) const override {
    return {args.info->GetSizeBytes(), alignof(std::max_align_t), {}};
  }
  std::unique_ptr<ITensorHandle> CreateTensorHandle(const TensorHandleArgs& args) const override {
    return std::make_unique<Handle>(*args.info);
  }
  std::unique_ptr<ITensorHandle> CreateSubTensorHandle(
      const SubTensorHandleArgs& args) const override {
    const auto* const parent = dynamic_cast<const Handle*>(args.parent);
    return parent != nullptr ? std::make_unique<PartHandle>(parent->GetPlace(), *args.info)
                             : nullptr;
  }

 private:
  const char* const id_;
};

class FileManager final : public IMemoryManager {
 public:
  Status Acquire(const MemoryRequirements& requirements, MemoryBlock* block) override {
    auto area = SharedArea::Make(requirements.size_bytes);
    block->data = area->GetData();
    block->file_descriptor = area->GetDescriptor();
    block->source = MemorySource::kFileDescriptor;
    block->size_bytes = requirements.size_bytes;
    blocks_[block->data] = std::move(area);
    return Status::kSuccess;
  }
  void Release(const MemoryBlock& block) override { blocks_.erase(block.data); }

 private:
  std::map<void*, std::shared_ptr<SharedArea>> blocks_;
};

}  // namespace

std::unique_ptr<ITensorHandleFactory> MakeBoundFactory() {
  return std::make_unique<HonestFactory<BoundHandle>>(kBoundFactoryId);
}

std::unique_ptr<ITensorHandleFactory> MakeOwningFactory() {
  return std::make_unique<HonestFactory<OwningHandle>>(kOwningFactoryId);
}

std::shared_ptr<IMemoryManager> MakeFileManager() {
  return std::make_shared<FileManager>();
}

}  // namespace backplane::fuzz
