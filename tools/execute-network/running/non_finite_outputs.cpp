#include "running/non_finite_outputs.hpp"

namespace backplane::execute_network {

std::optional<NumberScan> ScanOutput(const onnx::NamedTensor& output) {
  if (!CanBeNonFinite(output.info.data_type)) return std::nullopt;
  return ScanNumbers(output.info, output.data.data());
}

std::optional<Diagnostic> WarnOfNonFinite(const OutputReport& output, CheckFlags checks) {
  if (!output.numbers || output.numbers->GetNumNonFinite() == 0) return std::nullopt;
  if (output.comparison && output.comparison->is_equal) return std::nullopt;
  Diagnostic diagnostic{DiagnosticCode::kNonFiniteResult};
  diagnostic.severity = Severity::kWarning;
  diagnostic.subject = {SubjectKind::kTensor, output.name};
  diagnostic.what = (output.data_set.empty() ? "" : output.data_set + ": ") + "output " +
                    output.name + " has numbers that are not finite";
  diagnostic.why = "found " + DescribeNonFinite(*output.numbers) + "; expected finite numbers";
  diagnostic.fix = (checks & ToFlags(RunCheck::kNumbers)) != 0
                       ? "look at what was found of the layers; without anything there, they were "
                         "in the inputs or constants"
                       : "run with --check to see which layer makes them, and on which backend";
  return diagnostic;
}

}  // namespace backplane::execute_network
