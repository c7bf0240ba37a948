#pragma once

/// A process that was forked for one test, and a runtime in it with a backend that misbehaves.

#include <backplane/runtime/i_runtime.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace backplane::test {

/// The input that makes a layer of Mock_Misbehaves do what its name says.
constexpr float kCueOfMisbehaving = 13;

struct EndOfProcess {
  int exit_code = -1;  // -1: a signal ended it
  int signal = 0;      // 0: it has an exit code
  std::string err;     // what it wrote to standard error
};

/// Runs `work` in a forked process, which ends with 0 when it returns.
EndOfProcess RunInForked(const std::function<void()>& work);

/// A backend of this row, and crash notes. "" as the file: standard error alone.
std::unique_ptr<IRuntime> CreateNotedRuntime(const std::string& row, const std::string& file = "");

/// Relu after Relu, one for each name, all on the backend of the row, in the network "chain".
/// Errors: as Optimize and LoadNetwork.
NetworkId LoadReluChain(IRuntime& runtime, const std::string& row,
                        const std::vector<std::string>& layers);

/// Runs it; `first` is the first element of its input. Ends the process with 96 when the run fails.
void RunReluChain(IRuntime& runtime, NetworkId network, float first);

std::string ReadWholeFile(const std::string& path);

}  // namespace backplane::test
