#include "folding/folding.hpp"

#include "nodes/i_graph_import.hpp"
#include "tensors/aligned_memory.hpp"

#include <cstring>

namespace backplane::onnx {

std::shared_ptr<unsigned char> AllocateResult(MemoryBudget& budget, std::uint64_t size_bytes) {
  RequireAtMost(budget, size_bytes, MemoryBudget::kMaxFoldedBytes);
  if (!budget.Take(size_bytes)) throw NotFolded{};
  std::shared_ptr<unsigned char> memory = AllocateAligned(size_bytes);
  if (!memory) throw NotFolded{};
  return memory;
}

void RequireAtMost(const MemoryBudget& budget, std::uint64_t count, std::uint64_t most) {
  if (budget.IsBounded() && count > most) throw NotFolded{};
}

void CountReading(Node& node, std::size_t index, std::uint64_t times) {
  std::uint64_t size_bytes = 0;
  if (__builtin_mul_overflow(node.GetInputInfo(index).GetSizeBytes(), times, &size_bytes) ||
      !node.GetScope().import.GetBudget().TakeReading(size_bytes)) {
    throw NotFolded{};
  }
}

Value MakeInts(Node& node, const TensorShape& shape, const std::vector<std::int64_t>& elements) {
  const TensorInfo info = {shape, DataType::kInt64};
  const auto bytes = AllocateResult(node.GetScope().import.GetBudget(), info.GetSizeBytes());
  if (!elements.empty()) std::memcpy(bytes.get(), elements.data(), info.GetSizeBytes());
  return MakeConstant(info, bytes);
}

}  // namespace backplane::onnx
