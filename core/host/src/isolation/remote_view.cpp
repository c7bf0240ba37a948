#include "isolation/isolated_handle.hpp"

#include <backplane/host/logging.hpp>

#include <algorithm>
#include <utility>

namespace backplane::isolation {
namespace {

bool IsKnown(MemorySource source) {
  switch (source) {
    case MemorySource::kUndefined:
    case MemorySource::kMalloc:
    case MemorySource::kFileDescriptor:
    case MemorySource::kDmaBuf:
    case MemorySource::kDmaBufProtected:
      return true;
  }
  return false;
}

bool IsKnown(MemoryAccess access) {
  return access == MemoryAccess::kRead || access == MemoryAccess::kWrite ||
         access == MemoryAccess::kReadWrite;
}

// Whether a view shows a tensor of `info`, all of it inside of the view's memory.
bool IsTrue(const MemoryView& view, const TensorInfo& info) {
  if (!IsKnown(view.source) || !IsKnown(view.access) || view.rank > kMaxRank) return false;
  if (view.layout == TensorLayout::kOpaque) return true;
  const bool is_tensor = view.layout == TensorLayout::kKnown && view.data_type == info.data_type &&
                         view.rank == info.shape.rank &&
                         std::equal(info.shape.dims, info.shape.dims + view.rank, view.dims);
  const std::uint64_t element_bytes = GetDataTypeSizeBytes(view.data_type);
  if (!is_tensor || element_bytes == 0) return false;
  const auto used_bytes = CountUsedBytes(view);
  return used_bytes && *used_bytes <= view.size_bytes;
}

}  // namespace

std::optional<std::uint64_t> CountUsedBytes(const MemoryView& view) {
  const std::int64_t* const dims = view.dims;
  const std::int64_t* const strides = view.strides_bytes;
  if (std::any_of(strides, strides + view.rank, [](std::int64_t one) { return one < 0; })) {
    return std::nullopt;
  }
  if (std::find(dims, dims + view.rank, 0) != dims + view.rank) return 0;
  std::uint64_t end_bytes = GetDataTypeSizeBytes(view.data_type);
  for (std::uint32_t axis = 0; axis < view.rank; ++axis) {
    std::uint64_t last = 0;
    if (__builtin_mul_overflow(static_cast<std::uint64_t>(dims[axis] - 1),
                               static_cast<std::uint64_t>(strides[axis]), &last) ||
        __builtin_add_overflow(end_bytes, last, &end_bytes)) {
      return std::nullopt;
    }
  }
  return end_bytes;
}

std::optional<MemoryView> TakeView(Worker& worker, Reply& reply, const TensorInfo& info,
                                   ViewHold& hold) {
  hold = ViewHold();
  const auto placed = worker.Take<std::optional<serving::PlacedView>>(reply);
  if (!placed || !IsTrue(placed->view, info)) return std::nullopt;
  MemoryView view = serving::WithoutAddress(placed->view);
  if (placed->area != 0 && view.layout == TensorLayout::kKnown) {
    auto area = worker.FindArea(placed->area);
    if (!area || placed->offset_bytes > area->GetSizeBytes() ||
        view.size_bytes > area->GetSizeBytes() - placed->offset_bytes) {
      return std::nullopt;
    }
    // Writing to memory that is sealed here would crash, whatever the view allows.
    if (!area->IsWritable()) {
      if (view.access == MemoryAccess::kWrite) return std::nullopt;
      view.access = MemoryAccess::kRead;
    }
    view.data = area->GetData() + placed->offset_bytes;
    view.alignment_bytes = LimitAlignment(view.alignment_bytes, view.data);
    hold.area = std::move(area);
  }
  const bool has_descriptor =
      placed->view.file_descriptor >= 0 && !reply.message.descriptors.empty();
  if (has_descriptor && TakesFile(worker, reply.message.descriptors.front().Get())) {
    hold.file = std::move(reply.message.descriptors.front());
    view.file_descriptor = hold.file.Get();
  }
  return view;
}

std::uint64_t LimitAlignment(std::uint64_t alignment_bytes, const void* data) {
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(data);
  return std::min<std::uint64_t>(alignment_bytes, address & (~address + 1));
}

bool TakesFile(const Worker& worker, int file_descriptor) {
  if (SealLength(file_descriptor)) return true;
  Log(kIsolationChannel, LogLevel::kWarning,
      "a file of memory of backend \"" + worker.GetBackendId() +
          "\" is not used in this process, because the backend could make it shorter: its vendor "
          "must make it by memfd_create with MFD_ALLOW_SEALING");
  return false;
}

bool GivesFile(const Worker& worker, int file_descriptor) {
  if (CanBeGiven(file_descriptor)) return true;
  Log(kIsolationChannel, LogLevel::kWarning,
      "a file of memory is not given to backend \"" + worker.GetBackendId() +
          "\", which could make it shorter under those who have it mapped: it must be made by "
          "memfd_create with MFD_ALLOW_SEALING");
  return false;
}

}  // namespace backplane::isolation
