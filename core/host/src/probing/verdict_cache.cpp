#include "probing/verdict_cache.hpp"

#include "backend/shared_library.hpp"
#include "files/user_directory.hpp"

#include <backplane/host/own_files.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <utility>

namespace backplane::probing {
namespace {

// Texts that are equal only as long as what they describe is the same.

/// A file or directory; that it is not there counts too.
std::string DescribeStamp(const std::string& path, const files::FileStamp& stamp) {
  if (stamp == files::FileStamp{}) return path + " is not there\n";
  std::ostringstream text;
  text << path << ' ' << stamp.device << ' ' << stamp.inode << ' ' << stamp.size_bytes << ' '
       << stamp.modified_ns << ' ' << stamp.changed_ns << '\n';
  return text.str();
}

std::string DescribeStamp(const std::string& path) {
  return DescribeStamp(path, StampFile(path).stamp);
}

/// This library, and the machine since it was started: its processor, its kernel and its drivers.
std::string DescribeHost() {
  std::string boot;
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::getline(file, boot);
  return std::string(BACKPLANE_VERSION) + " protocol " + std::to_string(kProtocolVersion) + '\n' +
         DescribeStamp(backend::GetOwnPath()) + "boot " + boot + '\n';
}

/// The settings that decide which file the loader takes for a library.
std::string DescribeLoaderEnvironment() {
  std::string text;
  for (const char* name : {"LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT", "GLIBC_TUNABLES"}) {
    const char* value = std::getenv(name);
    text += std::string(name) + '=' + (value != nullptr ? value : "") + '\n';
  }
  return text + DescribeStamp("/etc/ld.so.cache") + DescribeStamp("/etc/ld.so.preload");
}

Diagnostic DescribeFault(const std::string& directory, const std::string& fault) {
  return {DiagnosticCode::kVerdictsNotKept,
          Severity::kWarning,
          {SubjectKind::kDirectory, directory},
          "the verdicts on backends cannot be kept in " + directory,
          fault + "; every scan runs the code of every backend again",
          "make it a directory that only this user may write, name another one with "
          "XDG_CACHE_HOME, or keep none with --no-cache (ProbeSettings::verdicts)"};
}

/// Only what passed is kept. What made a backend fail, a device, a server, memory or a file, may
/// change without any of its files.
bool CanHold(const ProbeVerdict& verdict) {
  return verdict.candidate.status == CandidateStatus::kLoaded && !verdict.files.empty();
}

}  // namespace

std::string FindCacheDirectory() {
  constexpr char kVariable[] = "XDG_CACHE_HOME";
  const files::UserDirectory cache = files::FindUserDirectory(kVariable, secure_getenv(kVariable),
                                                              secure_getenv("HOME"), ".cache");
  return cache.path.empty() ? "" : cache.path + "/backplane/verdicts";
}

VerdictCache::VerdictCache(const ProbeSettings& settings) : use_(settings.verdicts) {
  if (use_ == VerdictUse::kIgnore) return;
  directory_ =
      settings.verdict_directory.empty() ? FindCacheDirectory() : settings.verdict_directory;
  if (directory_.empty()) return;
  const std::string fault = PrepareOwnDirectory(directory_).fault;
  if (!fault.empty()) {
    fault_ = DescribeFault(std::exchange(directory_, std::string()), fault);
    return;
  }
  host_ = DescribeHost() + DescribeStamp(FindProgram(settings, ProbeDepth::kCreate)) + "timeout " +
          std::to_string(settings.timeout.count()) + " data " +
          std::to_string(settings.max_data_bytes) + '\n';
  environment_ = DescribeLoaderEnvironment();
}

Circumstances VerdictCache::Describe(const files::CandidateFile& file,
                                     const std::string& path) const {
  return {host_, environment_, path, file.canonical_path, files::MakeFileStamp(file.status)};
}

Circumstances VerdictCache::Describe(const std::vector<ProgramLibrary>& libraries,
                                     const std::vector<PluginFile>& files) const {
  std::string paths = "together\n";
  std::string state;
  for (const ProgramLibrary& library : libraries) {
    paths += library.path + (library.is_seen_by_all ? "\nseen by all\n" : "\n");
    state += DescribeStamp(library.path);
  }
  paths += "then\n";
  for (const PluginFile& file : files) {
    paths += file.canonical_path + '\n';
    state += DescribeStamp(file.canonical_path, file.stamp);
  }
  return {host_, environment_, std::move(state), std::move(paths), {}};
}

std::optional<VerdictRecord> VerdictCache::Find(const Circumstances& circumstances) const {
  constexpr std::uint64_t kMaxBytes = std::uint64_t{16} << 20U;
  if (directory_.empty() || use_ != VerdictUse::kUse) return std::nullopt;
  const OwnFile kept = ReadOwnFile(GetRecordPath(circumstances.canonical_path), kMaxBytes);
  if (!kept.exists || !kept.fault.empty()) return std::nullopt;
  auto record = DecodeRecord(std::string(kept.content.begin(), kept.content.end()));
  if (!record || !(record->circumstances == circumstances)) return std::nullopt;
  const bool holds =
      std::all_of(record->files.begin(), record->files.end(),
                  [](const MappedFile& file) { return file.stamp == StampFile(file.path).stamp; });
  return holds ? std::move(record) : std::nullopt;
}

void VerdictCache::Store(const Circumstances& circumstances, const ProbeVerdict& verdict) const {
  if (directory_.empty() || !CanHold(verdict)) return;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::string text =
      EncodeRecord({circumstances, verdict.files,
                    std::chrono::duration_cast<std::chrono::seconds>(now), verdict.candidate});
  ReplaceOwnFile(GetRecordPath(circumstances.canonical_path), text.data(), text.size());
}

}  // namespace backplane::probing
