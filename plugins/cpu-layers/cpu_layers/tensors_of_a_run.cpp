#include "cpu_layers/tensors_of_a_run.hpp"

namespace backplane {
namespace cpu_layers {
std::vector<TensorSize> GetSizes(const TensorInfo* const* infos, std::uint32_t count) {
  std::vector<TensorSize> sizes;
  sizes.reserve(count);
  for (std::uint32_t index = 0; index < count; ++index) {
    sizes.push_back({infos[index]->GetSizeBytes(), GetDataTypeSizeBytes(infos[index]->data_type)});
  }
  return sizes;
}

bool IsUsable(RunTensor tensor, const TensorSize& size) {
  if (size.size_bytes == 0) return true;
  const bp_view* const view = tensor.GetView();
  return view != nullptr && view->data != nullptr && view->num_bytes >= size.size_bytes &&
         reinterpret_cast<std::uintptr_t>(view->data) % size.element_size_bytes == 0 &&
         tensor.IsDense(size.element_size_bytes);
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
