#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace backplane::onnx {

/// Constants that were made when a model was converted for some shapes, so that those for others
/// share their memory, and backends what they packed of it; and what was converted of constants.
///
/// Threads: any.
class ConstantMemo {
 public:
  /// The memory that was given before under this name, when its content is the same; else `data`,
  /// which is kept. Small constants are not kept.
  std::shared_ptr<const void> Share(const std::string& name, std::shared_ptr<const void> data,
                                    std::uint64_t size_bytes);

  using Content = std::shared_ptr<const void>;
  /// Returns what `make` returned before under this name for the same contents; else calls it. The
  /// contents and the result are kept.
  /// Errors: those of `make`.
  Content Convert(const std::string& name, const std::vector<Content>& sources,
                  const std::function<Content()>& make);

 private:
  struct Kept {
    std::shared_ptr<const void> data;
    std::uint64_t size_bytes = 0;
  };

  struct Converted {
    std::vector<Content> sources;
    Content result;
  };

  std::mutex mutex_;
  std::map<std::string, Kept> kept_;
  std::map<std::string, Converted> converted_;
};

}  // namespace backplane::onnx
