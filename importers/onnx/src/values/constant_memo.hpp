#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace backplane::onnx {

/// Constants that were made when a model was converted for some shapes, so that those for others
/// share their memory, and backends what they packed of it.
///
/// Threads: any.
class ConstantMemo {
 public:
  /// The memory that was given before under this name, when its content is the same; else `data`,
  /// which is kept. Small constants are not kept.
  std::shared_ptr<const void> Share(const std::string& name, std::shared_ptr<const void> data,
                                    std::uint64_t size_bytes);

 private:
  struct Kept {
    std::shared_ptr<const void> data;
    std::uint64_t size_bytes = 0;
  };

  std::mutex mutex_;
  std::map<std::string, Kept> kept_;
};

}  // namespace backplane::onnx
