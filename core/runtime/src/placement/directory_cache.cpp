#include <backplane/runtime/compiled_cache.hpp>

#include <backplane/host/diagnostic.hpp>
#include <backplane/host/own_files.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace backplane {

ICompiledNetworkCache::~ICompiledNetworkCache() = default;

namespace placement {

namespace {

bool IsKey(const std::string& key) {
  constexpr std::size_t kDigits = 64;
  return key.size() == kDigits && std::all_of(key.begin(), key.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

[[noreturn]] void Throw(DiagnosticCode code, const Subject& subject, std::string what,
                        std::string why, std::string fix) {
  Diagnostic diagnostic{code};
  diagnostic.subject = subject;
  diagnostic.what = std::move(what);
  diagnostic.why = std::move(why);
  diagnostic.fix = std::move(fix);
  throw DiagnosticException(std::move(diagnostic));
}

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

// Notes that a file was used, for RemoveOldest.
void MarkUsed(const std::string& path) {
  static_cast<void>(::utimensat(AT_FDCWD, path.c_str(), nullptr, AT_SYMLINK_NOFOLLOW));
}

// Removes the files with this ending that were not used for the longest time, until the others
// have at most `max_bytes` together; and what writers that were ended have left behind.
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

class DirectoryCache final : public ICompiledNetworkCache {
 public:
  DirectoryCache(std::string directory, const CompiledCacheOptions& options)
      : directory_(std::move(directory)), options_(options) {}

  Status Load(const std::string& key, std::vector<std::uint8_t>& content) override {
    if (!IsKey(key)) return Status::kInvalidArgument;
    const std::string path = GetPath(key);
    OwnFile file = ReadOwnFile(path, options_.max_bytes);
    if (!file.fault.empty()) {
      Throw(DiagnosticCode::kCompiledEntryRefused, {SubjectKind::kFile, path},
            "the compiled network " + path + " cannot be used", file.fault,
            "remove the file, and look at who else writes to the directory");
    }
    content = std::move(file.content);
    if (!file.exists) return Status::kNotFound;
    MarkUsed(path);
    return Status::kSuccess;
  }

  Status Store(const std::string& key, const std::vector<std::uint8_t>& content) override {
    if (!IsKey(key)) return Status::kInvalidArgument;
    const std::string path = GetPath(key);
    const std::string fault =
        content.size() > options_.max_bytes
            ? "found " + std::to_string(content.size()) + " bytes; expected at most " +
                  std::to_string(options_.max_bytes) + " (CompiledCacheOptions::max_bytes)"
            : ReplaceOwnFile(path, content.data(), content.size());
    if (!fault.empty()) {
      Throw(DiagnosticCode::kCompiledCacheUnusable, {SubjectKind::kFile, path},
            "the compiled network " + path + " cannot be written", fault,
            "look at the rights and the room of the directory");
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    RemoveOldest(directory_, kEnding, options_.max_bytes);
    return Status::kSuccess;
  }

 private:
  static constexpr char kEnding[] = ".compiled";

  std::string GetPath(const std::string& key) const { return directory_ + "/" + key + kEnding; }

  const std::string directory_;
  const CompiledCacheOptions options_;
  std::mutex mutex_;  // one at a time looks for what to remove
};

}  // namespace

}  // namespace placement

std::shared_ptr<ICompiledNetworkCache> MakeCompiledNetworkCache(const std::string& directory,
                                                                CompiledCacheOptions options) {
  OwnDirectory prepared = PrepareOwnDirectory(directory);
  if (!prepared.fault.empty()) {
    placement::Throw(DiagnosticCode::kCompiledCacheUnusable, {SubjectKind::kDirectory, directory},
                     "compiled networks cannot be kept in \"" + directory + "\"", prepared.fault,
                     "give a directory that belongs to this user, with the mode 0700");
  }
  return std::make_shared<placement::DirectoryCache>(std::move(prepared.canonical_path), options);
}

}  // namespace backplane
