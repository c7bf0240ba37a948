#include "host_state.hpp"

#include "support/sanitized.hpp"

#include <dirent.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

namespace backplane::test {
namespace {

// A backend of the tests that leaks leaks more at once.
constexpr std::uint64_t kMostGrowthBytes = std::uint64_t{48} << 20U;

void AddChildren(int process, std::vector<int>& processes) {
  const std::string tasks = "/proc/" + std::to_string(process) + "/task";
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir(tasks.c_str()), closedir);
  if (!directory) return;
  while (const dirent* entry = readdir(directory.get())) {
    std::ifstream children(tasks + '/' + entry->d_name + "/children");
    for (int child = 0; children >> child;) {
      processes.push_back(child);
      AddChildren(child, processes);
    }
  }
}

/// What backends have mapped, and what is shared with them.
std::vector<std::string> ListMappings() {
  std::vector<std::string> mappings;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const bool is_ours = line.find("/Mock_") != line.npos || line.find("memfd:") != line.npos;
    if (is_ours) mappings.push_back(line);
  }
  return mappings;
}

std::uint64_t ReadResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t pages = 0;
  statm >> pages >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void AddNew(const char* what, const std::vector<std::string>& before,
            const std::vector<std::string>& after, std::vector<std::string>& changes) {
  for (std::size_t i = before.size(); i < after.size(); ++i) changes.push_back(what + after[i]);
}

}  // namespace

std::vector<int> FindDescendants() {
  std::vector<int> processes;
  AddChildren(getpid(), processes);
  return processes;
}

HostState HostState::Read() {
  HostState state;
  for (const int process : FindDescendants()) state.children_.push_back(std::to_string(process));
  state.mappings_ = ListMappings();
  state.resident_bytes_ = ReadResidentBytes();
  spawn::StatusFile status;
  state.process_ = probing::ReadProcessState(status);
  return state;
}

std::vector<std::string> HostState::FindChanges(const HostState& after) const {
  const probing::StateChanges found = probing::CompareProcessStates(process_, after.process_);
  std::vector<std::string> changes = found.changes;
  for (const std::string& left : found.descriptors_left) changes.push_back("descriptor " + left);
  if (found.num_threads_left != 0) {
    changes.push_back(std::to_string(found.num_threads_left) + " threads");
  }
  AddNew("process ", children_, after.children_, changes);
  AddNew("mapping ", mappings_, after.mappings_, changes);
  // Sanitizers keep what was given back.
  const bool is_sanitized = HasAddressSanitizer() || HasThreadSanitizer();
  if (!is_sanitized && after.resident_bytes_ > resident_bytes_ + kMostGrowthBytes) {
    changes.push_back(std::to_string((after.resident_bytes_ - resident_bytes_) >> 20U) + " MiB");
  }
  return changes;
}

}  // namespace backplane::test
