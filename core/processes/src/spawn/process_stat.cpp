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

}  // namespace backplane::spawn
