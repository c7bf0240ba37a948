#pragma once

/// The kinds of tensor memory, and the memory manager.

#include "memory/tensor_handle_factory.hpp"
#include "mistake.hpp"

#include <cstring>
#include <memory>
#include <optional>

namespace mutants {

using backplane::MemoryView;
using backplane::Status;

/// In memory of the core, in memory of each handle, and in blocks that only handles map.
constexpr char kSharedId[] = "Mock/Mutants/Shared";
constexpr char kHeapId[] = "Mock/Mutants/Heap";
constexpr char kDeviceId[] = "Mock/Mutants/Device";

inline const memory_mock::Kind& GetSharedKind() {
  constexpr auto kMalloc = ToFlags(backplane::MemorySource::kMalloc);
  constexpr auto kFile = ToFlags(backplane::MemorySource::kFileDescriptor);
  static constexpr memory_mock::Kind kKind = {
      kSharedId,
      memory_mock::Storage::kHost,
      backplane::TensorLayout::kKnown,
      kMalloc | kFile,
      kMalloc,
      memory_mock::kMaps | memory_mock::kSubTensors | memory_mock::kInPlace |
          memory_mock::kCopiesWithin | memory_mock::kCopiesMalloc};
  return kKind;
}

inline const memory_mock::Kind& GetDeviceKind() {
  static constexpr memory_mock::Kind kKind = {
      kDeviceId,
      memory_mock::Storage::kDevice,
      backplane::TensorLayout::kKnown,
      0,
      0,
      memory_mock::kMaps | memory_mock::kCopiesWithin | memory_mock::kCopiesMalloc};
  return kKind;
}

inline const memory_mock::Kind& GetHeapKind() {
  static constexpr memory_mock::Kind kKind = {
      kHeapId,
      memory_mock::Storage::kOwn,
      backplane::TensorLayout::kKnown,
      0,
      0,
      memory_mock::kMaps | memory_mock::kCopiesWithin | memory_mock::kCopiesMalloc};
  return kKind;
}

/// Null: it is not one of this backend.
inline const memory_mock::Kind* FindKind(const char* id) {
  for (const memory_mock::Kind* kind : {&GetSharedKind(), &GetHeapKind(), &GetDeviceKind()}) {
    if (id != nullptr && std::strcmp(kind->id, id) == 0) return kind;
  }
  return nullptr;
}

class TensorHandle final : public memory_mock::TensorHandle {
 public:
  TensorHandle(const memory_mock::Kind& kind, const backplane::TensorInfo& info)
      : memory_mock::TensorHandle(kind, info, nullptr) {}
  TensorHandle(const memory_mock::TensorHandle& parent, const backplane::TensorInfo& info,
               const std::int64_t* origin)
      : memory_mock::TensorHandle(parent, info, origin), is_part_(true) {}

  const MemoryView* GetMemoryView() const override {
    if (is_lost_) return nullptr;
    const bool is_own = GetKind().storage == memory_mock::Storage::kOwn;
    if (is_own && !is_mapped_ && Makes(Mistake::kOwnMemoryLate)) return nullptr;
    if (Makes(Mistake::kPartStaysBehind) && is_part_ && kept_) return &*kept_;
    const MemoryView* view = memory_mock::TensorHandle::GetMemoryView();
    if (view == nullptr) return nullptr;
    kept_ = *view;
    Spoil(*kept_);
    return &*kept_;
  }

  Status Bind(const backplane::MemoryBlock& block, std::uint64_t offset_bytes) override {
    const bool is_own = GetKind().storage == memory_mock::Storage::kOwn;
    if (is_own && Makes(Mistake::kOwnMemoryBound)) return Status::kSuccess;
    backplane::MemoryBlock larger = block;
    if (Makes(Mistake::kBindsTooMuch)) larger.size_bytes += 1U << 20;
    const Status status = memory_mock::TensorHandle::Bind(larger, offset_bytes);
    if (status != Status::kSuccess && Makes(Mistake::kBindLosesPlace)) is_lost_ = true;
    if (status == Status::kSuccess) is_lost_ = false;
    return status;
  }

  Status Map(backplane::MemoryAccess access, MemoryView* view) override {
    if (is_mapped_ && Makes(Mistake::kMapsTwice)) {
      *view = *memory_mock::TensorHandle::GetMemoryView();
      return Status::kSuccess;
    }
    const Status status = memory_mock::TensorHandle::Map(access, view);
    if (status != Status::kSuccess) return status;
    is_mapped_ = true;
    if (Makes(Mistake::kMapLosesWrites)) {
      const auto* bytes = static_cast<const unsigned char*>(view->data);
      shadow_.assign(bytes, bytes + view->size_bytes);
      view->data = shadow_.data();
    }
    return status;
  }

  Status Unmap() override {
    is_mapped_ = false;
    const Status status = memory_mock::TensorHandle::Unmap();
    return Makes(Mistake::kUnmapsAlways) ? Status::kSuccess : status;
  }

