#include "report.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace backplane::execute_network {
namespace {

using Json = nlohmann::ordered_json;

Json MakeShape(const TensorShape& shape) {
  Json dims = Json::array();
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) dims.push_back(shape[axis]);
  return dims;
}

Json MakeInputs(const Report& report) {
  Json inputs = Json::array();
  for (const InputReport& input : report.inputs) {
    inputs.push_back({{"name", EscapeForDisplay(input.name)},
                      {"shape", MakeShape(input.info.shape)},
                      {"source", EscapeForDisplay(input.source)}});
  }
  return inputs;
}

Json MakeCopies(const Report& report) {
  Json copies = Json::array();
  for (const CopyReport& copy : report.copies) {
    copies.push_back({{"edge", EscapeForDisplay(copy.edge)},
                      {"strategy", "copy"},
                      {"bytes", copy.size_bytes},
                      {"why", copy.why}});
  }
  return copies;
}

Json MakeOutput(const OutputReport& output) {
  Json json = {{"name", EscapeForDisplay(output.name)},
               {"shape", MakeShape(output.info.shape)},
               {"max_abs_error", nullptr},
               {"ok", nullptr}};
  if (!output.data_set.empty()) json["data_set"] = EscapeForDisplay(output.data_set);
  if (!output.comparison) return json;
  json["ok"] = output.comparison->is_equal;
  const auto error = output.comparison->max_abs_error;
  if (error && std::isfinite(*error)) json["max_abs_error"] = *error;
  return json;
}

Json MakeOutputs(const Report& report) {
  Json outputs = Json::array();
  for (const OutputReport& output : report.outputs) outputs.push_back(MakeOutput(output));
  return outputs;
}

Json MakeLatency(const Latency& latency) {
  Json json = {{"min", latency.min_ms},
               {"median", latency.median_ms},
               {"mean", latency.mean_ms},
               {"p95", latency.p95_ms},
               {"iterations", latency.iterations},
               {"concurrency", latency.concurrency},
               {"runs_per_second", latency.runs_per_second}};
  if (!latency.data_set.empty()) json["data_set"] = EscapeForDisplay(latency.data_set);
  return json;
}

}  // namespace

std::string ToJson(const Report& report) {
  const Json json = {{"schema", 1},
                     {"model", EscapeForDisplay(report.model)},
                     {"inputs", MakeInputs(report)},
                     {"placement", Json::parse(backplane::ToJson(report.placement))},
                     {"subgraphs", Json::parse(SubgraphsToJson(report.placement))},
                     {"copies", MakeCopies(report)},
                     {"latency_ms", MakeLatency(report.latency)},
                     {"memory",
                      {{"arena_bytes", report.memory.arena_bytes},
                       {"lower_bound_bytes", report.memory.lower_bound_bytes},
                       {"constants_bytes", report.memory.constants_bytes}}},
                     {"outputs", MakeOutputs(report)}};
  constexpr int kIndent = 1;
  return json.dump(kIndent) + "\n";
}

}  // namespace backplane::execute_network
