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
  const bool is_same =
      kept.data != nullptr && kept.size_bytes == size_bytes &&
      (kept.data == data || std::memcmp(kept.data.get(), data.get(), size_bytes) == 0);
  if (!is_same) kept = {std::move(data), size_bytes};
  return kept.data;
}

ConstantMemo::Content ConstantMemo::Convert(const std::string& name,
                                            const std::vector<Content>& sources,
                                            const std::function<Content()>& make) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = converted_.find(name);
    if (found != converted_.end() && found->second.sources == sources) return found->second.result;
  }
  Content result = make();
  const std::lock_guard<std::mutex> lock(mutex_);
  converted_[name] = {sources, result};
  return result;
}

}  // namespace backplane::onnx
