#pragma once

#include <backplane/runtime/i_runtime.hpp>

#include "outcome.hpp"

#include <filesystem>

namespace backplane::test {

enum class InputUse {
  kInputs,     // of the network, except for those that shapes depend on
  kConstants,  // of the network, all of them
};

/// Imports the model of a folder, runs it on CpuRef with each of its data sets, and compares with
/// what ONNX expects, by its own tolerances.
Outcome RunFolder(IRuntime& runtime, const std::filesystem::path& folder,
                  InputUse use = InputUse::kInputs);

}  // namespace backplane::test
