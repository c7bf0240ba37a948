#pragma once

/// What the recording mock keeps for the life of its library: which functions the host called, and
/// which of them is to fail.

#include <backplane/api/backend.hpp>

#include <mutex>
#include <stdexcept>
#include <string>

namespace recording_mock {

/// Joined with a semicolon; told as the capability "Calls".
inline std::string& GetCalls() {
  static std::string calls;
  return calls;
}

inline std::mutex& GetMutex() {
  static std::mutex mutex;
  return mutex;
}

inline void Record(const std::string& call) {
  const std::lock_guard<std::mutex> lock(GetMutex());
  GetCalls() += call + ";";
}

inline std::string CopyCalls() {
  const std::lock_guard<std::mutex> lock(GetMutex());
  return GetCalls();
}

/// Which call is to fail, as options say: "FailAt" names it, "FailBy" says how.
class Failure {
 public:
  explicit Failure(const backplane::BackendOptions& options) {
    for (const backplane::BackendOption& option : options.options) {
      if (option.name == "FailAt") at_ = option.value.string_value;
      if (option.name == "FailBy") by_ = option.value.string_value;
    }
  }

  /// Throws, when the call is to throw; true when it is to refuse.
  bool IsAt(const std::string& call) const {
    if (call != at_) return false;
    if (by_ == "exception") throw std::runtime_error(call + " burns");
    if (by_ == "number") throw 42;
    if (by_ == "absence") throw backplane::BackendUnavailableException(call + " is absent");
    return true;
  }

 private:
  std::string at_;
  std::string by_ = "refusal";
};

inline std::vector<backplane::OptionSchema> DescribeOptions() {
  backplane::OptionSchema at;
  at.name = "FailAt";
  at.type = backplane::OptionType::kString;
  backplane::OptionSchema by;
  by.name = "FailBy";
  by.type = backplane::OptionType::kString;
  by.allowed_strings = {"refusal", "exception", "number", "absence"};
  backplane::OptionSchema wait;
  wait.name = "WaitFor";
  wait.type = backplane::OptionType::kInt;
  wait.default_value = -1;
  wait.text = "A descriptor from which a byte is read at each run.";
  return {at, by, wait};
}

}  // namespace recording_mock
