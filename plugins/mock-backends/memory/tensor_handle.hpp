#pragma once

/// Handles of all kinds. They hold others to the contract of ITensorHandle: what it does not allow
/// is refused.

#include "counters.hpp"
#include "file_mapping.hpp"
#include "memory_manager.hpp"
#include "scenario.hpp"
#include "strides.hpp"

#include <optional>
#include <stdexcept>

namespace memory_mock {

/// How many imports of a loaded network are still to fail.
using ImportFailures = std::shared_ptr<std::atomic<std::int64_t>>;

/// Where a tensor lies: for others, and for the backend itself.
struct Place {
  backplane::MemoryView view;
  unsigned char* address = nullptr;
};

class TensorHandle : public backplane::ITensorHandle {
 public:
  TensorHandle(const Kind& kind, const backplane::TensorInfo& info, ImportFailures failures)
      : kind_(kind), info_(info), failures_(std::move(failures)) {
    if (kind.storage == Storage::kOwn) AllocateForItself();
    GetLiveHandles().Add(this);
  }

  /// A part of `parent`, from `origin` on; lies where the parent lies.
  TensorHandle(const TensorHandle& parent, const backplane::TensorInfo& info,
               const std::int64_t* origin)
      : kind_(parent.kind_), info_(info), parent_(&parent) {
    std::copy(origin, origin + info.shape.rank, origin_);
    GetLiveHandles().Add(this);
  }

  TensorHandle(const TensorHandle&) = delete;
  TensorHandle& operator=(const TensorHandle&) = delete;
  ~TensorHandle() override {
    GetLiveHandles().Remove(this);
    std::free(own_memory_);
  }

  const Kind& GetKind() const { return kind_; }
  const backplane::TensorShape& GetShape() const { return info_.shape; }

  /// The tensor's memory, with an address and in whatever layout it has.
  /// Null: not bound.
  const Place* GetPlace() const {
    if (parent_ != nullptr) return FollowParent();
    if (imported_) return &*imported_;
    return bound_ ? &*bound_ : nullptr;
  }

  const backplane::MemoryView* GetMemoryView() const override {
    const Place* place = GetPlace();
    const bool is_told = place != nullptr && kind_.layout == backplane::TensorLayout::kKnown;
    return is_told ? &place->view : nullptr;
  }

  backplane::Status Bind(const backplane::MemoryBlock& block, std::uint64_t offset_bytes) override {
    if (parent_ != nullptr || kind_.storage == Storage::kOwn) {
      return backplane::Status::kUnsupported;
    }
    const std::optional<Place> place = FindPlace(block, offset_bytes);
    if (!place || is_mapped_) return backplane::Status::kInvalidArgument;
    bound_ = place;
    ++GetCounters().binds;
    return backplane::Status::kSuccess;
  }

  backplane::Status Map(backplane::MemoryAccess access, backplane::MemoryView* view) override {
    if (!kind_.Has(kMaps)) return backplane::Status::kUnsupported;
    if (kind_.Has(kMapThrows)) throw std::runtime_error("the mock's memory cannot be mapped");
    const Place* place = GetPlace();
    if (place == nullptr || view == nullptr || is_mapped_ || !Permits(place->view.access, access)) {
      return backplane::Status::kInvalidArgument;
    }
    *view = place->view;
    view->data = place->address;
    view->access = access;
    is_mapped_ = true;
    ++GetCounters().maps;
    return backplane::Status::kSuccess;
  }

  backplane::Status Unmap() override {
    if (!is_mapped_) return backplane::Status::kInvalidArgument;
    is_mapped_ = false;
    return backplane::Status::kSuccess;
  }

  backplane::Status Import(const backplane::MemoryView& memory) override {
    const bool is_imported_source = (ToFlags(memory.source) & kind_.imports) != 0;
    if (parent_ != nullptr || !is_imported_source) return backplane::Status::kUnsupported;
    if (is_mapped_ || !IsImportable(memory)) return backplane::Status::kInvalidArgument;
    if (failures_ && failures_->fetch_sub(1) > 0) return backplane::Status::kFailure;
    Place place{memory, static_cast<unsigned char*>(memory.data)};
    std::unique_ptr<FileMapping> mapping;
    if (memory.source == backplane::MemorySource::kFileDescriptor) {
      mapping = FileMapping::Make(memory);
      if (!mapping) return backplane::Status::kInvalidArgument;
      place.address = mapping->GetData();
      place.view.data = kind_.Has(kMaps) ? place.address : nullptr;
    }
    imported_ = place;
    mapping_ = std::move(mapping);
    ++GetCounters().imports;
    return backplane::Status::kSuccess;
  }

  backplane::Status Unimport() override {
    if (!imported_ || is_mapped_) return backplane::Status::kInvalidArgument;
    imported_.reset();
    mapping_.reset();
    ++GetCounters().unimports;
    return backplane::Status::kSuccess;
  }

