#include "operators/calculated_constant.hpp"

#include "tensors/memory_budget.hpp"
#include "values/elements.hpp"

namespace backplane::onnx {

bool TakeMemoryForNumbers(Node& node, const std::vector<std::int64_t>& counts) {
  std::uint64_t size_bytes = sizeof(double);
  for (const std::int64_t count : counts) {
    if (count == 0) return true;
    if (__builtin_mul_overflow(size_bytes, count, &size_bytes)) return false;
  }
  return node.TakeMemory(size_bytes);
}

std::string GetMostMemory() {
  return std::to_string(MemoryBudget::kMaxBytes) + " bytes";
}

OutputSlot AddNumbers(Node& node, const TensorInfo& info, const std::vector<double>& numbers,
                      const std::string& suffix) {
  const Value constant = MakeElements(info, numbers);
  return node.AddConstant(constant.info, constant.data.get(), suffix);
}

}  // namespace backplane::onnx
