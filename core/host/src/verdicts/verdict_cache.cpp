#include "verdicts/verdict_cache.hpp"

#include "discovery/file_descriptor.hpp"
#include "opening/shared_library.hpp"
#include "probing/probe_request.hpp"
#include "verdicts/cache_directory.hpp"
#include "verdicts/checksum.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <utility>

namespace backplane::verdicts {
namespace {

constexpr std::size_t kMaxRecordBytes = std::size_t{4} << 20U;

std::string DescribeStamp(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return path + " is not there\n";
  const discovery::FileStamp stamp = discovery::MakeFileStamp(status);
  std::ostringstream text;
  text << path << ' ' << stamp.device << ' ' << stamp.inode << ' ' << stamp.size_bytes << ' '
       << stamp.modified_ns << ' ' << stamp.changed_ns << '\n';
  return text.str();
}

std::string ReadLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// The library, the probe, how far it may go, and the machine since it was started: its processor,
/// its kernel and its drivers.
std::string DescribeHost(const ProbeSettings& settings, const std::string& program) {
  return std::string(BACKPLANE_VERSION) + " protocol " + std::to_string(probing::kProtocolVersion) +
         '\n' + DescribeStamp(opening::GetOwnPath()) + DescribeStamp(program) + "timeout " +
         std::to_string(settings.timeout.count()) + " data " +
         std::to_string(settings.max_data_bytes) + "\nboot " +
         ReadLine("/proc/sys/kernel/random/boot_id") + '\n';
}

/// What decides which file the loader takes for a library.
std::string DescribeEnvironment() {
  std::string text;
  for (const char* name : {"LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT", "GLIBC_TUNABLES"}) {
    const char* value = std::getenv(name);
    text += std::string(name) + '=' + (value != nullptr ? value : "") + '\n';
  }
  return text + DescribeStamp("/etc/ld.so.cache") + DescribeStamp("/etc/ld.so.preload");
}

bool IsUnchanged(const probing::MappedFile& file) {
  struct stat status {};
  const bool exists = ::stat(file.path.c_str(), &status) == 0;
  return file.stamp == (exists ? discovery::MakeFileStamp(status) : discovery::FileStamp{});
}

/// Reads a file that only this user can have written.
std::optional<std::string> ReadOwnFile(const std::string& path) {
  const discovery::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  struct stat status {};
  if (!file.IsOpen() || ::fstat(file.Get(), &status) != 0) return std::nullopt;
  const bool is_own = S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
                      (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  const auto size = static_cast<std::size_t>(status.st_size);
  if (!is_own || size > kMaxRecordBytes) return std::nullopt;
  std::string text(size, '\0');
  const ssize_t bytes = ::read(file.Get(), text.data(), text.size());
  if (bytes != status.st_size) return std::nullopt;
  return text;
}

/// Writes a file so that others see all of it or nothing.
void ReplaceFile(const std::string& path, const std::string& text) {
  std::string temporary = path + ".XXXXXX";
  const discovery::FileDescriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!file.IsOpen()) return;
  const bool is_written =
      ::write(file.Get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (!is_written || std::rename(temporary.c_str(), path.c_str()) != 0) {
    ::unlink(temporary.c_str());
  }
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
  host_ = DescribeHost(settings, program);
  environment_ = DescribeEnvironment();
}

std::optional<VerdictRecord> VerdictCache::Find(const discovery::CandidateFile& file,
                                                const std::string& path) const {
  if (directory_.empty() || use_ != VerdictUse::kUse) return std::nullopt;
  const auto text = ReadOwnFile(GetRecordPath(file.canonical_path));
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
  ReplaceFile(GetRecordPath(file.canonical_path), EncodeRecord(record));
}

Circumstances VerdictCache::Describe(const discovery::CandidateFile& file,
                                     const std::string& path) const {
  return {host_, environment_, path, file.canonical_path, discovery::MakeFileStamp(file.status)};
}

std::string VerdictCache::GetRecordPath(const std::string& canonical_path) const {
  return directory_ + '/' + ComputeChecksum(canonical_path) + ".verdict";
}

}  // namespace backplane::verdicts
