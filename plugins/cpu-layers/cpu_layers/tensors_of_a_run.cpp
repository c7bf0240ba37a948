#include "cpu_layers/tensors_of_a_run.hpp"

namespace backplane {
namespace cpu_layers {
namespace {

/// Kernels read and write elements one after the other. The extents are the view's own: a tensor
/// may be looked at under another shape than the layer's.
bool IsDense(const bp_view& view, std::uint64_t element_size_bytes) {
  if (view.strides == nullptr) return true;
  std::int64_t stride = static_cast<std::int64_t>(element_size_bytes);
  for (std::uint32_t axis = view.rank; axis-- > 0;) {
    if (view.dims[axis] > 1 && view.strides[axis] != stride) return false;
    stride *= view.dims[axis];
  }
  return true;
}

bool IsUsable(const bp_view* view, const TensorSize& size) {
  if (size.size_bytes == 0) return true;
  return view != nullptr && view->data != nullptr && view->num_bytes >= size.size_bytes &&
         reinterpret_cast<std::uintptr_t>(view->data) % size.element_size_bytes == 0 &&
         IsDense(*view, size.element_size_bytes);
}

}  // namespace

std::vector<TensorSize> GetSizes(const TensorInfo* const* infos, std::uint32_t count) {
  std::vector<TensorSize> sizes;
  sizes.reserve(count);
  for (std::uint32_t index = 0; index < count; ++index) {
    sizes.push_back({infos[index]->GetSizeBytes(), GetDataTypeSizeBytes(infos[index]->data_type)});
  }
  return sizes;
}

bool IsUsable(RunTensor tensor, const TensorSize& size) {
  return IsUsable(tensor.GetView(), size);
}

bool AreUsable(RunTensorList tensors, const std::vector<TensorSize>& sizes) {
  if (tensors.GetCount() != sizes.size()) return false;
  for (std::uint32_t index = 0; index < tensors.GetCount(); ++index) {
    if (!IsUsable(tensors[index], sizes[index])) return false;
  }
  return true;
}

}  // namespace cpu_layers
}  // namespace backplane
