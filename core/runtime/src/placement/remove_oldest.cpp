#include "placement/cache_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <memory>
#include <utility>
#include <vector>

namespace backplane::placement {

namespace {

struct Entry {
  std::string name;
  std::uint64_t size_bytes = 0;
  timespec used{};
};

struct Close {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

bool IsOlder(const Entry& a, const Entry& b) {
  return std::make_pair(a.used.tv_sec, a.used.tv_nsec) <
         std::make_pair(b.used.tv_sec, b.used.tv_nsec);
}

bool EndsWith(const std::string& name, std::string_view ending) {
  return name.size() > ending.size() &&
         name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
}

// What a writer makes first has six letters behind the name.
bool IsTemporary(const std::string& name, std::string_view ending) {
  constexpr std::size_t kAdded = 7;
  return name.size() > kAdded && EndsWith(name.substr(0, name.size() - kAdded), ending);
}

std::vector<Entry> ListEntries(DIR* directory) {
  std::vector<Entry> entries;
  while (const dirent* found = ::readdir(directory)) {
    struct stat status {};
    if (::fstatat(::dirfd(directory), found->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(status.st_mode)) {
      continue;
    }
    entries.push_back({found->d_name, static_cast<std::uint64_t>(status.st_size), status.st_mtim});
  }
  return entries;
}

bool IsLeftBehind(const Entry& entry) {
  constexpr std::time_t kLongSeconds = 3600;
  return entry.used.tv_sec + kLongSeconds < std::time(nullptr);
}

}  // namespace

void MarkUsed(const std::string& path) {
  static_cast<void>(::utimensat(AT_FDCWD, path.c_str(), nullptr, AT_SYMLINK_NOFOLLOW));
}

void RemoveOldest(const std::string& path, std::string_view ending, std::uint64_t max_bytes) {
  const std::unique_ptr<DIR, Close> directory(::opendir(path.c_str()));
  if (!directory) return;
  const int descriptor = ::dirfd(directory.get());
  std::vector<Entry> kept;
  std::uint64_t sum_bytes = 0;
  for (Entry& entry : ListEntries(directory.get())) {
    if (IsTemporary(entry.name, ending) && IsLeftBehind(entry)) {
      ::unlinkat(descriptor, entry.name.c_str(), 0);
    } else if (EndsWith(entry.name, ending)) {
      sum_bytes += entry.size_bytes;
      kept.push_back(std::move(entry));
    }
  }
  std::sort(kept.begin(), kept.end(), IsOlder);
  for (std::size_t i = 0; i < kept.size() && sum_bytes > max_bytes; ++i) {
    if (::unlinkat(descriptor, kept[i].name.c_str(), 0) == 0) sum_bytes -= kept[i].size_bytes;
  }
}

}  // namespace backplane::placement
