#include "report/layers.hpp"

#include "tensors/shape_text.hpp"

#include <backplane/host/diagnostic.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace backplane::execute_network {
namespace {

using Json = nlohmann::ordered_json;

std::string FormatError(const std::optional<double>& error) {
  if (!error) return "-";
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g", *error);
  return text;
}

// Errors that are not finite are not in max_abs_error.
std::string FormatOwnError(const ComparedLayer& layer) {
  if (!layer.own) return "-";
  const auto& worst = layer.own->worst;
  const bool is_finite = !worst || std::isfinite(worst->found - worst->expected);
  return is_finite ? FormatError(layer.own->max_abs_error) : "not finite";
}

std::string DescribeOutcome(const ComparedLayer& layer) {
  if (!layer.own) return "not compared: " + EscapeForDisplay(layer.fault);
  return layer.own->is_equal ? "ok" : "differs: " + layer.own->difference;
}

std::string CountOutputs(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " layer output" : " layer outputs");
}

Json MakeNumber(const std::optional<double>& number) {
  return number && std::isfinite(*number) ? Json(*number) : Json();
}

Json MakeElement(const std::optional<DifferingElement>& element) {
  if (!element) return nullptr;
  return {{"index", element->index},
          {"found", MakeNumber(element->found)},
          {"expected", MakeNumber(element->expected)},
          {"allowed", element->allowed}};
}

Json MakeLayer(const ComparedLayer& layer) {
  Json shape = Json::array();
  for (std::uint32_t axis = 0; axis < layer.info.shape.rank; ++axis) {
    shape.push_back(layer.info.shape[axis]);
  }
  Json json = {{"layer", EscapeForDisplay(layer.layer)},
               {"type", GetLayerTypeName(layer.type)},
               {"origin", EscapeForDisplay(layer.origin)},
               {"output", layer.output},
               {"backend", EscapeForDisplay(layer.backend_id)},
               {"shape", std::move(shape)},
               {"ok", nullptr},
               {"own_error", nullptr},
               {"error_so_far", MakeNumber(layer.error_so_far)},
               {"tolerance", nullptr},
               {"element", nullptr},
               {"why", EscapeForDisplay(layer.fault)}};
  if (!layer.own) return json;
  json["ok"] = layer.own->is_equal;
  json["own_error"] = MakeNumber(layer.own->max_abs_error);
  json["tolerance"] = {{"base", layer.own->allowed_base},
                       {"relative", layer.own->allowed_relative}};
  json["element"] = MakeElement(layer.own->worst);
  json["why"] = layer.own->difference;
  return json;
}

}  // namespace

std::string DescribeLayer(const ComparedLayer& layer) {
  std::string text = "layer \"" + EscapeForDisplay(layer.layer) + "\" (" +
                     GetLayerTypeName(layer.type) + ") on " + EscapeForDisplay(layer.backend_id);
  if (layer.origin != layer.layer) {
    text += ", which ends with \"" + EscapeForDisplay(layer.origin) + '"';
  }
  return text;
}

std::string DescribeLayers(const LayerComparison& comparison) {
  const std::size_t num_compared = static_cast<std::size_t>(
      std::count_if(comparison.layers.begin(), comparison.layers.end(),
                    [](const ComparedLayer& layer) { return layer.own.has_value(); }));
  const std::size_t num_left = comparison.layers.size() - num_compared;
  const std::string left = num_left == 0 ? "" : ", " + std::to_string(num_left) + " not compared";
  const std::string set =
      comparison.data_set.empty() ? "" : EscapeForDisplay(comparison.data_set) + ": ";
  const ComparedLayer* const first = comparison.FindFirstDifferent();
  if (first == nullptr) {
    std::optional<double> last;
    for (const ComparedLayer& layer : comparison.layers) {
      if (layer.error_so_far) last = layer.error_so_far;
    }
    return set + CountOutputs(num_compared) + " compared with " +
           EscapeForDisplay(comparison.reference) + left + ", all agree; error at the end " +
           FormatError(last);
  }
  return set + std::to_string(comparison.CountDifferent()) + " of " + CountOutputs(num_compared) +
         " differ from " + EscapeForDisplay(comparison.reference) + left + ", the first of " +
         DescribeLayer(*first) + ": output " + std::to_string(first->output) + ", " +
         first->own->difference;
}

std::vector<std::vector<std::string>> MakeErrorRows(const LayerComparison& comparison) {
  std::vector<std::vector<std::string>> rows = {
      {"layer", "type", "backend", "shape", "own error", "error so far", "tolerance", ""}};
  for (const ComparedLayer& layer : comparison.layers) {
    rows.push_back({EscapeForDisplay(layer.layer), GetLayerTypeName(layer.type),
                    EscapeForDisplay(layer.backend_id), ToText(layer.info.shape),
                    FormatOwnError(layer), FormatError(layer.error_so_far),
                    layer.own ? DescribeTolerance(*layer.own) : "-", DescribeOutcome(layer)});
  }
  rows.front().pop_back();
  return rows;
}

Json MakeLayersJson(const std::vector<LayerComparison>& comparisons) {
  if (comparisons.empty()) return nullptr;
  Json list = Json::array();
  for (const LayerComparison& comparison : comparisons) {
    Json layers = Json::array();
    for (const ComparedLayer& layer : comparison.layers) layers.push_back(MakeLayer(layer));
    Json first;
    if (const ComparedLayer* const differing = comparison.FindFirstDifferent()) {
      first = differing - comparison.layers.data();
    }
    Json json = {{"reference", EscapeForDisplay(comparison.reference)},
                 {"different", comparison.CountDifferent()},
                 {"first_different", std::move(first)},
                 {"layers", std::move(layers)}};
    if (!comparison.data_set.empty()) json["data_set"] = EscapeForDisplay(comparison.data_set);
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace backplane::execute_network
