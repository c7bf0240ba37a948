#pragma once

#include <backplane/runtime/i_runtime.hpp>

#include "outcome.hpp"

#include <filesystem>

namespace backplane::test {

/// Imports the model of a folder, runs it on CpuRef with each of its data sets, and compares with
/// what ONNX expects, by its own tolerances.
Outcome RunFolder(IRuntime& runtime, const std::filesystem::path& folder);

}  // namespace backplane::test
