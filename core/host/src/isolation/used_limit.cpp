#include "isolation/used_limit.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace backplane::isolation {
namespace {

bool IsUsedUp(std::uint64_t used, std::uint64_t most) {
  return most != 0 && used >= most - most / 8;
}

std::uint64_t ReadDataBytes(const std::string& folder) {
  std::ifstream status(folder + "status");
  std::string word;
  std::uint64_t kilobytes = 0;
  while (status >> word && word != "VmData:") continue;
  status >> kilobytes;
  return kilobytes << 10U;
}

std::uint64_t CountOpenFiles(const std::string& folder) {
  std::error_code error;
  std::uint64_t count = 0;
  std::filesystem::directory_iterator next(folder + "fd", error);
  for (; !error && next != std::filesystem::directory_iterator(); next.increment(error)) ++count;
  return count;
}

}  // namespace

bool HasUsedUpLimit(std::int64_t process, const IsolationSettings& settings) {
  const std::string folder = "/proc/" + std::to_string(process) + '/';
  return IsUsedUp(ReadDataBytes(folder), settings.max_data_bytes) ||
         IsUsedUp(CountOpenFiles(folder), settings.max_open_files);
}

}  // namespace backplane::isolation
