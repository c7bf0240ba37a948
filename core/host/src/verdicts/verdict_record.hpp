#pragma once

#include "discovery/file_stamp.hpp"
#include "probing/probe_account.hpp"

#include <backplane/host/load_report.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace backplane::verdicts {

/// What a verdict was given under. It holds for as long as all of this is the same.
struct Circumstances {
  std::string host;         // the library, the probe and the machine since it was started
  std::string environment;  // what decides which libraries are found
  std::string path;         // of the file, as given
  std::string canonical_path;
  discovery::FileStamp stamp;
};

/// What is kept of one run in a process of its own.
struct VerdictRecord {
  Circumstances circumstances;
  std::vector<probing::MappedFile> files;  // what else it rests on, the file itself not among it
  std::chrono::seconds written{0};         // since 1970
  Candidate candidate;                     // status, stage, stages, identity and diagnostics
};

std::string EncodeRecord(const VerdictRecord& record);

/// Nothing: the text is not a record, or not as it was written.
std::optional<VerdictRecord> DecodeRecord(std::string_view text);

bool operator==(const Circumstances& a, const Circumstances& b);

constexpr std::size_t kChecksumDigits = 16;

/// As many hexadecimal digits, which tell a text from one that was damaged by accident (FNV-1a).
/// Whoever may write the file can forge them.
std::string ComputeChecksum(std::string_view text);

}  // namespace backplane::verdicts
