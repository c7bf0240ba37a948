#include "diagnostics/control_group.hpp"

#include <unistd.h>

#include <fstream>

namespace backplane::diagnostics {
namespace {

/// In a container the path of the group is not below the folder that can be seen, which is then the
/// group's own.
std::string FindFile(const std::string& hierarchy, const std::string& group,
                     const std::string& file) {
  for (const std::string& path : {hierarchy + group + '/' + file, hierarchy + '/' + file}) {
    if (access(path.c_str(), R_OK) == 0) return path;
  }
  return "";
}

}  // namespace

std::string FindGroupFile(const std::string& controller, const std::string& of_controller,
                          const std::string& of_group) {
  const std::string with_controller = ':' + controller + ':';
  const std::string one_hierarchy = "0::";
  std::string found;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; found.empty() && std::getline(groups, line);) {
    const std::size_t at = line.find(with_controller);
    if (at != std::string::npos) {
      found = FindFile("/sys/fs/cgroup/" + controller, line.substr(at + with_controller.size()),
                       of_controller);
    } else if (line.rfind(one_hierarchy, 0) == 0) {
      found = FindFile("/sys/fs/cgroup", line.substr(one_hierarchy.size()), of_group);
    }
  }
  return found;
}

}  // namespace backplane::diagnostics
