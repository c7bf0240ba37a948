#include "running/layer_backends.hpp"

#include <backplane/host/diagnostic.hpp>

#include <fnmatch.h>

#include <algorithm>
#include <string>
#include <utility>

namespace backplane::execute_network {
namespace {

constexpr std::size_t kMaxSuggestions = 3;

// What is left of a glob when everything that stands for something else is taken out.
std::string RemoveWildcards(std::string pattern) {
  pattern.erase(std::remove_if(pattern.begin(), pattern.end(),
                               [](char character) {
                                 return std::string("*?[]").find(character) != std::string::npos;
                               }),
                pattern.end());
  return pattern;
}

std::vector<std::string> FindNearestNames(const std::string& pattern,
                                          std::vector<std::string> names) {
  const std::string wanted = RemoveWildcards(pattern);
  std::vector<std::string> nearest;
  while (nearest.size() < kMaxSuggestions) {
    std::string name = FindNearestName(wanted, names);
    if (name.empty()) break;
    names.erase(std::remove(names.begin(), names.end(), name), names.end());
    nearest.push_back(std::move(name));
  }
  return nearest;
}

std::string Join(const std::vector<std::string>& names, const std::string& separator) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : separator) + name;
  return text;
}

std::string DescribeNames(std::vector<std::string> names) {
  const std::size_t num_left = names.size() - std::min(names.size(), kMaxSuggestions);
  names.resize(names.size() - num_left);
  const std::string list = Join(names, ", ");
  return num_left == 0 ? list : list + " and " + std::to_string(num_left) + " more";
}

Diagnostic DescribeUnmatched(const std::string& pattern, const std::vector<std::string>& names) {
  Diagnostic diagnostic{DiagnosticCode::kLayerNotFound};
  diagnostic.subject = {SubjectKind::kLayer, pattern};
  diagnostic.what = "no layer of the model matches \"" + pattern + "\"";
  diagnostic.why =
      names.empty() ? "the model has no layers"
                    : "its " + std::to_string(names.size()) + " layers are " + DescribeNames(names);
  const std::vector<std::string> nearest = FindNearestNames(pattern, names);
  diagnostic.fix = nearest.empty() ? "run with --explain to see the name of every layer"
                                   : "did you mean " + Join(nearest, " or ") + "?";
  return diagnostic;
}

[[noreturn]] void ThrowUnmatched(std::vector<Diagnostic> unmatched) {
  if (unmatched.size() == 1) throw DiagnosticException(std::move(unmatched.front()));
  Diagnostic diagnostic{DiagnosticCode::kLayerNotFound};
  diagnostic.subject = {SubjectKind::kOption, "--layer-backend"};
  diagnostic.what = std::to_string(unmatched.size()) + " patterns match no layer of the model";
  diagnostic.why = "each is below";
  diagnostic.fix = "correct or leave out these patterns";
  diagnostic.causes = std::move(unmatched);
  throw DiagnosticException(std::move(diagnostic));
}

}  // namespace

bool MatchesPattern(const std::string& pattern, const std::string& name) {
  return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

std::vector<Diagnostic> WarnOfUnmatched(const std::vector<LayerBackend>& layer_backends,
                                        const Placement& placement) {
  std::vector<std::string> names;
  for (const LayerPlacement& layer : placement.layers) names.push_back(layer.name);
  std::vector<Diagnostic> warnings;
  for (const LayerBackend& choice : layer_backends) {
    const bool is_matched = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return MatchesPattern(choice.pattern, name);
    });
    if (is_matched) continue;
    warnings.push_back(DescribeUnmatched(choice.pattern, names));
    warnings.back().severity = Severity::kWarning;
  }
  return warnings;
}

void SetLayerBackends(const std::vector<LayerBackend>& layer_backends,
                      const BackendRegistry& registry, INetwork& network) {
  const std::vector<NetworkOperator> layers = network.GetOperators();
  std::vector<std::string> names;
  for (const NetworkOperator& layer : layers) names.push_back(layer.name);
  std::vector<Diagnostic> unmatched;
  for (const LayerBackend& choice : layer_backends) {
    registry.GetRegistration(choice.backend_id);  // throws when it is not available
    bool is_matched = false;
    for (const NetworkOperator& layer : layers) {
      if (!MatchesPattern(choice.pattern, layer.name)) continue;
      network.SetBackendHint(layer.id, choice.backend_id);
      is_matched = true;
    }
    if (!is_matched) unmatched.push_back(DescribeUnmatched(choice.pattern, names));
  }
  if (!unmatched.empty()) ThrowUnmatched(std::move(unmatched));
}

}  // namespace backplane::execute_network
