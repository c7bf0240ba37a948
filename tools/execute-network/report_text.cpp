#include "report.hpp"
#include "shape_text.hpp"

#include <algorithm>
#include <cstdio>

namespace backplane::execute_network {
namespace {

using Row = std::vector<std::string>;

constexpr std::size_t kLabelWidth = 10;

/// Terminal colours, or nothing.
class Painter {
 public:
  explicit Painter(bool is_coloured) : is_coloured_(is_coloured) {}
  std::string Good(const std::string& text) const { return Paint("32", text); }
  std::string Bad(const std::string& text) const { return Paint("1;31", text); }

 private:
  std::string Paint(const char* colour, const std::string& text) const {
    return is_coloured_ ? std::string("\x1B[") + colour + "m" + text + "\x1B[0m" : text;
  }
  bool is_coloured_;
};

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

std::string DescribeInputs(const Report& report) {
  std::string text;
  for (const InputReport& input : report.inputs) {
    text += Label(text.empty() ? "inputs" : "",
                  EscapeForDisplay(input.name) + " " + ToText(input.info.shape) + " " +
                      GetDataTypeName(input.info.data_type) + ", " +
                      (input.source == "seeded" ? "seeded values, no data was given"
                                                : EscapeForDisplay(input.source)));
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
  return Label("backends", text.empty() ? "none, the network has no layers" : text);
}

std::string DescribeLatency(const Latency& latency) {
  const std::string median = Format("%.3f ms", latency.median_ms);
  const std::string of_set =
      latency.data_set.empty() ? "" : " of " + EscapeForDisplay(latency.data_set);
  if (latency.iterations == 1) return Label("latency", median + ", one run" + of_set);
  return Label("latency", median + " median of " + std::to_string(latency.iterations) + " runs" +
                              of_set + " (min " + Format("%.3f", latency.min_ms) + ", mean " +
                              Format("%.3f", latency.mean_ms) + ", p95 " +
                              Format("%.3f", latency.p95_ms) + ")");
}

std::string DescribeLayers(const Report& report) {
  std::vector<Row> rows = {{"layer", "type", "backend", "refused by"}};
  for (const LayerPlacement& layer : report.placement.layers) {
    Row row = {EscapeForDisplay(layer.name), GetLayerTypeName(layer.type), layer.backend_id};
    for (const LayerRefusal& refusal : layer.refusals) {
      row.push_back(refusal.backend_id + ": " + EscapeForDisplay(refusal.reason));
      rows.push_back(row);
      row = {"", "", ""};
    }
    if (layer.refusals.empty()) rows.push_back(row);
  }
  return AlignRows(rows) + "\n";
}

std::string DescribeOutcome(const OutputReport& output, const Painter& painter) {
  if (!output.comparison) return "not compared";
  if (output.comparison->is_equal) return painter.Good("ok");
  return painter.Bad("differs") + ": " + output.comparison->difference;
}

std::string DescribeError(const std::optional<Comparison>& comparison) {
  if (!comparison || !comparison->max_abs_error) return "-";
  return Format("%.3g", *comparison->max_abs_error);
}

std::string DescribeOutputs(const Report& report, const Painter& painter) {
  const bool has_sets = !report.outputs.empty() && !report.outputs.front().data_set.empty();
  std::vector<Row> rows = {{"output", "shape", "max abs error", ""}};
  if (has_sets) rows.front().insert(rows.front().begin(), "data set");
  for (const OutputReport& output : report.outputs) {
    Row row = {EscapeForDisplay(output.name), ToText(output.info.shape),
               DescribeError(output.comparison), DescribeOutcome(output, painter)};
    if (has_sets) row.insert(row.begin(), EscapeForDisplay(output.data_set));
    rows.push_back(std::move(row));
  }
  rows.front().pop_back();
  return AlignRows(rows);
}

std::string DescribeVerdict(const Report& report, const Painter& painter) {
  const Verdict verdict = Judge(report);
  const std::string compared =
      std::to_string(verdict.num_compared) + (verdict.num_compared == 1 ? " output" : " outputs");
  if (verdict.num_compared == 0) return "ran; nothing to compare with was given\n";
  if (verdict.num_different == 0) {
    return painter.Good("ok") + ": " + compared + " compared, all agree\n";
  }
  return painter.Bad("differs") + ": " + compared + " compared, " +
         std::to_string(verdict.num_different) +
         (verdict.num_different == 1 ? " differs\n" : " differ\n");
}

std::string DescribeTrace(const Report& report) {
  if (!report.profile) return "";
  return Label("trace", EscapeForDisplay(report.trace_file) + ", " +
                            std::to_string(report.profile->events.size()) + " events");
}

}  // namespace

std::string ToText(const Report& report, bool is_explaining, bool is_coloured) {
  const Painter painter(is_coloured);
  return Label("model", EscapeForDisplay(report.model)) + DescribeInputs(report) +
         DescribeBackends(report) + DescribeLatency(report.latency) + DescribeTrace(report) + "\n" +
         (is_explaining ? DescribeLayers(report) : "") +
         (is_explaining && report.profile ? ToText(*report.profile) : "") +
         DescribeOutputs(report, painter) + "\n" + DescribeVerdict(report, painter);
}

}  // namespace backplane::execute_network
