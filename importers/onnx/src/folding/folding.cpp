#include "folding/folding.hpp"

#include "tensors/aligned_memory.hpp"
#include "tensors/data_types.hpp"
#include "tensors/shape.hpp"
#include "values/elements.hpp"

#include <cstring>

namespace backplane::onnx {
namespace {

std::shared_ptr<unsigned char> AllocateZeros(std::uint64_t size_bytes) {
  std::shared_ptr<unsigned char> memory = AllocateAligned(size_bytes);
  if (!memory) throw NotFolded{};
  std::memset(memory.get(), 0, size_bytes);
  return memory;
}

}  // namespace

std::vector<std::int64_t> Folding::ReadInts(std::size_t index) const {
  const DataType type = GetInfo(index).data_type;
  if (!IsListType(type)) throw NotFolded{};
  return ReadElements<std::int64_t>(Get(index));
}

std::optional<std::vector<std::int64_t>> Folding::FindInts(const char* name, std::size_t index,
                                                           std::int64_t since) {
  if (GetOpset() < since) return GetAttributes().FindInts(name);
  if (!Has(index)) return {};
  return ReadInts(index);
}

void Folding::CountReading(std::size_t index, std::uint64_t times) {
  std::uint64_t size_bytes = 0;
  if (__builtin_mul_overflow(GetInfo(index).GetSizeBytes(), times, &size_bytes) ||
      !budget_.TakeReading(size_bytes)) {
    throw NotFolded{};
  }
}

void Folding::RequireAtMost(std::uint64_t count, std::uint64_t most) const {
  if (budget_.IsBounded() && count > most) throw NotFolded{};
}

FoldedTensor Folding::Make(const TensorInfo& info) {
  const std::uint64_t size_bytes = info.GetSizeBytes();
  RequireAtMost(size_bytes, MemoryBudget::kMaxFoldedBytes);
  if (!budget_.Take(size_bytes)) throw NotFolded{};
  return {info, AllocateZeros(size_bytes)};
}

FoldedTensor Folding::MakeInts(const std::vector<std::int64_t>& elements) {
  const FoldedTensor list = Make({{static_cast<std::int64_t>(elements.size())}, DataType::kInt64});
  std::copy(elements.begin(), elements.end(), list.As<std::int64_t>());
  return list;
}

TensorShape MakeFoldedShape(const std::vector<std::int64_t>& dims) {
  // The widest type: whatever the elements are, their size then fits.
  if (!ComputeSizeBytes(dims, DataType::kInt64)) throw NotFolded{};
  const auto shape = MakeShape(dims);
  if (!shape) throw NotFolded{};
  return *shape;
}

}  // namespace backplane::onnx
