#pragma once

/// What this process has at a moment, to see what is left behind and what is changed.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace backplane::check_backend {

enum class Resource { kHeapBytes, kDescriptors, kThreads, kMappings, kMappedBytes };

/// "bytes of memory", ...
const char* GetResourceText(Resource resource);

std::int64_t CountResource(Resource resource);

/// Parts of the state of the process, by their names: "the working directory", ...
using ProcessState = std::map<std::string, std::string>;

ProcessState ReadProcessState();

/// "the working directory was /home, and is / now", for each part that differs.
std::vector<std::string> DescribeChanges(const ProcessState& before, const ProcessState& after);

}  // namespace backplane::check_backend
