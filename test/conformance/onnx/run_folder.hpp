#pragma once

#include <backplane/runtime/i_runtime.hpp>

#include "outcome.hpp"
#include "results/tolerance.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace backplane::test {

enum class InputUse {
  kInputs,      // of the network, except for those that shapes depend on
  kInputsOnly,  // of the network, whatever depends on them
  kConstants,   // of the network, all of them
};

/// As the runner of ONNX has them. Integers and bool are compared exactly.
constexpr execute_network::WantedTolerance kToleranceOfOnnx{1e-7, 1e-3, 0};

/// Backends by preference.
using Preferences = std::vector<std::string>;

/// Imports the model of a folder, runs it on these backends with each of its data sets, and
/// compares with what the folder expects.
Outcome RunFolder(IRuntime& runtime, const Preferences& backends,
                  const std::filesystem::path& folder, InputUse use,
                  const execute_network::WantedTolerance& tolerance);

}  // namespace backplane::test
