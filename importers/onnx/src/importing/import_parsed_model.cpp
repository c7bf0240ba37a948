#include "importing/import_parsed_model.hpp"

#include "diagnostics/throw_diagnostic.hpp"
#include "functions/flatten_functions.hpp"
#include "graph/check_model.hpp"
#include "graph/check_rules.hpp"
#include "graph/import_graph.hpp"
#include "graph/model_version.hpp"
#include "stages/import_in_stages.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace backplane::onnx {
namespace {

// What only values decide on, which are known when it runs.
bool DependsOnData(const Diagnostic& diagnostic) {
  return diagnostic.code == DiagnosticCode::kDataDependentShape ||
         std::any_of(diagnostic.causes.begin(), diagnostic.causes.end(), DependsOnData);
}

bool IsDocumented(DiagnosticCode code) {
  return code == DiagnosticCode::kUnsupportedAttribute || code == DiagnosticCode::kInvalidModel ||
         code == DiagnosticCode::kDataDependentShape ||
         code == DiagnosticCode::kUnsupportedOperator || code == DiagnosticCode::kWrongInput ||
         code == DiagnosticCode::kUnknownDimension;
}

// With them all else that keeps the model from being imported, so that nothing is left for the next
// attempt.
[[noreturn]] void ThrowUnsupported(UnsupportedOperators unsupported,
                                   const std::shared_ptr<::onnx::ModelProto>& model,
                                   const Opsets& opsets, const std::string& path,
                                   const ImportOptions& options) {
  try {
    BuildNetwork({model, FlattenFunctions(*model, opsets, path)}, path, options, unsupported.names);
  } catch (const DiagnosticException& exception) {
    const Diagnostic& other = exception.GetDiagnostic();
    const bool is_list = other.subject.kind == SubjectKind::kModel && !other.causes.empty();
    const auto all = is_list ? other.causes : std::vector<Diagnostic>{other};
    std::vector<Diagnostic>& causes = unsupported.error.causes;
    causes.insert(causes.end(), all.begin(), all.end());
  }
  throw DiagnosticException(std::move(unsupported.error));
}

}  // namespace

ImportedModel ImportParsedModel(const std::function<std::shared_ptr<::onnx::ModelProto>()>& parse,
                                const std::string& path, const ImportOptions& options) {
  std::shared_ptr<::onnx::ModelProto> model = parse();
  const ModelVersion version = ReadVersion(*model, path);
  Opsets opsets = ReadOpsets(model->opset_import());
  opsets[""] = version.opset;
  const bool may_be_staged = !options.must_be_fixed;
  auto unsupported = FindUnsupportedOperators(*model, opsets, path, may_be_staged);
  if (unsupported) ThrowUnsupported(std::move(*unsupported), model, opsets, path, options);
  if (version.warnings.empty()) CheckRules(*model, path);
  const auto flatten = [&](std::shared_ptr<::onnx::ModelProto> proto) {
    auto versions = FlattenFunctions(*proto, opsets, path);
    return VersionedModel{std::move(proto), std::move(versions)};
  };
  try {
    const VersionedModel flat = flatten(std::move(model));
    ImportedModel imported;
    if (may_be_staged && NeedsStages(*flat.proto, options)) {
      imported = ImportInStages(flat, path, options);
    } else {
      try {
        imported = BuildNetwork(flat, path, options);
      } catch (const DiagnosticException& exception) {
        if (!may_be_staged || !DependsOnData(exception.GetDiagnostic())) throw;
        imported = ImportInStages(flatten(parse()), path, options);
      }
    }
    imported.warnings.insert(imported.warnings.begin(), version.warnings.begin(),
                             version.warnings.end());
    return imported;
  } catch (const DiagnosticException& exception) {
    if (IsDocumented(exception.GetDiagnostic().code)) throw;
    ThrowError(DiagnosticCode::kInvalidModel, {SubjectKind::kModel, path},
               path + " cannot be imported", "an input or output is refused",
               "correct the model and export it again", {exception.GetDiagnostic()});
  }
}

}  // namespace backplane::onnx
