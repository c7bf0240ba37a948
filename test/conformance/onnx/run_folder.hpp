#pragma once

#include <backplane/runtime/i_runtime.hpp>

#include "outcome.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace backplane::test {

enum class InputUse {
  kInputs,      // of the network, except for those that shapes depend on
  kInputsOnly,  // of the network, whatever depends on them
  kConstants,   // of the network, all of them
};

/// Backends by preference.
using Preferences = std::vector<std::string>;

/// Imports the model of a folder, runs it on these backends with each of its data sets, and
/// compares with what ONNX expects, by its own tolerances.
Outcome RunFolder(IRuntime& runtime, const Preferences& backends,
                  const std::filesystem::path& folder, InputUse use = InputUse::kInputs);

}  // namespace backplane::test
