#include "report/checks.hpp"
#include "report/layers.hpp"
#include "report/report.hpp"
#include "tensors/shape_text.hpp"

#include <algorithm>
#include <cstdio>

namespace backplane::execute_network {

using namespace command_line;

namespace {

using Row = std::vector<std::string>;

constexpr std::size_t kLabelWidth = 10;

std::string Format(const char* format, double value) {
  char text[32];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

// Pads all cells of a column but the last to the same width.
std::string AlignRows(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line.append(widths[i] - row[i].size() + 2, ' ');
    }
    text += line + "\n";
  }
  return text;
}

std::string Label(const std::string& label, const std::string& text) {
  return label + std::string(kLabelWidth - label.size(), ' ') + text + "\n";
}

std::string DescribeSource(const InputReport& input) {
  if (input.source == "seeded") return "seeded values, no data was given";
  return input.source.empty() ? "no data was given" : EscapeForDisplay(input.source);
}

std::string DescribeInputs(const Report& report) {
  std::string text;
  for (const InputReport& input : report.inputs) {
    const std::string what =
        input.is_empty ? "without tensors"
                       : ToText(input.info.shape) + " " + GetDataTypeName(input.info.data_type);
    text +=
        Label(text.empty() ? "inputs" : "",
              EscapeForDisplay(input.name) + " " + what + ", " +
                  (input.role == InputRole::kConstant ? "constant, " : "") + DescribeSource(input));
  }
  return text;
}

std::string DescribeBackends(const Report& report) {
  std::vector<std::pair<std::string, std::size_t>> counts;
  for (const LayerPlacement& layer : report.placement.layers) {
    const auto found = std::find_if(counts.begin(), counts.end(), [&](const auto& entry) {
      return entry.first == layer.backend_id;
    });
    if (found != counts.end()) {
      ++found->second;
    } else {
      counts.emplace_back(layer.backend_id, 1);
    }
  }
  std::string text;
  for (const auto& [id, count] : counts) {
    text += (text.empty() ? "" : ", ") + id + " " + std::to_string(count) +
            (count == 1 ? " layer" : " layers");
  }
  const char* const none =
      report.stages ? "none, all is done between stages" : "none, the network has no layers";
  return Label("backends", text.empty() ? none : text);
}

std::string DescribeStages(const std::optional<StagesReport>& stages) {
  constexpr std::size_t kMostNamed = 4;
  if (!stages) return "";
  std::string text = std::to_string(stages->num_stages);
  const std::vector<std::string>& operations = stages->operations;
  for (std::size_t i = 0; i < std::min(operations.size(), kMostNamed); ++i) {
    text += (i == 0 ? "; the core ran " : ", ") + EscapeForDisplay(operations[i]);
  }
  if (operations.size() > kMostNamed) {
    text += " and " + std::to_string(operations.size() - kMostNamed) + " more";
  }
  return Label("stages", text);
}

std::string DescribeFallbacks(const Report& report) {
  std::string text;
  for (const FallbackReport& fallback : report.fallbacks) {
    text +=
        Label("fallback", "placed again without " + EscapeForDisplay(fallback.failed_backend) +
                              ", which failed; " + std::to_string(fallback.num_repeated_runs) +
                              (fallback.num_repeated_runs == 1 ? " run" : " runs") + " repeated");
  }
  return text;
}

std::string DescribeRuns(const Latency& latency) {
  std::string text =
      latency.iterations == 1 ? "one run" : std::to_string(latency.iterations) + " runs";
  if (!latency.data_set.empty()) text += " of " + EscapeForDisplay(latency.data_set);
  if (latency.concurrency > 1) text += ", " + std::to_string(latency.concurrency) + " at once";
  return text;
}

// Small networks run for less than the last of three decimals.
std::string FormatMilliseconds(double value) {
  constexpr double kShort = 0.01;
  return Format(value < kShort ? "%.5f" : "%.3f", value);
}

std::string DescribeLatency(const Latency& latency) {
  const std::string median = FormatMilliseconds(latency.median_ms) + " ms";
  if (latency.iterations == 1) return Label("latency", median + ", " + DescribeRuns(latency));
  const std::pair<const char*, double> figures[] = {
      {"min", latency.min_ms}, {"mean", latency.mean_ms}, {"p90", latency.p90_ms},
      {"p95", latency.p95_ms}, {"p99", latency.p99_ms},   {"max", latency.max_ms}};
  std::string list;
  for (const auto& [name, value] : figures) {
    list += (list.empty() ? "" : ", ") + std::string(name) + " " + FormatMilliseconds(value);
  }
  std::string text = median + " median of " + DescribeRuns(latency);
  if (latency.concurrency > 1) text += Format(", %.0f runs/s", latency.runs_per_second);
  return Label("latency", text) + Label("", list);
}

std::string DescribeComparison(const OutputReport& output, const Terminal& terminal) {
  if (!output.comparison) return "not compared";
  if (output.comparison->is_equal) return Paint(terminal, Colour::kGood, "ok");
  return Paint(terminal, Colour::kBad, "differs") + ": " + output.comparison->difference;
}

// What is expected has them too where it agrees.
std::string DescribeOutcome(const OutputReport& output, const Terminal& terminal) {
  const std::string compared = DescribeComparison(output, terminal);
  const std::string non_finite = output.numbers ? DescribeNonFinite(*output.numbers) : "";
  if (non_finite.empty()) return compared;
  const bool is_expected = output.comparison && output.comparison->is_equal;
  return compared + "; " + (is_expected ? non_finite : Paint(terminal, Colour::kBad, non_finite));
}

std::string DescribeError(const std::optional<Comparison>& comparison) {
  if (!comparison || !comparison->max_abs_error) return "-";
  return Format("%.3g", *comparison->max_abs_error);
}

std::string DescribeOutputs(const Report& report, const Terminal& terminal) {
  const bool has_sets = !report.outputs.empty() && !report.outputs.front().data_set.empty();
  std::vector<Row> rows = {{"output", "shape", "max abs error", "tolerance", ""}};
  if (has_sets) rows.front().insert(rows.front().begin(), "data set");
  for (const OutputReport& output : report.outputs) {
    Row row = {EscapeForDisplay(output.name), ToText(output.info.shape),
               DescribeError(output.comparison),
               output.comparison ? DescribeTolerance(*output.comparison) : "-",
               DescribeOutcome(output, terminal)};
    if (has_sets) row.insert(row.begin(), EscapeForDisplay(output.data_set));
    rows.push_back(std::move(row));
  }
  rows.front().pop_back();
  std::string text = AlignRows(rows);
  for (const EmptyOutput& output : report.empty_outputs) {
    text += (output.data_set.empty() ? "" : EscapeForDisplay(output.data_set) + ": ") +
            EscapeForDisplay(output.name) + " has no tensors" +
            (output.is_expected ? ", as expected\n" : "\n");
  }
  return text;
}

std::string DescribeRow(const BestClasses& best) {
  std::vector<Row> rows;
  for (const ClassScore& entry : best) {
    rows.push_back({"  " + Format("%.6g", entry.score), std::to_string(entry.index),
                    EscapeForDisplay(entry.label)});
    if (entry.label.empty()) rows.back().pop_back();
  }
  return AlignRows(rows);
}

// The best classes, and with several rows the number of each.
std::string DescribeClasses(const OutputReport& output) {
  if (!output.classification) return "";
  const Classification& classification = *output.classification;
  std::string text;
  for (std::size_t i = 0; i < classification.rows.size(); ++i) {
    text += "top " + std::to_string(classification.rows[i].size()) + " of " +
            EscapeForDisplay(output.name);
    if (classification.rows.size() > 1) text += ", row " + std::to_string(i);
    if (!output.data_set.empty()) text += ", " + EscapeForDisplay(output.data_set);
    text += "\n" + DescribeRow(classification.rows[i]) + "\n";
  }
  if (classification.num_left_off == 0) return text;
  return text + std::to_string(classification.num_left_off) + " more rows are not shown\n\n";
}

std::string DescribeAllClasses(const Report& report) {
  std::string text;
  for (const OutputReport& output : report.outputs) text += DescribeClasses(output);
  return text;
}

std::string DescribeVerdict(const Report& report, const Terminal& terminal) {
  const Verdict verdict = Judge(report);
  const std::string compared =
      std::to_string(verdict.num_compared) + (verdict.num_compared == 1 ? " output" : " outputs");
  if (verdict.num_compared == 0) return "ran; nothing to compare with was given\n";
  if (verdict.num_different == 0) {
    return Paint(terminal, Colour::kGood, "ok") + ": " + compared + " compared, all agree\n";
  }
  return Paint(terminal, Colour::kBad, "differs") + ": " + compared + " compared, " +
         std::to_string(verdict.num_different) +
         (verdict.num_different == 1 ? " differs\n" : " differ\n");
}

std::string DescribeTrace(const Report& report) {
  if (!report.profile) return "";
  return Label("trace", EscapeForDisplay(report.trace_file) + ", " +
                            std::to_string(report.profile->events.size()) + " events");
}

std::string DescribeAllChecks(const Report& report) {
  std::string text;
  for (const std::string& line : DescribeChecks(report.checks)) {
    text += Label(text.empty() ? "checks" : "", line);
  }
  return text.empty() ? "" : text + "\n";
}

// Those that agree are in one line, unless more is asked for.
std::string DescribeAllLayers(const Report& report, bool is_explaining) {
  std::string text;
  for (const LayerComparison& comparison : report.layers) {
    text += Label("layers", DescribeLayers(comparison));
    if (is_explaining || comparison.FindFirstDifferent() != nullptr) {
      text += AlignRows(MakeErrorRows(comparison)) + "\n";
    }
  }
  return text.empty() ? "" : text + "\n";
}

std::string DescribeUse(const std::string& kind, const BindingTransfers& binding) {
  const std::uint64_t num_runs = binding.imported_runs + binding.copied_runs;
  if (num_runs == 0) return "";  // no stage got it as a tensor
  const std::string runs = " of " + std::to_string(num_runs) + " runs";
  std::string text = kind + " " + EscapeForDisplay(binding.name) + ": ";
  if (binding.imported_runs > 0) text += "imported " + std::to_string(binding.imported_runs) + runs;
  if (binding.copied_runs == 0) return text + "\n";
  if (binding.imported_runs > 0) text += ", ";
  text += "copied " + std::to_string(binding.copied_runs) + runs + " (" +
          std::to_string(binding.copied_bytes) + " bytes)";
  if (!binding.reason.empty()) text += ", because " + EscapeForDisplay(binding.reason);
  return text + "\n";
}

std::string DescribeUses(const TransferReport& memory_use) {
  std::string text;
  for (const BindingTransfers& input : memory_use.inputs) text += DescribeUse("input", input);
  for (const BindingTransfers& output : memory_use.outputs) text += DescribeUse("output", output);
  return text.empty() ? "" : text + "\n";
}

// The plan, and what came of it.
std::string Explain(const Report& report) {
  const std::string transfers = TransfersToText(report.placement);
  const std::string layers = report.placement.layers.empty() ? "" : ToText(report.placement) + "\n";
  return layers + transfers + (transfers.empty() ? "" : "\n") + DescribeUses(report.memory_use) +
         (report.profile ? ToText(*report.profile) : "");
}

}  // namespace

std::string ToText(const Report& report, bool is_explaining, const Terminal& terminal) {
  return Label("model", EscapeForDisplay(report.model)) + DescribeInputs(report) +
         DescribeBackends(report) + DescribeStages(report.stages) + DescribeFallbacks(report) +
         DescribeLatency(report.latency) + DescribeTrace(report) + "\n" +
         (is_explaining ? Explain(report) : "") + DescribeOutputs(report, terminal) + "\n" +
         DescribeAllClasses(report) + DescribeAllChecks(report) +
         DescribeAllLayers(report, is_explaining) + DescribeVerdict(report, terminal);
}

}  // namespace backplane::execute_network
