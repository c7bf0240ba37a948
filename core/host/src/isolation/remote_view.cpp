#include "isolation/remote_view.hpp"

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

// Whether no element lies outside of what the view says to be its own.
bool IsTrue(const MemoryView& view) {
  if (!IsKnown(view.source)) return false;
  if (view.layout == TensorLayout::kOpaque) return true;
  if (view.layout != TensorLayout::kKnown || view.rank > kMaxRank) return false;
  const std::uint64_t element_bytes = GetDataTypeSizeBytes(view.data_type);
  if (element_bytes == 0) return false;
  std::uint64_t end_bytes = element_bytes;
  for (std::uint32_t axis = 0; axis < view.rank; ++axis) {
    if (view.dims[axis] < 0 || view.strides_bytes[axis] < 0) return false;
    if (view.dims[axis] == 0) return true;
  }
  for (std::uint32_t axis = 0; axis < view.rank; ++axis) {
    std::uint64_t last = 0;
    if (__builtin_mul_overflow(static_cast<std::uint64_t>(view.dims[axis] - 1),
                               static_cast<std::uint64_t>(view.strides_bytes[axis]), &last) ||
        __builtin_add_overflow(end_bytes, last, &end_bytes)) {
      return false;
    }
  }
  return end_bytes <= view.size_bytes;
}

}  // namespace

std::optional<MemoryView> TakeView(WorkerLink& link, Reply& reply,
                                   discovery::FileDescriptor& descriptor) {
  if (reply.reader.Take<std::uint8_t>() == 0) return std::nullopt;
  auto view = reply.reader.Take<MemoryView>();
  const auto area_id = reply.reader.Take<std::uint64_t>();
  const auto offset_bytes = reply.reader.Take<std::uint64_t>();
  link.CheckWhole(reply);
  if (!IsTrue(view)) return std::nullopt;
  view.data = nullptr;
  if (area_id != 0) {
    const auto area = link.FindArea(area_id);
    if (!area || offset_bytes > area->GetSizeBytes() ||
        view.size_bytes > area->GetSizeBytes() - offset_bytes) {
      return std::nullopt;
    }
    view.data = area->GetData() + offset_bytes;
  }
  const bool has_descriptor = view.file_descriptor >= 0 && !reply.message.descriptors.empty();
  view.file_descriptor = -1;
  if (has_descriptor) {
    descriptor = std::move(reply.message.descriptors.front());
    view.file_descriptor = descriptor.Get();
  }
  return view;
}

}  // namespace backplane::isolation
