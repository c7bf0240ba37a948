#include "verdicts/verdict_cache.hpp"

#include "verdicts/cache_directory.hpp"
#include "verdicts/checksum.hpp"
#include "verdicts/describe_machine.hpp"
#include "verdicts/kept_file.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace backplane::verdicts {
namespace {

bool IsUnchanged(const probing::MappedFile& file) {
  struct stat status {};
  const bool exists = ::stat(file.path.c_str(), &status) == 0;
  return file.stamp == (exists ? discovery::MakeFileStamp(status) : discovery::FileStamp{});
}

/// Only what passed is kept. What made a backend fail, a device, a server, memory or a file, may
/// change without any of its files.
bool CanHold(const probing::ProbeVerdict& verdict) {
  return verdict.candidate.status == CandidateStatus::kLoaded && !verdict.files.empty();
}

}  // namespace

VerdictCache::VerdictCache(const ProbeSettings& settings, const std::string& program)
    : use_(settings.verdicts) {
  if (use_ == VerdictUse::kIgnore) return;
  directory_ =
      settings.verdict_directory.empty() ? FindCacheDirectory() : settings.verdict_directory;
  if (!PrepareCacheDirectory(directory_)) {
    directory_.clear();
    return;
  }
  host_ = DescribeHost() + DescribeStamp(program) + "timeout " +
          std::to_string(settings.timeout.count()) + " data " +
          std::to_string(settings.max_data_bytes) + '\n';
  environment_ = DescribeLoaderEnvironment();
}

std::optional<VerdictRecord> VerdictCache::Find(const discovery::CandidateFile& file,
                                                const std::string& path) const {
  if (directory_.empty() || use_ != VerdictUse::kUse) return std::nullopt;
  const auto text = ReadKeptFile(GetRecordPath(file.canonical_path));
  if (!text) return std::nullopt;
  auto record = DecodeRecord(*text);
  if (!record || !(record->circumstances == Describe(file, path))) return std::nullopt;
  const bool holds = std::all_of(record->files.begin(), record->files.end(), IsUnchanged);
  return holds ? std::move(record) : std::nullopt;
}

void VerdictCache::Store(const discovery::CandidateFile& file,
                         const probing::ProbeVerdict& verdict) const {
  if (directory_.empty() || !CanHold(verdict)) return;
  VerdictRecord record;
  record.circumstances = Describe(file, verdict.candidate.path);
  record.files = verdict.files;
  record.written_s = std::chrono::duration_cast<std::chrono::seconds>(
                         std::chrono::system_clock::now().time_since_epoch())
                         .count();
  record.candidate = verdict.candidate;
  ReplaceKeptFile(GetRecordPath(file.canonical_path), EncodeRecord(record));
}

Circumstances VerdictCache::Describe(const discovery::CandidateFile& file,
                                     const std::string& path) const {
  return {host_, environment_, path, file.canonical_path, discovery::MakeFileStamp(file.status)};
}

std::string VerdictCache::GetRecordPath(const std::string& canonical_path) const {
  return directory_ + '/' + ComputeChecksum(canonical_path) + ".verdict";
}

}  // namespace backplane::verdicts
