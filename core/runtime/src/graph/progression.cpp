#include "graph/progression.hpp"

#include "tensors/host_memory.hpp"

#include <backplane/api/narrow_types.hpp>

#include <cstring>

namespace backplane {
namespace {

std::int64_t ReadElement(DataType type, const unsigned char* element, std::size_t size_bytes) {
  if (type == DataType::kInt32) {
    std::int32_t number = 0;
    std::memcpy(&number, element, sizeof(number));
    return number;
  }
  std::int64_t bits = 0;
  std::memcpy(&bits, element, size_bytes);
  return bits;
}

/// False: an element of the type cannot be that.
bool WriteElement(DataType type, std::int64_t number, std::size_t size_bytes,
                  unsigned char* element) {
  std::memcpy(element, &number, size_bytes);
  return ReadElement(type, element, size_bytes) == number;
}

std::size_t GetElementBytes(const TensorInfo& info) {
  return IsNarrowType(info.data_type) ? 0 : GetDataTypeSizeBytes(info.data_type);
}

}  // namespace

bool HasWholeNumbers(DataType type) {
  return type == DataType::kInt64 || type == DataType::kInt32;
}

std::optional<Progression> FindProgression(const TensorInfo& info, const void* data) {
  const std::size_t size_bytes = GetElementBytes(info);
  const std::int64_t count = info.shape.GetNumElements();
  if (size_bytes == 0 || count == 0 || data == nullptr) return {};
  const auto* element = static_cast<const unsigned char*>(data);
  Progression progression;
  progression.first = ReadElement(info.data_type, element, size_bytes);
  std::int64_t before = progression.first;
  for (std::int64_t i = 1; i < count; ++i) {
    element += size_bytes;
    const std::int64_t number = ReadElement(info.data_type, element, size_bytes);
    std::int64_t step = 0;
    if (__builtin_sub_overflow(number, before, &step)) return {};
    if (i == 1) progression.step = step;
    if (step != progression.step || (step != 0 && !HasWholeNumbers(info.data_type))) return {};
    before = number;
  }
  return progression;
}

std::shared_ptr<const void> MakeProgression(const TensorInfo& info,
                                            const Progression& progression) {
  const std::size_t size_bytes = GetElementBytes(info);
  const std::int64_t count = info.shape.GetNumElements();
  if (size_bytes == 0 || count == 0) return nullptr;
  std::shared_ptr<void> data = AllocateHostMemory(info.GetSizeBytes());
  auto* element = static_cast<unsigned char*>(data.get());
  for (std::int64_t i = 0; i < count; ++i, element += size_bytes) {
    std::int64_t number = 0;
    if (__builtin_mul_overflow(progression.step, i, &number) ||
        __builtin_add_overflow(number, progression.first, &number) ||
        !WriteElement(info.data_type, number, size_bytes, element)) {
      return nullptr;
    }
  }
  return data;
}

}  // namespace backplane
