#pragma once

#include <backplane/runtime/i_runtime.hpp>

#include <memory>
#include <vector>

namespace bench {

using Results = std::vector<std::vector<unsigned char>>;  // for each output, its bytes

/// Loads a network whose inputs are float32, runs it once over numbers that are always the same,
/// and unloads it. Errors: DiagnosticException.
Results RunOnce(backplane::IRuntime& runtime,
                std::shared_ptr<const backplane::IOptimizedNetwork> network);

/// Whether outputs of float32 differ by roundings only.
bool AreClose(const Results& results, const Results& expected);

}  // namespace bench
