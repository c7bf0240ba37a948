#include "tensors/flatten.hpp"

#include <cstddef>
#include <utility>

namespace backplane::execute_network {

Tensors Flatten(const std::string& name, const StageValue& value) {
  if (value.kind == StageValue::Kind::kTensor) {
    const auto* const begin = static_cast<const unsigned char*>(value.data.get());
    return {{name, value.info, {begin, begin + value.info.GetSizeBytes()}}};
  }
  Tensors tensors;
  for (std::size_t i = 0; i < value.elements.size(); ++i) {
    for (onnx::NamedTensor& tensor :
         Flatten(name + "[" + std::to_string(i) + "]", value.elements[i])) {
      tensors.push_back(std::move(tensor));
    }
  }
  return tensors;
}

}  // namespace backplane::execute_network
