#include "verdicts/verdict_cache.hpp"

#include "verdicts/cache_directory.hpp"
#include "verdicts/checksum.hpp"
#include "verdicts/describe_machine.hpp"
#include "verdicts/kept_file.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <thread>
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

VerdictCache::VerdictCache(const ProbeSettings& settings, const std::string& program,
                           RecordKind kind)
    : use_(settings.verdicts), kind_(kind) {
  if (use_ == VerdictUse::kIgnore) return;
  directory_ =
      settings.verdict_directory.empty() ? FindCacheDirectory() : settings.verdict_directory;
  if (directory_.empty()) return;
  fault_ = PrepareCacheDirectory(directory_);
  if (!fault_.empty()) {
    unusable_ = std::exchange(directory_, std::string());
    return;
  }
  host_ = DescribeHost() + DescribeStamp(program) + "timeout " +
          std::to_string(settings.timeout.count()) + " data " +
          std::to_string(settings.max_data_bytes) + '\n';
  if (kind == RecordKind::kTimes) {
    host_ += "processors " + std::to_string(std::thread::hardware_concurrency()) + '\n';
  }
  environment_ = DescribeLoaderEnvironment();
}

std::optional<Diagnostic> VerdictCache::DescribeFault() const {
  if (fault_.empty()) return std::nullopt;
  Diagnostic diagnostic{DiagnosticCode::kVerdictsNotKept, Severity::kWarning};
  diagnostic.subject = {SubjectKind::kDirectory, unusable_};
  diagnostic.what = "the verdicts on backends cannot be kept in " + unusable_;
  diagnostic.why = fault_ + "; every scan runs the code of every backend again";
  diagnostic.fix =
      "make it a directory that only this user may write, name another one with XDG_CACHE_HOME, or "
      "keep none with --no-cache (ProbeSettings::verdicts)";
  return diagnostic;
}

std::optional<VerdictRecord> VerdictCache::Find(const discovery::CandidateFile& file,
                                                const std::string& path) const {
  return Find(Describe(file, path));
}

std::optional<VerdictRecord> VerdictCache::FindTogether(
    const std::vector<probing::ProgramLibrary>& libraries,
    const std::vector<probing::PluginFile>& files) const {
  return Find(DescribeTogether(libraries, files));
}

std::optional<VerdictRecord> VerdictCache::Find(const Circumstances& circumstances) const {
  if (directory_.empty() || use_ != VerdictUse::kUse) return std::nullopt;
  const auto text = ReadKeptFile(GetRecordPath(circumstances.canonical_path));
  if (!text) return std::nullopt;
  auto record = DecodeRecord(*text);
  if (!record || !(record->circumstances == circumstances)) return std::nullopt;
  const bool holds = std::all_of(record->files.begin(), record->files.end(), IsUnchanged);
  return holds ? std::move(record) : std::nullopt;
}

void VerdictCache::Store(const discovery::CandidateFile& file,
                         const probing::ProbeVerdict& verdict) const {
  Store(Describe(file, verdict.candidate.path), verdict);
}

void VerdictCache::StoreTogether(const std::vector<probing::ProgramLibrary>& libraries,
                                 const std::vector<probing::PluginFile>& files,
                                 const probing::ProbeVerdict& verdict) const {
  Store(DescribeTogether(libraries, files), verdict);
}

void VerdictCache::Store(Circumstances circumstances, const probing::ProbeVerdict& verdict) const {
  if (directory_.empty() || !CanHold(verdict)) return;
  VerdictRecord record;
  record.circumstances = std::move(circumstances);
  record.files = verdict.files;
  record.written_s = std::chrono::duration_cast<std::chrono::seconds>(
                         std::chrono::system_clock::now().time_since_epoch())
                         .count();
  record.candidate = verdict.candidate;
  ReplaceKeptFile(GetRecordPath(record.circumstances.canonical_path), EncodeRecord(record));
}

Circumstances VerdictCache::Describe(const discovery::CandidateFile& file,
                                     const std::string& path) const {
  return {host_, environment_, path, file.canonical_path, discovery::MakeFileStamp(file.status)};
}

/// One record for each list of paths, and its state is that of all files of the list.
Circumstances VerdictCache::DescribeTogether(const std::vector<probing::ProgramLibrary>& libraries,
                                             const std::vector<probing::PluginFile>& files) const {
  std::string paths = "together\n";
  std::string state;
  for (const probing::ProgramLibrary& library : libraries) {
    paths += library.path + (library.is_seen_by_all ? "\nseen by all\n" : "\n");
    state += DescribeStamp(library.path);
  }
  paths += "then\n";
  for (const probing::PluginFile& file : files) {
    paths += file.canonical_path + '\n';
    state += DescribeStamp(file.canonical_path, file.stamp);
  }
  return {host_, environment_, std::move(state), std::move(paths), {}};
}

std::string VerdictCache::GetRecordPath(const std::string& canonical_path) const {
  const char* const suffix = kind_ == RecordKind::kTimes ? ".times" : ".verdict";
  return directory_ + '/' + ComputeChecksum(canonical_path) + suffix;
}

}  // namespace backplane::verdicts
