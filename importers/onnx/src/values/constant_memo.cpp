#include "values/constant_memo.hpp"

#include <cstring>
#include <utility>

namespace backplane::onnx {

std::shared_ptr<const void> ConstantMemo::Share(const std::string& name,
                                                std::shared_ptr<const void> data,
                                                std::uint64_t size_bytes) {
  constexpr std::uint64_t kLeastKept = 4096;
  if (size_bytes < kLeastKept) return data;
  const std::lock_guard<std::mutex> lock(mutex_);
  Kept& kept = kept_[name];
  const bool is_same = kept.data != nullptr && kept.size_bytes == size_bytes &&
                       std::memcmp(kept.data.get(), data.get(), size_bytes) == 0;
  if (!is_same) kept = {std::move(data), size_bytes};
  return kept.data;
}

}  // namespace backplane::onnx
