#include "files/file_stamp.hpp"

#include <tuple>

namespace backplane::files {
namespace {

std::int64_t ToNanoseconds(const timespec& time) {
  constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;
  return static_cast<std::int64_t>(time.tv_sec) * kNanosecondsPerSecond + time.tv_nsec;
}

auto Tie(const FileStamp& stamp) {
  return std::tie(stamp.device, stamp.inode, stamp.size_bytes, stamp.modified_ns, stamp.changed_ns);
}

}  // namespace

FileStamp MakeFileStamp(const struct stat& status) {
  return {status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size),
          ToNanoseconds(status.st_mtim), ToNanoseconds(status.st_ctim)};
}

bool operator==(const FileStamp& a, const FileStamp& b) {
  return Tie(a) == Tie(b);
}

}  // namespace backplane::files
