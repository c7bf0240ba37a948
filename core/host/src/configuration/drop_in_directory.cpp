#include "configuration/drop_in_directory.hpp"

#include "configuration/configuration_diagnostics.hpp"
#include "configuration/parse_drop_in.hpp"
#include "files/text_file.hpp"
#include "files/trust_checker.hpp"

#include <dirent.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace backplane::configuration {
namespace {

constexpr std::string_view kDropInSuffix = ".conf";

bool IsDropInName(std::string_view name) {
  return name.size() > kDropInSuffix.size() && name.front() != '.' &&
         name.substr(name.size() - kDropInSuffix.size()) == kDropInSuffix;
}

struct DropInNames {
  std::vector<std::string> names;  // in byte order
  int error = 0;                   // errno
};

DropInNames ListDropIns(const std::string& directory) {
  DropInNames found;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::opendir(directory.c_str()), ::closedir);
  if (!stream) return {{}, errno};
  errno = 0;
  while (const dirent* entry = ::readdir(stream.get())) {
    if (IsDropInName(entry->d_name)) found.names.emplace_back(entry->d_name);
    errno = 0;
  }
  found.error = errno;
  std::sort(found.names.begin(), found.names.end());
  return found;
}

std::size_t CountSettings(const Configuration& configuration) {
  return configuration.search_paths.size() + configuration.disabled.size() +
         configuration.isolated.size() + configuration.sandboxed.size() +
         configuration.refused_permissions.size() + configuration.passed_variables.size() +
         configuration.preferred.size() + configuration.digests.size() +
         configuration.known_bad.size();
}

Diagnostic WarnOfFile(const std::string& path, const std::string& fault) {
  return Warn(DiagnosticCode::kConfigurationFileUnusable, {SubjectKind::kFile, path},
              "the drop-in file " + path + " cannot be read and was left out", fault,
              "correct the file or its rights, or remove it");
}

Diagnostic WarnOfWriters(const std::string& path, std::vector<Diagnostic> reasons) {
  Diagnostic warning = Warn(
      DiagnosticCode::kConfigurationFileDistrusted, {SubjectKind::kFile, path},
      "the drop-in file " + path + " was left out",
      "found that others may change it, expected what the trust policy demands", reasons[0].fix);
  warning.causes = std::move(reasons);
  return warning;
}

Diagnostic WarnOfDirectory(const std::string& directory, std::string why) {
  return Warn(DiagnosticCode::kConfigurationDirectoryUnusable, {SubjectKind::kDirectory, directory},
              "not all drop-in files of " + directory + " were read", std::move(why),
              "remove files that are not needed, or put several into one");
}

class DropInReader {
 public:
  DropInReader(TrustPolicy policy, Configuration& configuration)
      : trust_({policy}), configuration_(configuration) {}

  void Read(const std::string& path) {
    const files::TextFile file = files::ReadTextFile(path, kMaxDropInBytes);
    if (!file.fault.empty()) {
      configuration_.diagnostics.push_back(WarnOfFile(path, file.fault));
      return;
    }
    std::vector<Diagnostic> reasons = trust_.CheckWriters(path, file.status);
    if (reasons.empty()) {
      ParseDropIn(file.text, path, configuration_);
    } else {
      configuration_.diagnostics.push_back(WarnOfWriters(path, std::move(reasons)));
      TakeRestriction(file.text, path);
    }
  }

 private:
  /// Who lists digests does not want every file because of the mode of the list.
  void TakeRestriction(const std::string& text, const std::string& path) {
    Configuration distrusted;
    ParseDropIn(text, path, distrusted);
    if (distrusted.digests.empty()) return;
    configuration_.digests.push_back({"", distrusted.digests.front().origin});
  }

  files::TrustChecker trust_;
  Configuration& configuration_;
};

}  // namespace

int ReadDropIns(const std::string& directory, TrustPolicy policy, Configuration& configuration) {
  const DropInNames found = ListDropIns(directory);
  if (found.error != 0) return found.error;
  DropInReader reader(policy, configuration);
  std::size_t num_read = 0;
  for (const std::string& name : found.names) {
    if (num_read == kMostDropIns || CountSettings(configuration) > kMostSettings) {
      configuration.diagnostics.push_back(WarnOfDirectory(
          directory, "found " + std::to_string(found.names.size()) + " files, and stopped before " +
                         name + "; expected at most " + std::to_string(kMostDropIns) +
                         " files with " + std::to_string(kMostSettings) + " settings"));
      break;
    }
    reader.Read(directory + '/' + name);
    ++num_read;
  }
  return 0;
}

}  // namespace backplane::configuration
