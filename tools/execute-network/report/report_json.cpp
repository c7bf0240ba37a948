#include "report/checks.hpp"
#include "report/diagnostic_json.hpp"
#include "report/layers.hpp"
#include "report/report.hpp"

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
                      {"shape", input.is_empty ? Json() : MakeShape(input.info.shape)},
                      {"source", EscapeForDisplay(input.source)},
                      {"constant", input.role == InputRole::kConstant}});
  }
  return inputs;
}

Json MakePreferred(const Placement& placement) {
  Json preferred = Json::array();
  for (const Setting& setting : placement.preferred) {
    preferred.push_back({{"backend", EscapeForDisplay(setting.value)},
                         {"origin", EscapeForDisplay(setting.origin)}});
  }
  return preferred;
}

Json MakeCopies(const Report& report) {
  Json copies = Json::array();
  for (const CopyReport& copy : report.copies) {
    copies.push_back({{"edge", EscapeForDisplay(copy.edge)},
                      {"strategy", copy.strategy},
                      {"bytes", copy.size_bytes},
                      {"why", EscapeForDisplay(copy.why)}});
  }
  return copies;
}

// Of each row the classes; null for a score that is not finite, which JSON cannot say.
Json MakeTop(const Classification& classification) {
  Json rows = Json::array();
  for (const BestClasses& best : classification.rows) {
    Json row = Json::array();
    for (const ClassScore& entry : best) {
      Json json = {{"class", entry.index}, {"score", nullptr}};
      if (std::isfinite(entry.score)) json["score"] = entry.score;
      if (!entry.label.empty()) json["label"] = EscapeForDisplay(entry.label);
      row.push_back(std::move(json));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Json MakeNonFinite(const std::optional<NumberScan>& numbers) {
  if (!numbers || numbers->GetNumNonFinite() == 0) return nullptr;
  return {{"nan", numbers->num_nan},
          {"infinities", numbers->num_infinities},
          {"negative_infinities", numbers->num_negative_infinities},
          {"elements", numbers->num_elements},
          {"first", numbers->first}};
}

Json MakeOutput(const OutputReport& output) {
  Json json = {{"name", EscapeForDisplay(output.name)},
               {"shape", MakeShape(output.info.shape)},
               {"max_abs_error", nullptr},
               {"ok", nullptr},
               {"tolerance", nullptr},
               {"non_finite", MakeNonFinite(output.numbers)}};
  if (!output.data_set.empty()) json["data_set"] = EscapeForDisplay(output.data_set);
  if (output.classification) json["top"] = MakeTop(*output.classification);
  if (!output.comparison) return json;
  json["ok"] = output.comparison->is_equal;
  json["tolerance"] = {{"base", output.comparison->allowed_base},
                       {"relative", output.comparison->allowed_relative}};
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
               {"p90", latency.p90_ms},
               {"p95", latency.p95_ms},
               {"p99", latency.p99_ms},
               {"max", latency.max_ms},
               {"iterations", latency.iterations},
               {"concurrency", latency.concurrency},
               {"runs_per_second", latency.runs_per_second}};
  if (!latency.data_set.empty()) json["data_set"] = EscapeForDisplay(latency.data_set);
  return json;
}

Json MakeMemory(const MemoryReport& memory) {
  Json arenas = Json::array();
  for (const ArenaReport& arena : memory.arenas) {
    Json backend;
    if (!arena.backend_id.empty()) backend = EscapeForDisplay(arena.backend_id);
    arenas.push_back({{"backend", std::move(backend)},
                      {"arena_bytes", arena.arena_bytes},
                      {"lower_bound_bytes", arena.lower_bound_bytes}});
  }
  Json packed = Json::array();
  for (const PackedConstantsReport& constants : memory.packed_constants) {
    packed.push_back({{"backend", EscapeForDisplay(constants.backend_id)},
                      {"packed_bytes", constants.packed_bytes}});
  }
  return {{"arena_bytes", memory.arena_bytes},
          {"lower_bound_bytes", memory.lower_bound_bytes},
          {"constants_bytes", memory.constants_bytes},
          {"arenas", std::move(arenas)},
          {"packed_constants", std::move(packed)}};
}

Json MakeUses(const std::vector<BindingTransfers>& bindings) {
  Json uses = Json::array();
  for (const BindingTransfers& binding : bindings) {
    uses.push_back({{"name", EscapeForDisplay(binding.name)},
                    {"imported_runs", binding.imported_runs},
                    {"copied_runs", binding.copied_runs},
                    {"copied_bytes", binding.copied_bytes},
                    {"reason", EscapeForDisplay(binding.reason)}});
  }
  return uses;
}

Json MakeFallbacks(const Report& report) {
  Json fallbacks = Json::array();
  for (const FallbackReport& fallback : report.fallbacks) {
    fallbacks.push_back({{"failed_backend", EscapeForDisplay(fallback.failed_backend)},
                         {"repeated_runs", fallback.num_repeated_runs},
                         {"diagnostic", MakeJson({*fallback.outcome}).front()}});
  }
  return fallbacks;
}

}  // namespace

std::string ToJson(const Report& report) {
  Json json = {{"schema", 1},
               {"model", EscapeForDisplay(report.model)},
               {"inputs", MakeInputs(report)},
               {"preferred", MakePreferred(report.placement)},
               {"placement", Json::parse(backplane::ToJson(report.placement))},
               {"fallbacks", MakeFallbacks(report)},
               {"subgraphs", Json::parse(SubgraphsToJson(report.placement))},
               {"transfers", Json::parse(TransfersToJson(report.placement))},
               {"copies", MakeCopies(report)},
               {"memory_use",
                {{"inputs", MakeUses(report.memory_use.inputs)},
                 {"outputs", MakeUses(report.memory_use.outputs)}}},
               {"latency_ms", MakeLatency(report.latency)},
               {"memory", MakeMemory(report.memory)},
               {"outputs", MakeOutputs(report)},
               {"checks", MakeChecksJson(report.checks)},
               {"layers", MakeLayersJson(report.layers)},
               {"warnings", MakeJson(report.warnings)}};
  if (!report.placement.cache_uses.empty()) {
    json["compiled_cache"] = Json::parse(CacheUsesToJson(report.placement));
  }
  if (report.stages) {
    json["stages"] = {{"count", report.stages->num_stages},
                      {"operations", report.stages->operations}};
  }
  for (const EmptyOutput& output : report.empty_outputs) {
    json["empty_outputs"].push_back({{"data_set", EscapeForDisplay(output.data_set)},
                                     {"name", EscapeForDisplay(output.name)},
                                     {"expected", output.is_expected}});
  }
  constexpr int kIndent = 1;
  return json.dump(kIndent) + "\n";
}

}  // namespace backplane::execute_network
