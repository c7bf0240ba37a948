#include "tensors/host_tensor_handle.hpp"

#include "tensors/dense_layout.hpp"
#include "tensors/tensor_size.hpp"

#include <backplane/api/run_arguments.hpp>

#include <algorithm>
#include <utility>

namespace backplane {

namespace {

// Where imported tensors without elements lie, so that they have an address too.
alignas(kTensorAlignmentBytes) unsigned char no_elements[kTensorAlignmentBytes];

std::uint64_t GetAlignment(std::uint64_t place) {
  if (place == 0) return kTensorAlignmentBytes;
  return std::min<std::uint64_t>(place & (~place + 1), kTensorAlignmentBytes);
}

std::uint64_t ToPlace(const void* data) {
  return reinterpret_cast<std::uintptr_t>(data);
}

bool IsAligned(std::uint64_t place, DataType type) {
  return place % std::max(GetDataTypeSizeBytes(type), 1U) == 0;
}

MemoryAccess Intersect(MemoryAccess a, MemoryAccess b) {
  return static_cast<MemoryAccess>(static_cast<std::uint32_t>(a) & static_cast<std::uint32_t>(b));
}

bool IsInFile(const MemoryView& memory) {
  return memory.file_descriptor >= 0 && IsAligned(memory.offset_bytes, memory.data_type);
}

bool Includes(MemoryAccess allowed, MemoryAccess wanted) {
  return Intersect(allowed, wanted) == wanted;
}

}  // namespace

HostTensorHandle::HostTensorHandle(const TensorInfo& info, MemoryAccess access) : access_(access) {
  SetDenseLayout(bound_, info);
  bound_.source = MemorySource::kMalloc;
  bound_.size_bytes = info.GetSizeBytes();
  bound_.access = access;
  imported_ = bound_;
}

Status HostTensorHandle::Bind(const MemoryBlock& block, std::uint64_t offset_bytes) {
  const bool has_memory = block.data != nullptr || block.file_descriptor >= 0;
  if (is_mapped_ || !has_memory || offset_bytes > block.size_bytes ||
      bound_.size_bytes > block.size_bytes - offset_bytes) {
    return Status::kInvalidArgument;
  }
  // A file begins at a page, so an offset in it is aligned as an address is.
  const std::uint64_t place = ToPlace(block.data) + offset_bytes;
  if (!IsAligned(place, bound_.data_type)) return Status::kInvalidArgument;
  bound_.data =
      block.data != nullptr ? static_cast<unsigned char*>(block.data) + offset_bytes : nullptr;
  bound_.file_descriptor = block.file_descriptor;
  bound_.offset_bytes = offset_bytes;
  bound_.source = block.source != MemorySource::kUndefined ? block.source : MemorySource::kMalloc;
  bound_.alignment_bytes = GetAlignment(place);
  is_bound_ = true;
  static_cast<void>(ShowView(*this));
  return Status::kSuccess;
}

Status HostTensorHandle::Map(MemoryAccess access, MemoryView* view) {
  const MemoryView* current = GetMemoryView();
  if (is_mapped_ || current == nullptr || view == nullptr || !Includes(current->access, access)) {
    return Status::kInvalidArgument;
  }
  if (current->data == nullptr) return Status::kUnsupported;
  *view = *current;
  is_mapped_ = true;
  return Status::kSuccess;
}

Status HostTensorHandle::Unmap() {
  if (!is_mapped_) return Status::kInvalidArgument;
  is_mapped_ = false;
  return Status::kSuccess;
}

Status HostTensorHandle::Import(const MemoryView& memory) {
  if (is_mapped_) return Status::kInvalidArgument;
  switch (memory.source) {
    case MemorySource::kMalloc:
      return ImportAddress(memory);
    case MemorySource::kFileDescriptor:
      return ImportMapped(memory);
    case MemorySource::kDmaBuf:
    case MemorySource::kDmaBufProtected:
      return ImportDescriptor(memory);
    case MemorySource::kUndefined:
      break;
  }
  return Status::kUnsupported;
}

bool HostTensorHandle::FitsTensor(const MemoryView& memory) const {
  return memory.layout == TensorLayout::kKnown && memory.data_type == bound_.data_type &&
         memory.rank == bound_.rank &&
         std::equal(memory.dims, memory.dims + memory.rank, bound_.dims) && IsDense(memory) &&
         memory.size_bytes >= bound_.size_bytes &&
         Intersect(memory.access, access_) != MemoryAccess{};
}

Status HostTensorHandle::ImportAddress(const MemoryView& memory) {
  const bool has_elements = bound_.size_bytes != 0;
  if (!FitsTensor(memory) || (has_elements && memory.data == nullptr) ||
      !IsAligned(ToPlace(memory.data), bound_.data_type)) {
    return Status::kInvalidArgument;
  }
  file_ = {};
  UseImport(has_elements ? memory.data : no_elements, MemorySource::kMalloc, memory);
  return Status::kSuccess;
}

Status HostTensorHandle::ImportMapped(const MemoryView& memory) {
  if (!FitsTensor(memory) || !IsInFile(memory)) return Status::kInvalidArgument;
  if (bound_.size_bytes == 0) {
    file_ = {};
    UseImport(no_elements, MemorySource::kMalloc, memory);
    return Status::kSuccess;
  }
  const Status status = file_.Map(memory.file_descriptor, memory.offset_bytes, bound_.size_bytes,
                                  Intersect(memory.access, access_));
  if (status != Status::kSuccess) return status;
  UseImport(file_.GetData(), MemorySource::kMalloc, memory);
  return Status::kSuccess;
}

Status HostTensorHandle::ImportDescriptor(const MemoryView& memory) {
  if (!FitsTensor(memory) || !IsInFile(memory)) return Status::kInvalidArgument;
  file_ = {};
  UseImport(nullptr, memory.source, memory);
  imported_.file_descriptor = memory.file_descriptor;
  imported_.offset_bytes = memory.offset_bytes;
  imported_.alignment_bytes = GetAlignment(memory.offset_bytes);
  static_cast<void>(ShowView(*this));
  return Status::kSuccess;
}

void HostTensorHandle::UseImport(void* data, MemorySource source, const MemoryView& memory) {
  imported_.data = data;
  imported_.source = source;
  imported_.access = Intersect(memory.access, access_);
  imported_.file_descriptor = -1;
  imported_.offset_bytes = 0;
  imported_.alignment_bytes = GetAlignment(ToPlace(data));
  is_imported_ = true;
  static_cast<void>(ShowView(*this));
}

Status HostTensorHandle::Unimport() {
  if (is_mapped_ || !is_imported_) return Status::kInvalidArgument;
  file_ = {};
  is_imported_ = false;
  static_cast<void>(ShowView(*this));
  return Status::kSuccess;
}

Status HostTensorHandle::Export(MemorySource source, MemoryView* memory) {
  const MemoryView* current = GetMemoryView();
  if (current == nullptr || memory == nullptr) return Status::kInvalidArgument;
  const bool is_address = source == MemorySource::kMalloc;
  const bool is_given = is_address ? current->data != nullptr
                                   : current->source == source && current->file_descriptor >= 0;
  if (!is_given) return Status::kUnsupported;
  *memory = *current;
  memory->source = source;
  if (is_address) {
    memory->file_descriptor = -1;
    memory->offset_bytes = 0;
  }
  return Status::kSuccess;
}

}  // namespace backplane
