#include <backplane/runtime/compiled_cache.hpp>

#include "placement/cache_files.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/host/own_files.hpp>

#include <algorithm>
#include <mutex>
#include <utility>

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
