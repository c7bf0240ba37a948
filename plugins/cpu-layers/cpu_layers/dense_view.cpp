#include "cpu_layers/dense_view.hpp"

namespace backplane {
namespace cpu_layers {

MemoryView DescribeDense(const TensorInfo& info) {
  MemoryView view;
  view.size_bytes = info.GetSizeBytes();
  view.data_type = info.data_type;
  view.rank = info.shape.rank;
  std::int64_t stride = GetDataTypeSizeBytes(info.data_type);
  for (std::uint32_t axis = info.shape.rank; axis-- > 0;) {
    view.dims[axis] = info.shape[axis];
    view.strides_bytes[axis] = stride;
    if (info.shape[axis] > 1) stride *= info.shape[axis];
  }
  return view;
}

bool Allows(MemoryAccess given, MemoryAccess wanted) {
  return (static_cast<std::uint32_t>(wanted) & ~static_cast<std::uint32_t>(given)) == 0;
}

// The lowest bit.
std::uint64_t GetAlignment(const void* data) {
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  return address & (~address + 1);
}

}  // namespace cpu_layers
}  // namespace backplane
