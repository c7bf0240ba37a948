#include "isolation/used_limit.hpp"

#include "spawn/status_file.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace backplane::isolation {
namespace {

bool IsUsedUp(std::uint64_t used, std::uint64_t most) {
  return most != 0 && used >= most - most / 8;
}

std::uint64_t ReadDataBytes(const std::string& process) {
  return std::strtoull(spawn::ReadStatusLine(process, "VmData").c_str(), nullptr, 10) << 10U;
}

std::uint64_t CountOpenFiles(const std::string& process) {
  std::error_code error;
  std::uint64_t count = 0;
  std::filesystem::directory_iterator next("/proc/" + process + "/fd", error);
  for (; !error && next != std::filesystem::directory_iterator(); next.increment(error)) ++count;
  return count;
}

}  // namespace

bool HasUsedUpLimit(std::int64_t process, const IsolationSettings& settings) {
  const std::string number = std::to_string(process);
  return IsUsedUp(ReadDataBytes(number), settings.max_data_bytes) ||
         IsUsedUp(CountOpenFiles(number), settings.max_open_files);
}

}  // namespace backplane::isolation
