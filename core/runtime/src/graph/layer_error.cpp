#include "graph/layer_error.hpp"

namespace backplane {

void ThrowLayerError(const Layer& layer, DiagnosticCode code, const std::string& problem,
                     const std::string& why, const std::string& fix) {
  Diagnostic diagnostic{code, Severity::kError, {}, {}, {}, {}, {}};
  diagnostic.subject = {SubjectKind::kLayer, GetDisplayName(layer.name, layer.id)};
  diagnostic.what = DescribeLayer(layer) + ": " + problem;
  diagnostic.why = why;
  diagnostic.fix = fix;
  throw DiagnosticException(std::move(diagnostic));
}

}  // namespace backplane
