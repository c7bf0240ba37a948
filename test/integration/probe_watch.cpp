#include "probe_watch.hpp"

#include <link.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace backplane::test {

ScanOptions MakeChildScan(const std::vector<std::string>& folders) {
  ScanOptions options;
  for (const std::string& folder : folders) options.search_paths.push_back({folder});
  options.probe = ProbeMode::kChild;
  options.probe_settings.verdicts = VerdictUse::kIgnore;
  options.probe_settings.timeout = std::chrono::minutes(5);
  return options;
}

std::set<int> ListNumbers(const std::string& folder) {
  std::set<int> numbers;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    // What this function has open itself is gone when it returns.
    std::error_code error;
    const auto target = std::filesystem::read_symlink(entry.path(), error);
    if (error || target.string().rfind("/proc/", 0) != 0) {
      numbers.insert(std::atoi(entry.path().filename().c_str()));
    }
  }
  return numbers;
}

std::vector<pid_t> FindProcesses(const std::string& text) {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const pid_t process = std::atoi(entry.path().filename().c_str());
    if (process <= 0 || process == getpid()) continue;
    std::ifstream file(entry.path() / "cmdline", std::ios::binary);
    std::string command;
    std::getline(file, command, '\n');  // nothing when the process is gone by now
    if (command.find(text) != std::string::npos) found.push_back(process);
  }
  return found;
}

unsigned long long CountLoadedEver() {
  unsigned long long count = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t /*size*/, void* out) {
        *static_cast<unsigned long long*>(out) = info->dlpi_adds;
        return 1;
      },
      &count);
  return count;
}

int RunInProcess(const std::function<int()>& function) {
  const pid_t process = fork();
  if (process == 0) _exit(function());
  int status = 0;
  waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace backplane::test
