#include "operators/calculated_constant.hpp"

#include "tensors/memory_budget.hpp"
#include "values/elements.hpp"

#include <numeric>

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

OutputSlot AddCounting(Node& node, std::int64_t first, const TensorShape& shape,
                       const std::string& suffix) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(shape.GetNumElements()));
  std::iota(numbers.begin(), numbers.end(), first);
  return node.AddConstant({shape, DataType::kInt64}, numbers.data(), suffix);
}

OutputSlot AddNumbers(Node& node, const TensorInfo& info, const std::vector<double>& numbers,
                      const std::string& suffix) {
  const Value constant = MakeElements(info, numbers);
  return node.AddConstant(constant.info, constant.data.get(), suffix);
}

}  // namespace backplane::onnx
