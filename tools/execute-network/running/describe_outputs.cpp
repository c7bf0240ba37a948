#include "running/describe_outputs.hpp"

#include "results/compare.hpp"
#include "tensors/flatten.hpp"

#include <backplane/runtime/number_scan.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace backplane::execute_network {
namespace {

/// One output, of which each thread's last run gave these tensors: several of a sequence.
struct Output {
  std::vector<Tensors> runs;
  std::optional<Tensors> expected;  // none: nothing to compare with
};

std::optional<Tensors> FindExpected(const OutputValue& output, const Case& one_case,
                                    const FileTensors& expected) {
  const auto value = one_case.expected_values.find(output.name);
  if (value != one_case.expected_values.end()) return Flatten(output.name, value->second.value);
  const auto tensor = expected.find(output.name);
  if (tensor == expected.end()) return std::nullopt;
  return Tensors{tensor->second.tensor};
}

/// What is among the elements of an output; none where none can be NaN or infinity.
std::optional<NumberScan> ScanOutput(const onnx::NamedTensor& output) {
  if (!CanBeNonFinite(output.info.data_type)) return std::nullopt;
  return ScanNumbers(output.info, output.data.data());
}

// Of the runs of several threads, the one that has most speaks for all.
std::optional<NumberScan> ScanRuns(const Output& output, std::size_t tensor) {
  std::optional<NumberScan> worst;
  for (const Tensors& tensors : output.runs) {
    if (tensor >= tensors.size()) continue;
    std::optional<NumberScan> scan = ScanOutput(tensors[tensor]);
    if (!scan) return std::nullopt;
    if (!worst || scan->GetNumNonFinite() > worst->GetNumNonFinite()) worst = std::move(scan);
  }
  return worst;
}

// Of the runs of several threads, the one that is farthest off speaks for all.
bool IsWorse(const Comparison& candidate, const std::optional<Comparison>& worst) {
  if (!worst) return true;
  if (candidate.is_equal != worst->is_equal) return worst->is_equal;
  return candidate.max_abs_error.value_or(0) > worst->max_abs_error.value_or(0);
}

Comparison MakeDifferent(const std::string& difference) {
  Comparison comparison;
  comparison.difference = difference;
  return comparison;
}

/// A tensor that the first run gave, as all of them did.
std::optional<Comparison> CompareRuns(const Output& output, std::size_t tensor,
                                      const Options& options) {
  if (!output.expected) return std::nullopt;
  if (tensor >= output.expected->size()) return MakeDifferent("it is there; expected nothing");
  std::optional<Comparison> worst;
  for (const Tensors& tensors : output.runs) {
    Comparison comparison =
        tensor < tensors.size()
            ? Compare(tensors[tensor], (*output.expected)[tensor], options.tolerance)
            : MakeDifferent("a run on another thread gave fewer tensors");
    if (IsWorse(comparison, worst)) worst = std::move(comparison);
  }
  return worst;
}

/// kNonFiniteResult, for an output with NaN or infinity that does not agree with one that has them
/// too. `checks` are those that are on.
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

void DescribeOutput(const Options& options, const Case& one_case, const Output& output,
                    const Classifier& classifier, Report& report) {
  const Tensors& first = output.runs.front();
  for (std::size_t i = 0; i < first.size(); ++i) {
    OutputReport row{one_case.data_set,
                     first[i].name,
                     first[i].info,
                     CompareRuns(output, i, options),
                     classifier.Classify(first[i]),
                     ScanRuns(output, i)};
    if (const auto warning = WarnOfNonFinite(row, options.checks)) {
      report.warnings.push_back(*warning);
    }
    report.outputs.push_back(std::move(row));
  }
  if (!output.expected) return;
  for (std::size_t i = first.size(); i < output.expected->size(); ++i) {
    const onnx::NamedTensor& missing = (*output.expected)[i];
    report.outputs.push_back({one_case.data_set, missing.name, missing.info,
                              MakeDifferent("nothing is there; expected a tensor"), std::nullopt,
                              std::nullopt});
  }
}

}  // namespace

void DescribeOutputs(const Options& options, const Case& one_case,
                     const std::vector<RunMemory>& memories, const Classifier& classifier,
                     Report& report) {
  if (classifier.IsAsked()) classifier.CheckLabelsFit(memories.front().MakeTensors());
  std::vector<std::vector<OutputValue>> runs;
  for (const RunMemory& memory : memories) runs.push_back(memory.MakeValues());
  std::vector<std::string> names;
  for (const OutputValue& output : runs.front()) names.push_back(output.name);
  const FileTensors expected = ReadExpected(options, one_case, names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    Output output{{}, FindExpected(runs.front()[i], one_case, expected)};
    for (const std::vector<OutputValue>& run : runs)
      output.runs.push_back(Flatten(run[i].name, run[i].value));
    DescribeOutput(options, one_case, output, classifier, report);
    if (!output.runs.front().empty()) continue;
    report.empty_outputs.push_back(
        {one_case.data_set, names[i], output.expected && output.expected->empty()});
  }
}

}  // namespace backplane::execute_network