  Status Import(const MemoryView& memory) override {
    if (Makes(Mistake::kImportIgnored)) return Status::kSuccess;
    const Status status = memory_mock::TensorHandle::Import(memory);
    const bool is_other = status == Status::kUnsupported;
    return is_other && Makes(Mistake::kImportsEverySource) ? Status::kSuccess : status;
  }

  Status Export(backplane::MemorySource source, MemoryView* memory) override {
    if (!Makes(Mistake::kExportsEverySource) && !Makes(Mistake::kExportsElsewhere)) {
      return memory_mock::TensorHandle::Export(source, memory);
    }
    const MemoryView* view = memory_mock::TensorHandle::GetMemoryView();
    if (view == nullptr) return Status::kInvalidArgument;
    *memory = *view;
    memory->source = source;
    if (Makes(Mistake::kExportsElsewhere)) {
      memory->data = static_cast<unsigned char*>(memory->data) + view->size_bytes;
      return memory_mock::TensorHandle::Export(source, &ignored_);
    }
    return Status::kSuccess;
  }

  Status Unimport() override {
    const Status status = memory_mock::TensorHandle::Unimport();
    if (status == Status::kSuccess && Makes(Mistake::kUnimportForgetsPlace)) is_lost_ = true;
    return status;
  }

 private:
  static void Spoil(MemoryView& view) {
    if (Makes(Mistake::kViewTooSmall)) view.size_bytes /= 2;
    if (Makes(Mistake::kViewTooLarge)) view.size_bytes *= 2;
    if (Makes(Mistake::kViewWithWrongDims) && view.rank > 1) std::swap(view.dims[0], view.dims[1]);
    if (Makes(Mistake::kViewWithoutStrides)) std::fill_n(view.strides_bytes, view.rank, 0);
  }

  const bool is_part_ = false;
  bool is_mapped_ = false;
  bool is_lost_ = false;
  mutable std::optional<MemoryView> kept_;  // as it was given last
  std::vector<unsigned char> shadow_;
  MemoryView ignored_;
};

class TensorHandleFactory final : public memory_mock::TensorHandleFactory {
 public:
  explicit TensorHandleFactory(const memory_mock::Kind& kind)
      : memory_mock::TensorHandleFactory(kind, nullptr), kind_(kind) {}

  Status GetProperties(backplane::TensorHandleFactoryProperties* properties) const override {
    const Status status = memory_mock::TensorHandleFactory::GetProperties(properties);
    if (Makes(Mistake::kPropertiesChange)) {
      properties->supports_map_unmap = is_asked_again_ ? 0 : 1;
      is_asked_again_ = true;
    }
    return status;
  }

  backplane::MemoryRequirements GetRequirements(
      const backplane::TensorRequirementsArgs& args) const override {
    auto requirements = memory_mock::TensorHandleFactory::GetRequirements(args);
    if (Makes(Mistake::kRequirementsHalved)) requirements.size_bytes /= 2;
    if (Makes(Mistake::kAlignmentOfThree)) requirements.alignment_bytes = 3;
    return requirements;
  }

  std::unique_ptr<backplane::ITensorHandle> CreateTensorHandle(
      const backplane::TensorHandleArgs& args) const override {
    return std::make_unique<TensorHandle>(kind_, *args.info);
  }

  std::unique_ptr<backplane::ITensorHandle> CreateSubTensorHandle(
      const backplane::SubTensorHandleArgs& args) const override {
    if (memory_mock::TensorHandleFactory::CreateSubTensorHandle(args) == nullptr) return nullptr;
    const auto& parent = static_cast<const memory_mock::TensorHandle&>(*args.parent);
    const std::int64_t nowhere[backplane::kMaxRank] = {};
    const bool is_begin = Makes(Mistake::kPartForgetsOrigin);
    return std::make_unique<TensorHandle>(parent, *args.info, is_begin ? nowhere : args.origin);
  }

 private:
  const memory_mock::Kind& kind_;
  mutable bool is_asked_again_ = false;
};

class MemoryManager final : public memory_mock::MemoryManager {
 public:
  using memory_mock::MemoryManager::MemoryManager;

  Status Acquire(const backplane::MemoryRequirements& requirements,
                 backplane::MemoryBlock* block) override {
    if (Makes(Mistake::kManagerGivesTwice) && last_.token != 0) {
      *block = last_;
      return Status::kSuccess;
    }
    const Status status = memory_mock::MemoryManager::Acquire(requirements, block);
    if (Makes(Mistake::kManagerGivesLess)) block->size_bytes /= 2;
    last_ = *block;
    return status;
  }

  void Release(const backplane::MemoryBlock& block) override {
    if (Makes(Mistake::kManagerKeepsBlocks)) return;
    memory_mock::MemoryManager::Release(block);
  }

 private:
  backplane::MemoryBlock last_;
};

}  // namespace mutants
