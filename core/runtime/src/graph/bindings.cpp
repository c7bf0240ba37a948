#include "graph/bindings.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/find_binding.hpp>

#include <algorithm>
#include <utility>

namespace backplane {

std::vector<NetworkBinding> GetInputBindings(const Graph& graph) {
  std::vector<NetworkBinding> bindings;
  for (const LayerId id : graph.inputs) {
    const Layer& layer = graph.layers[id];
    const auto binding = static_cast<LayerBindingId>(bindings.size());
    bindings.push_back({binding, layer.name, layer.outputs[0]});
  }
  return bindings;
}

std::vector<NetworkBinding> GetOutputBindings(const Graph& graph) {
  std::vector<NetworkBinding> bindings;
  for (const LayerId id : graph.outputs) {
    const Layer& layer = graph.layers[id];
    const auto binding = static_cast<LayerBindingId>(bindings.size());
    bindings.push_back({binding, layer.name, GetTensor(graph, layer.inputs[0])});
  }
  return bindings;
}

std::vector<NetworkBinding> ToNetworkBindings(const std::vector<OpenBinding>& open) {
  return {open.begin(), open.end()};
}

std::vector<OpenBinding> ToOpenBindings(const std::vector<NetworkBinding>& fixed) {
  std::vector<OpenBinding> bindings(fixed.size());
  for (std::size_t i = 0; i < fixed.size(); ++i)
    static_cast<NetworkBinding&>(bindings[i]) = fixed[i];
  return bindings;
}

LayerBindingId FindBinding(const std::vector<NetworkBinding>& bindings, const std::string& name) {
  const auto found =
      std::find_if(bindings.begin(), bindings.end(),
                   [&](const NetworkBinding& binding) { return binding.name == name; });
  if (found != bindings.end()) return found->id;
  std::vector<std::string> names;
  std::string list;
  for (const NetworkBinding& binding : bindings) {
    names.push_back(binding.name);
    list += (list.empty() ? "" : ", ") + EscapeForDisplay(binding.name);
  }
  const std::string nearest = FindNearestName(name, names);
  Diagnostic diagnostic{DiagnosticCode::kWrongTensorBinding};
  diagnostic.subject = {SubjectKind::kTensor, name};
  diagnostic.what = "no input or output is called \"" + EscapeForDisplay(name) + "\"";
  diagnostic.why = "found " + (list.empty() ? "none" : list);
  diagnostic.fix = nearest.empty() ? "give one of those names"
                                   : "did you mean " + EscapeForDisplay(nearest) + "?";
  throw DiagnosticException(std::move(diagnostic));
}

}  // namespace backplane
