#include "scan_request.hpp"

#include "command_line/usage.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>

namespace backplane::list_backends {
namespace {

namespace fs = std::filesystem;

/// Absolute, without "." and without a slash at the end. ".." stays: behind a link it cannot be
/// removed by name.
std::string MakeAbsolute(const std::string& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  if (error) {
    command_line::ThrowUsage(
        "list-backends", "", "the relative path \"" + path + "\" leads nowhere",
        "looking for the working directory gave: " + error.message() + "; expected one that exists",
        "change to a directory that exists, or give the path from the root on");
  }
  fs::path clean;
  for (const fs::path& part : absolute) {
    if (!part.empty() && part != ".") clean /= part;
  }
  return clean.string();
}

/// Whether a path is to be looked at as one file. One that does not exist, or leads nowhere, is
/// taken as what its name looks like.
bool IsMeantAsFile(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::directory) return false;
  const bool is_loop = error == std::errc::too_many_symbolic_link_levels;
  if (!is_loop && fs::exists(fs::symlink_status(path, error))) return true;
  return path.find(".so") != std::string::npos;
}

/// An id has no slash. A name without one is a file only when it is there and looks like one.
bool IsFilePath(const std::string& file_or_id) {
  std::error_code error;
  return file_or_id.find('/') != std::string::npos ||
         (file_or_id.find(".so") != std::string::npos &&
          fs::exists(fs::symlink_status(file_or_id, error)));
}

std::string GetFileName(const Candidate& candidate) {
  return fs::path(candidate.path).filename().string();
}

bool HasFileName(const Candidate& candidate, const std::string& name) {
  const std::string file_name = GetFileName(candidate);
  return file_name == name || file_name.rfind(name + "_backend.so", 0) == 0;
}

template <typename Predicate>
std::vector<Candidate> Filter(const LoadReport& report, Predicate predicate) {
  std::vector<Candidate> selected;
  std::copy_if(report.candidates.begin(), report.candidates.end(), std::back_inserter(selected),
               predicate);
  return selected;
}

}  // namespace

ScanOptions MakeScanRequest(const Options& options) {
  ScanOptions request;
  request.probe = options.probe;
  request.probe_settings = options.probe_settings;
  request.variants = options.variants;
  request.trust = options.trust;
  if (!options.program.empty()) request.program = MakeAbsolute(options.program);
  // Warnings of the files that load are part of the listing.
  request.dependencies = DependencyCheck::kAlways;
  if (!options.explain.empty()) request.facts = FactDetail::kAll;
  request.configuration = ReadConfiguration({options.user_backends, options.trust.policy});
  request.disabled = options.disabled;

  if (IsFilePath(options.explain)) request.files.push_back(MakeAbsolute(options.explain));
  for (const std::string& path : options.paths) {
    if (IsMeantAsFile(path)) {
      request.files.push_back(MakeAbsolute(path));
    } else {
      request.search_paths.push_back({MakeAbsolute(path), PathSource::kArgument});
    }
  }
  return request;
}

std::vector<Candidate> SelectCandidates(const LoadReport& report, const std::string& file_or_id) {
  if (IsFilePath(file_or_id)) {
    const std::string path = MakeAbsolute(file_or_id);
    return Filter(report, [&](const Candidate& candidate) { return candidate.path == path; });
  }
  std::vector<Candidate> with_id = Filter(report, [&](const Candidate& candidate) {
    return candidate.identity && candidate.identity->id == file_or_id;
  });
  if (!with_id.empty()) return with_id;
  return Filter(report,
                [&](const Candidate& candidate) { return HasFileName(candidate, file_or_id); });
}

std::vector<std::string> GetSelectableNames(const LoadReport& report) {
  std::vector<std::string> names;
  for (const Candidate& candidate : report.candidates) {
    if (candidate.identity) names.push_back(candidate.identity->id);
    names.push_back(GetFileName(candidate));
  }
  return names;
}

}  // namespace backplane::list_backends
