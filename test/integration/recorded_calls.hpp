#pragma once

/// What the recording mock tells of the calls it got.

#include <backplane/host/capabilities.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace backplane::test {

/// The id of the mock that records.
inline constexpr char kRecords[] = "MockRecords";

/// In the order in which they came, since the library was opened.
inline std::vector<std::string> GetCalls(const DeviceSpec& device, const std::string& id) {
  const BackendCapabilities capabilities = GetCapabilities(device.GetRegistry(), id);
  std::istringstream text(FindCapability(capabilities, "Calls")->string_value);
  std::vector<std::string> calls;
  for (std::string call; std::getline(text, call, ';');) calls.push_back(call);
  return calls;
}

inline std::vector<std::string> GetCalls(const IRuntime& runtime, const std::string& id) {
  return GetCalls(runtime.GetDeviceSpec(), id);
}

/// How many calls begin so.
inline int CountCalls(const std::vector<std::string>& calls, const std::string& begin) {
  return static_cast<int>(std::count_if(calls.begin(), calls.end(), [&](const std::string& call) {
    return call.rfind(begin, 0) == 0;
  }));
}

}  // namespace backplane::test
