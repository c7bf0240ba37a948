#include "execution/handle_set.hpp"

namespace backplane {

TensorHandle MakeHandle(const PlannedTensor& tensor,
                        const PluginObject<ITensorHandleFactory>* factory,
                        const TensorHandle* parent) {
  if (tensor.place == TensorPlace::kConstant) return {*tensor.info, MemoryAccess::kRead};
  if (factory == nullptr) return {*tensor.info, MemoryAccess::kReadWrite};
  if (parent != nullptr) return {*factory, *parent, *tensor.info, tensor.part->origin};
  return {*factory, *tensor.info};
}

}  // namespace backplane
