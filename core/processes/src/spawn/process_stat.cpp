#include "spawn/process_stat.hpp"

#include <fstream>

namespace backplane::spawn {

std::string ReadStatBehindName(pid_t process) {
  constexpr char kNameEnd[] = ") ";
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  const std::size_t name_end = text.rfind(kNameEnd);
  return name_end == std::string::npos ? "" : text.substr(name_end + sizeof(kNameEnd) - 1);
}

std::vector<pid_t> ListChildren(pid_t process) {
  const std::string number = std::to_string(process);
  std::ifstream file("/proc/" + number + "/task/" + number + "/children");
  std::vector<pid_t> children;
  for (pid_t child = 0; file >> child;) children.push_back(child);
  return children;
}

}  // namespace backplane::spawn