  backplane::Status Export(backplane::MemorySource source, backplane::MemoryView* memory) override {
    if ((ToFlags(source) & kind_.exports) == 0) return backplane::Status::kUnsupported;
    const Place* place = GetPlace();
    if (place == nullptr || memory == nullptr || place->view.source != source) {
      return backplane::Status::kInvalidArgument;
    }
    *memory = place->view;
    ++GetCounters().exports;
    return backplane::Status::kSuccess;
  }

 private:
  std::optional<Place> FindPlace(const backplane::MemoryBlock& block,
                                 std::uint64_t offset_bytes) const {
    Allocation memory;
    if (kind_.storage == Storage::kHost) {
      memory = {static_cast<unsigned char*>(block.data), block.size_bytes, -1};
    } else {
      memory = GetAllocations().Find(block.token);
    }
    const std::uint64_t needed_bytes = GetSizeBytes(kind_, info_);
    if (memory.data == nullptr || memory.file_descriptor != GetExpectedFile(block) ||
        offset_bytes > block.size_bytes || needed_bytes > block.size_bytes - offset_bytes ||
        block.size_bytes > memory.size_bytes) {
      return std::nullopt;
    }
    return MakePlace(memory, offset_bytes);
  }

  int GetExpectedFile(const backplane::MemoryBlock& block) const {
    return kind_.storage == Storage::kMemfd ? block.file_descriptor : -1;
  }

  std::optional<Place> MakePlace(const Allocation& memory, std::uint64_t offset_bytes) const {
    Place place{MakeDenseView(info_), memory.data + offset_bytes};
    const auto address = reinterpret_cast<std::uintptr_t>(place.address);
    if (address % kind_.GetAlignmentBytes() != 0) return std::nullopt;
    place.view.alignment_bytes = GetAlignmentOf(address);
    place.view.size_bytes = GetSizeBytes(kind_, info_);
    place.view.layout = kind_.layout;
    if (kind_.storage == Storage::kHost || kind_.storage == Storage::kOwn) {
      place.view.data = place.address;
      place.view.source = backplane::MemorySource::kMalloc;
    } else if (kind_.storage == Storage::kMemfd) {
      place.view.file_descriptor = memory.file_descriptor;
      place.view.offset_bytes = offset_bytes;
      place.view.source = backplane::MemorySource::kFileDescriptor;
    }
    return place;
  }

  void AllocateForItself() {
    const std::uint64_t unit = std::max<std::uint64_t>(kind_.GetAlignmentBytes(), 64);
    const std::uint64_t size = GetSizeBytes(kind_, info_) / unit * unit + unit;
    own_memory_ = std::aligned_alloc(unit, size);
    if (own_memory_ == nullptr) throw std::bad_alloc();
    bound_ = MakePlace({static_cast<unsigned char*>(own_memory_), size, -1}, 0);
  }

  bool IsImportable(const backplane::MemoryView& memory) const {
    if (!IsOf(memory, info_) || memory.layout != backplane::TensorLayout::kKnown ||
        !HasGoodStrides(memory) || GetSpanBytes(memory) > memory.size_bytes) {
      return false;
    }
    const std::uint64_t alignment = kind_.GetAlignmentBytes();
    if (memory.source == backplane::MemorySource::kFileDescriptor) {
      return memory.file_descriptor >= 0 && memory.offset_bytes % alignment == 0;
    }
    return memory.data != nullptr && reinterpret_cast<std::uintptr_t>(memory.data) % alignment == 0;
  }

  const Place* FollowParent() const {
    const Place* whole = parent_->GetPlace();
    if (whole == nullptr) return nullptr;
    part_ = *whole;
    std::int64_t offset = 0;
    for (std::uint32_t axis = 0; axis < info_.shape.rank; ++axis) {
      offset += origin_[axis] * whole->view.strides_bytes[axis];
      part_.view.dims[axis] = info_.shape[axis];
    }
    part_.address += offset;
    if (part_.view.data != nullptr) part_.view.data = part_.address;
    part_.view.offset_bytes += static_cast<std::uint64_t>(offset);
    part_.view.size_bytes = GetSpanBytes(part_.view);
    part_.view.alignment_bytes = GetAlignmentOf(reinterpret_cast<std::uintptr_t>(part_.address));
    return &part_;
  }

  const Kind& kind_;
  const backplane::TensorInfo info_;
  const ImportFailures failures_;
  const TensorHandle* const parent_ = nullptr;
  std::int64_t origin_[backplane::kMaxRank] = {};
  void* own_memory_ = nullptr;
  std::optional<Place> bound_;
  std::optional<Place> imported_;
  std::unique_ptr<FileMapping> mapping_;
  mutable Place part_;  // as the parent was when it was asked last
  bool is_mapped_ = false;
};

}  // namespace memory_mock
