#include <backplane/host/code_file.hpp>

#include "files/file_digest.hpp"
#include "files/file_stamp.hpp"
#include "wire/file_descriptor.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <mutex>
#include <optional>
#include <utility>

namespace backplane {
namespace {

std::optional<files::FileStamp> ReadStamp(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return std::nullopt;
  return files::MakeFileStamp(status);
}

std::optional<files::FileStamp> ReadStamp(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return files::MakeFileStamp(status);
}

}  // namespace

struct CodeFile::State {
  std::string path;
  std::optional<files::FileStamp> stamp;
  std::once_flag once;
  std::string digest;

  /// Looked at before and after: it may be written at any time.
  std::string ComputeDigest() const {
    if (!stamp) return "";
    const wire::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.IsOpen() || ReadStamp(file.Get()) != stamp) return "";
    auto found = files::ComputeSha256(file.Get());
    return found && ReadStamp(file.Get()) == stamp ? std::move(*found) : "";
  }
};

CodeFile::CodeFile(std::string path, const struct stat& checked)
    : state_(std::make_unique<State>()) {
  state_->stamp = files::MakeFileStamp(checked);
  state_->path = std::move(path);
}

CodeFile::CodeFile(std::string path) : state_(std::make_unique<State>()) {
  state_->stamp = ReadStamp(path);
  state_->path = std::move(path);
}

CodeFile::~CodeFile() = default;

const std::string& CodeFile::GetPath() const {
  return state_->path;
}

const std::string& CodeFile::GetDigest() const {
  std::call_once(state_->once, [this] { state_->digest = state_->ComputeDigest(); });
  return state_->digest;
}

}  // namespace backplane
