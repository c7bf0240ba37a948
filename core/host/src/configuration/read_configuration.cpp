#include "configuration/read_configuration.hpp"

#include "configuration/configuration_diagnostics.hpp"
#include "configuration/drop_in_directory.hpp"
#include "configuration/parse_drop_in.hpp"
#include "files/search_path.hpp"
#include "files/user_directory.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace backplane::configuration {
namespace {

constexpr std::size_t kMostElements = 1000;  // of one variable
constexpr char kPathsVariable[] = "BACKPLANE_BACKENDS_PATH";
constexpr char kReplacedPathsVariable[] = "DYNAMIC_BACKEND_PATHS";
constexpr char kDisableVariable[] = "BACKPLANE_DISABLE_BACKENDS";
constexpr char kIsolateVariable[] = "BACKPLANE_ISOLATE_BACKENDS";
constexpr char kSandboxVariable[] = "BACKPLANE_SANDBOX_BACKENDS";
constexpr char kRefuseVariable[] = "BACKPLANE_REFUSE_PERMISSIONS";
constexpr char kPassVariable[] = "BACKPLANE_PASS_VARIABLES";
constexpr char kProbeDataVariable[] = "BACKPLANE_PROBE_DATA_LIMIT";
constexpr char kDirectoryVariable[] = "BACKPLANE_CONFIGURATION_DIR";
constexpr char kUserDataVariable[] = "XDG_DATA_HOME";

/// Puts a configuration together, in the order of docs/operators-guide.md.
class Collector {
 public:
  Collector(const ConfigurationRequest& request, const Surroundings& surroundings)
      : request_(request), surroundings_(surroundings) {}

  Configuration Collect() {
    AddPathVariable(kPathsVariable);
    if (request_.user_backends == UserBackends::kSearch) AddUserDirectory();
    AddDisabled();
    AddIsolated();
    AddDropIns();
    AddProbeDataLimit();
    if (surroundings_.get_variable(kReplacedPathsVariable) != nullptr) {
      AddPathVariable(kReplacedPathsVariable);
    } else {
      for (std::string& path : Split(surroundings_.compiled_in_paths)) {
        configuration_.search_paths.push_back({std::move(path), PathSource::kCompiledIn});
      }
    }
    return std::move(configuration_);
  }

 private:
  std::vector<std::string> Split(const std::string& list) const {
    return files::SplitPathList(list, surroundings_.library_directory);
  }

  /// "" when it is not set.
  std::string GetVariable(const char* name) const {
    const char* value = surroundings_.get_variable(name);
    return value != nullptr ? value : "";
  }

  void WarnOfVariable(const char* variable, std::string what, std::string why, std::string fix) {
    configuration_.diagnostics.push_back(Warn(DiagnosticCode::kVariableUnusable,
                                              {SubjectKind::kOption, variable}, std::move(what),
                                              std::move(why), std::move(fix)));
  }

  void AddPathVariable(const char* variable) {
    std::vector<std::string> paths = Split(GetVariable(variable));
    if (paths.size() > kMostElements) {
      WarnOfVariable(variable, std::string("the end of ") + variable + " was left out",
                     "found " + std::to_string(paths.size()) + " elements, expected at most " +
                         std::to_string(kMostElements),
                     "put the backends into fewer directories");
      paths.resize(kMostElements);
    }
    for (std::size_t i = 0; i < paths.size(); ++i) {
      configuration_.search_paths.push_back(
          {std::move(paths[i]), PathSource::kEnvironment,
           std::string(variable) + ", element " + std::to_string(i + 1)});
    }
  }

  void AddUserDirectory() {
    const files::UserDirectory data =
        files::FindUserDirectory(kUserDataVariable, surroundings_.get_variable(kUserDataVariable),
                                 surroundings_.get_variable("HOME"), ".local/share");
    if (!data.path.empty()) {
      configuration_.search_paths.push_back(
          {data.path + "/backplane/backends", PathSource::kUser, data.variable});
      return;
    }
    WarnOfVariable(kUserDataVariable, "the user's own directory of backends is not known",
                   "found neither XDG_DATA_HOME nor HOME with an absolute path; in secure "
                   "execution both count as not set",
                   "set XDG_DATA_HOME to an absolute directory");
  }

  void AddDisabled() { AddList(kDisableVariable, configuration_.disabled); }
  void AddIsolated() {
    AddList(kIsolateVariable, configuration_.isolated);
    AddList(kSandboxVariable, configuration_.sandboxed);
    AddList(kRefuseVariable, configuration_.refused_permissions);
    AddList(kPassVariable, configuration_.passed_variables);
  }

  void AddList(const char* variable, std::vector<Setting>& settings) {
    const std::string list = GetVariable(variable);
    for (std::size_t begin = 0; begin < list.size();) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      if (end != begin) settings.push_back({list.substr(begin, end - begin), variable});
      begin = end + 1;
    }
  }

  void AddProbeDataLimit() {
    const std::string text = GetVariable(kProbeDataVariable);
    if (text.empty()) return;
    const auto bytes = ParseMebibytes(text);
    if (bytes) configuration_.probe_max_data_bytes = bytes;
    if (bytes) return;
    WarnOfVariable(kProbeDataVariable, std::string(kProbeDataVariable) + " was not followed",
                   "found \"" + text + "\", expected a number of MiB, or 0 for no limit",
                   "correct the variable, or unset it");
  }

  void AddDropIns() {
    const std::string wished = GetVariable(kDirectoryVariable);
    if (!wished.empty() && TryDropIns(wished)) return;
    configuration_.directory = surroundings_.drop_in_directory;
    const int error = ReadDropIns(configuration_.directory, request_.policy, configuration_);
    if (error == 0 || error == ENOENT) return;
    configuration_.diagnostics.push_back(
        Warn(DiagnosticCode::kConfigurationDirectoryUnusable,
             {SubjectKind::kDirectory, configuration_.directory},
             "the drop-in files of " + configuration_.directory + " cannot be listed",
             std::string("found: ") + std::strerror(error) + "; expected a directory or nothing",
             "correct the rights of the directory, or remove it"));
  }

  /// False: a variable that cannot be used counts as not set.
  bool TryDropIns(const std::string& directory) {
    const bool is_absolute = directory.front() == '/';
    const int error = is_absolute ? ReadDropIns(directory, request_.policy, configuration_) : 0;
    if (is_absolute && error == 0) {
      configuration_.directory = directory;
      return true;
    }
    WarnOfVariable(kDirectoryVariable, std::string(kDirectoryVariable) + " was not followed",
                   "found \"" + directory + "\"" +
                       (is_absolute ? std::string(": ") + std::strerror(error) : "") +
                       ", expected the absolute path of a directory; " +
                       surroundings_.drop_in_directory + " holds",
                   "correct the variable, or unset it");
    return false;
  }

  const ConfigurationRequest& request_;
  const Surroundings& surroundings_;
  Configuration configuration_;
};

}  // namespace

Configuration ReadConfiguration(const ConfigurationRequest& request,
                                const Surroundings& surroundings) {
  return Collector(request, surroundings).Collect();
}

}  // namespace backplane::configuration
