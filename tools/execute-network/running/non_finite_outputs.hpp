#pragma once

#include <backplane/onnx/tensor_file.hpp>
#include <backplane/runtime/number_scan.hpp>

#include "report/report.hpp"

#include <optional>

namespace backplane::execute_network {

/// What is among the elements of an output; none where none can be NaN or infinity.
std::optional<NumberScan> ScanOutput(const onnx::NamedTensor& output);

/// kNonFiniteResult, for an output with NaN or infinity that does not agree with one that has them
/// too. `checks` are those that are on.
std::optional<Diagnostic> WarnOfNonFinite(const OutputReport& output, CheckFlags checks);

}  // namespace backplane::execute_network
