#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

namespace backplane::onnx {

/// Where the data of a tensor lies, when it lies in a file of its own.
struct ExternalPlace {
  std::string location;  // relative to the folder of the model
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;  // nothing: up to the end of the file
};

/// Reads the files with data that belong to a model. Each part is read once and shared.
class ExternalData {
 public:
  explicit ExternalData(const std::string& model_path);

  /// The bytes of a place, aligned for any type. Nothing is allocated before it is known that the
  /// file has them.
  /// Errors: std::runtime_error with the reason as its text: a path that is absolute or leaves the
  /// folder of the model, also by symbolic links; no regular file; one that cannot be read or is
  /// shorter; a length other than `expected_bytes`; parts that lie over one another, so that
  /// together they are more than twice as large as the file.
  std::shared_ptr<const void> Read(const ExternalPlace& place, std::uint64_t expected_bytes);

 private:
  void CountBytes(const std::string& path, std::uint64_t size_bytes, std::uint64_t file_bytes);

  std::string folder_;
  std::map<std::string, std::uint64_t> bytes_read_;  // of each file
  std::map<std::tuple<std::string, std::uint64_t, std::uint64_t>, std::shared_ptr<const void>>
      parts_;
};

}  // namespace backplane::onnx
