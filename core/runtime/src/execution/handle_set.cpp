#include "execution/handle_set.hpp"

namespace backplane {

TensorHandle MakeHandle(const PlannedTensor& tensor, const KindObjects& objects,
                        const TensorHandle* parent) {
  if (tensor.place == TensorPlace::kConstant) return {*tensor.info, MemoryAccess::kRead};
  if (tensor.kind == kHostKind) return {*tensor.info, MemoryAccess::kReadWrite};
  const PluginObject<ITensorHandleFactory>& factory = *objects.factories[tensor.kind];
  if (parent != nullptr) return {factory, *parent, *tensor.info, tensor.part->origin};
  return {factory, *tensor.info};
}

}  // namespace backplane
