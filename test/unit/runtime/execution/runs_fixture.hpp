#pragma once

#include "execution/gate.hpp"
#include "runtime/runtime_fixture.hpp"

#include <backplane/host/capabilities.hpp>
#include <backplane/host/logging.hpp>

#include <sys/eventfd.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace backplane {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// A runtime of the backends A and B, what one runs with, and what came of it.
class RunsFixture : public RuntimeFixture {
 protected:
  /// The outcome of one run of a chain.
  struct Outcome {
    Status status = Status::kFailure;
    std::optional<Diagnostic> failure;
    std::vector<float> output;
  };

  Outcome Run(NetworkId id, const RunOptions& options) const {
    Outcome outcome;
    outcome.output.assign(4, -1.0F);
    outcome.status = runtime_->EnqueueWorkload(
        id, {MakeInput(0, input_)}, {MakeOutput(0, outcome.output)}, options, &outcome.failure);
    return outcome;
  }

  /// Every Execute of A passes the gate, and computes nothing.
  void HoldUp(Gate& gate) const {
    a_->execute = [&gate](const ExecuteArgs&) {
      gate.Pass();
      return Status::kSuccess;
    };
  }

  static RunOptions Within(std::chrono::nanoseconds timeout) {
    RunOptions options;
    options.timeout = timeout;
    return options;
  }

  static RunOptions With(const CancellationSource& source) {
    RunOptions options;
    options.cancellation = source.GetToken();
    return options;
  }

  /// In which a run begins its first layer, however busy the machine is.
  static constexpr std::chrono::seconds kUntilItHasBegun{2};
  static steady_clock::time_point Soon() { return steady_clock::now() + milliseconds(20); }

  const std::vector<float> chain_result_{1, 2, 3, 4};
};

/// Writes the log to a file, for the life of the object.
class LogFile {
 public:
  explicit LogFile(const std::string& levels = "runtime=warning,*=error")
      : path_(std::filesystem::temp_directory_path() /
              ("backplane-runs-" + std::to_string(getpid()) + ".log")) {
    EnableLogging(levels, {path_.string()});
  }
  ~LogFile() {
    DisableLogging();
    std::filesystem::remove(path_);
  }
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  std::string Read() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  bool Has(const std::string& text) const { return Read().find(text) != std::string::npos; }

 private:
  const std::filesystem::path path_;
};

inline void ExpectCode(const std::optional<Diagnostic>& failure, DiagnosticCode code) {
  ASSERT_TRUE(failure) << "expected " << GetDiagnosticId(code);
  EXPECT_EQ(GetDiagnosticId(failure->code), GetDiagnosticId(code)) << ToText(*failure);
}

}  // namespace backplane
