#include "files/external_data.hpp"

#include "tensors/aligned_memory.hpp"

#include <backplane/runtime/i_network.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace backplane::onnx {
namespace {

namespace fs = std::filesystem;

/// A file that is open for reading.
class DataFile {
 public:
  // Never waits on a pipe.
  explicit DataFile(const std::string& path)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (descriptor_ < 0) throw std::runtime_error(path + " cannot be read: " + strerror(errno));
  }
  ~DataFile() { ::close(descriptor_); }
  DataFile(const DataFile&) = delete;
  DataFile& operator=(const DataFile&) = delete;

  /// Errors: std::runtime_error when it is no regular file.
  std::uint64_t GetSizeBytes(const std::string& path) const {
    struct stat status = {};
    if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
      throw std::runtime_error(path + " is not a regular file");
    }
    return static_cast<std::uint64_t>(status.st_size);
  }

  /// A large piece stays in the pages of the file. Null: it is small, or cannot.
  std::shared_ptr<const void> Map(std::uint64_t size_bytes, std::uint64_t offset) const {
    constexpr std::uint64_t kLeastBytes = std::uint64_t{1} << 20;
    const bool is_aligned = offset % alignof(std::max_align_t) == 0;
    return size_bytes >= kLeastBytes && is_aligned
               ? MapConstantData(descriptor_, offset, size_bytes)
               : nullptr;
  }

  void Read(unsigned char* target, std::uint64_t size_bytes, std::uint64_t offset,
            const std::string& path) const {
    while (size_bytes > 0) {
      const ssize_t count = ::pread(descriptor_, target, size_bytes, static_cast<off_t>(offset));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) throw std::runtime_error(path + " cannot be read to the end of the tensor");
      target += count;
      offset += static_cast<std::uint64_t>(count);
      size_bytes -= static_cast<std::uint64_t>(count);
    }
  }

 private:
  int descriptor_;
};

bool IsWithin(const fs::path& folder, const fs::path& path) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

// Symbolic links are followed first, so that none leads out of the folder.
std::string Resolve(const std::string& folder, const std::string& location) {
  std::error_code error;
  const fs::path relative = location;
  const fs::path root = fs::canonical(folder, error);
  if (location.empty() || relative.is_absolute() || error) {
    throw std::runtime_error("the location '" + location +
                             "' is not a path relative to the folder of the model");
  }
  const fs::path path = fs::weakly_canonical(root / relative, error);
  if (error || !IsWithin(root, path)) {
    throw std::runtime_error("the location " + location + " leads out of the folder of the model");
  }
  if (!fs::exists(path, error)) throw std::runtime_error(path.string() + " does not exist");
  return path.string();
}

void CheckPlace(const ExternalPlace& place, std::uint64_t expected_bytes, std::uint64_t file_bytes,
                const std::string& path) {
  const std::uint64_t rest = file_bytes - std::min(file_bytes, place.offset);
  const std::uint64_t length = place.length.value_or(rest);
  if (length != expected_bytes) {
    throw std::runtime_error("it has " + std::to_string(length) + " bytes of data in " + path +
                             "; its shape needs " + std::to_string(expected_bytes));
  }
  if (place.offset > file_bytes || length > rest) {
    throw std::runtime_error(path + " has " + std::to_string(file_bytes) + " bytes; those from " +
                             std::to_string(place.offset) + " on, " + std::to_string(length) +
                             " in number, are not there");
  }
}

std::shared_ptr<unsigned char> Allocate(std::uint64_t size_bytes) {
  std::shared_ptr<unsigned char> memory = AllocateAligned(size_bytes);
  if (!memory) {
    throw std::runtime_error("there is no memory for " + std::to_string(size_bytes) + " bytes");
  }
  return memory;
}

}  // namespace

ExternalData::ExternalData(const std::string& model_path)
    : folder_(fs::path(model_path).parent_path().string()) {
  if (folder_.empty()) folder_ = ".";
}

// A small file could stand for any amount of memory.
void ExternalData::CountBytes(const std::string& path, std::uint64_t size_bytes,
                              std::uint64_t file_bytes) {
  std::uint64_t& bytes_read = bytes_read_[path];
  bytes_read += size_bytes;
  if (bytes_read / 2 <= file_bytes) return;
  throw std::runtime_error(path + " has " + std::to_string(file_bytes) +
                           " bytes; the tensors that lie in it have more than twice as many "
                           "together, so they lie over one another");
}

std::shared_ptr<const void> ExternalData::Read(const ExternalPlace& place,
                                               std::uint64_t expected_bytes) {
  const std::string path = Resolve(folder_, place.location);
  const auto [found, is_new] = parts_.try_emplace({path, place.offset, expected_bytes});
  if (!is_new) return found->second;
  try {
    const DataFile file(path);
    const std::uint64_t file_bytes = file.GetSizeBytes(path);
    CheckPlace(place, expected_bytes, file_bytes, path);
    CountBytes(path, expected_bytes, file_bytes);
    if (expected_bytes == 0) return nullptr;
    found->second = file.Map(expected_bytes, place.offset);
    if (found->second != nullptr) return found->second;
    const std::shared_ptr<unsigned char> bytes = Allocate(expected_bytes);
    file.Read(bytes.get(), expected_bytes, place.offset, path);
    found->second = bytes;
  } catch (...) {
    parts_.erase(found);
    throw;
  }
  return found->second;
}

}  // namespace backplane::onnx
