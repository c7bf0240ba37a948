#include "compile/values.hpp"

namespace backplane {
namespace cpuacc {

ValueId Values::Add(const GraphTensor& tensor, TensorId id, const Layout& layout) {
  const ValueId value_id = GetCount();
  Value value;
  value.tensor = id;
  value.layout = layout;
  value.size_bytes = layout.GetSizeBytes(tensor.info);
  values_.push_back(value);
  of_tensor_[id].push_back(value_id);
  return value_id;
}

Root Values::FindRoot(ValueId id) const {
  std::uint64_t offset_bytes = 0;
  while (values_[id].whole != kNoValue) {
    offset_bytes += values_[id].offset_bytes;
    id = values_[id].whole;
  }
  return {id, offset_bytes};
}

ValueId Values::Find(TensorId tensor, const Layout& layout, ValueId end) const {
  for (const ValueId id : of_tensor_[tensor]) {
    if (id < end && values_[id].layout == layout) return id;
  }
  return kNoValue;
}

ValueId Values::GetFirst(TensorId tensor) const {
  return of_tensor_[tensor].front();
}

}  // namespace cpuacc
}  // namespace backplane
