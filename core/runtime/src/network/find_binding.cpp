#include <backplane/runtime/find_binding.hpp>

#include <backplane/host/diagnostic.hpp>

#include <algorithm>
#include <utility>

namespace backplane {

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
