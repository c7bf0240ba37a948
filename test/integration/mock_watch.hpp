#pragma once

/// What the complete mock is asked to do, and what it has done: plugins/mock-backends/complete.

#include "mock_rows.hpp"

#include <backplane/host/logging.hpp>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace backplane::test {

/// What a function of the mock throws.
enum class Thrown { kStandard, kOwn, kNumber, kOutOfMemory };

constexpr Thrown kAllThrown[] = {Thrown::kStandard, Thrown::kOwn, Thrown::kNumber,
                                 Thrown::kOutOfMemory};

inline const char* GetThrownName(Thrown thrown) {
  const char* const names[] = {"Standard", "Own", "Number", "OutOfMemory"};
  return names[static_cast<int>(thrown)];
}

/// What must be said of it.
inline const char* GetThrownText(Thrown thrown) {
  const char* const texts[] = {"the device burns", "the device burns", "is not a std::exception",
                               "std::bad_alloc"};
  return texts[static_cast<int>(thrown)];
}

/// Keeps what the mock records and what is logged, in files of its own. One at a time, and no
/// other threads when it is made, changed or destroyed.
class MockWatch {
 public:
  MockWatch() {
    setenv("MOCK_RECORD", GetPath("record").c_str(), 1);
    EnableLogging("warning", {GetPath("log")});
  }
  ~MockWatch() {
    DisableLogging();
    StopThrowing();
    unsetenv("MOCK_RECORD");
  }
  MockWatch(const MockWatch&) = delete;
  MockWatch& operator=(const MockWatch&) = delete;

  /// For example ("IWorkload::Execute", Thrown::kNumber) or ("~IWorkload", Thrown::kOwn).
  void Throw(const std::string& function, Thrown thrown) {
    setenv("MOCK_THROWS", (function + ' ' + GetThrownName(thrown)).c_str(), 1);
  }
  void StopThrowing() { unsetenv("MOCK_THROWS"); }

  /// For example "~IWorkload" and "library", in their order.
  std::vector<std::string> GetRecord() const {
    std::vector<std::string> lines;
    std::ifstream file(GetPath("record"));
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }

  std::string GetLog() const {
    std::ifstream file(GetPath("log"));
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

 private:
  std::string GetPath(const std::string& name) const { return files_.GetPath() + '/' + name; }

  MockDirectory files_;
};

}  // namespace backplane::test
