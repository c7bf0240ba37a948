#include "use_memory.hpp"

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>

namespace backplane::fuzz {
namespace {

// Of larger memory, these at both of its ends.
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 10U;
constexpr std::uint64_t kStepBytes = 64;

void UseBytes(volatile std::byte* data, std::uint64_t size_bytes, Use use) {
  const auto use_byte = [&](std::uint64_t offset) {
    const std::byte byte = data[offset];
    if (use == Use::kReadAndWrite) data[offset] = byte;
  };
  for (std::uint64_t offset = 0; offset < std::min(size_bytes, kMostBytes); offset += kStepBytes) {
    use_byte(offset);
    use_byte(size_bytes - 1 - offset);
  }
}

std::string FindFault(const MemoryView& view, const TensorInfo& info) {
  if (view.rank > kMaxRank) return "a rank beyond the largest";
  if (view.layout == TensorLayout::kOpaque) {
    return view.data == nullptr ? "" : "an address of what only the backend understands";
  }
  if (view.layout != TensorLayout::kKnown) return "a layout that there is not";
  if (view.data_type != info.data_type || view.rank != info.shape.rank) return "another tensor";
  if (!std::equal(view.dims, view.dims + view.rank, info.shape.dims)) return "other extents";
  if (view.data == nullptr || view.alignment_bytes == 0) return "";
  const auto address = reinterpret_cast<std::uintptr_t>(view.data);
  return view.alignment_bytes <= (address & (~address + 1)) ? "" : "an alignment that is not there";
}

void UseFile(const MemoryView& view, Use use) {
  struct stat status {};
  if (fstat(view.file_descriptor, &status) != 0) return;
  const auto file_bytes = static_cast<std::uint64_t>(std::max<off_t>(status.st_size, 0));
  if (view.size_bytes == 0 || view.offset_bytes > file_bytes ||
      view.size_bytes > file_bytes - view.offset_bytes) {
    return;
  }
  const std::uint64_t whole_bytes = view.offset_bytes + view.size_bytes;
  void* data =
      mmap(nullptr, whole_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, view.file_descriptor, 0);
  if (data == MAP_FAILED) {
    use = Use::kRead;
    data = mmap(nullptr, whole_bytes, PROT_READ, MAP_SHARED, view.file_descriptor, 0);
  }
  if (data == MAP_FAILED) return;
  UseBytes(static_cast<std::byte*>(data) + view.offset_bytes, view.size_bytes, use);
  munmap(data, whole_bytes);
}

}  // namespace

std::string UseMemory(const MemoryView& view, const TensorInfo& info, Use use) {
  const std::string fault = FindFault(view, info);
  if (!fault.empty()) return fault;
  if (view.data != nullptr && view.size_bytes != 0) {
    UseBytes(static_cast<std::byte*>(view.data), view.size_bytes, use);
  }
  if (view.file_descriptor >= 0) UseFile(view, use);
  return "";
}

LentTensor::LentTensor(const TensorInfo& info, void* data) {
  view_.data = data;
  view_.source = MemorySource::kMalloc;
  view_.size_bytes = info.GetSizeBytes();
  view_.alignment_bytes = GetDataTypeSizeBytes(info.data_type);
  view_.data_type = info.data_type;
  view_.rank = info.shape.rank;
  auto stride = static_cast<std::int64_t>(view_.alignment_bytes);
  for (std::uint32_t axis = view_.rank; axis-- > 0;) {
    view_.dims[axis] = info.shape[axis];
    view_.strides_bytes[axis] = stride;
    stride *= info.shape[axis];
  }
}

Status LentTensor::Bind(const MemoryBlock& /*block*/, std::uint64_t /*offset_bytes*/) {
  return Status::kUnsupported;
}

Status LentTensor::Map(MemoryAccess /*access*/, MemoryView* view) {
  *view = view_;
  return Status::kSuccess;
}

Status LentTensor::Unmap() {
  return Status::kSuccess;
}

Status LentTensor::Import(const MemoryView& /*memory*/) {
  return Status::kUnsupported;
}

Status LentTensor::Unimport() {
  return Status::kUnsupported;
}

Status LentTensor::Export(MemorySource /*source*/, MemoryView* /*memory*/) {
  return Status::kUnsupported;
}

}  // namespace backplane::fuzz
