#include <backplane/onnx/import_model.hpp>

#include "diagnostics/throw_diagnostic.hpp"
#include "files/model_file.hpp"
#include "functions/flatten_functions.hpp"
#include "graph/check_model.hpp"
#include "graph/check_rules.hpp"
#include "graph/inputs.hpp"
#include "graph/model_version.hpp"
#include "nodes/scope.hpp"
#include "stages/import_graph.hpp"

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace backplane::onnx {
namespace {

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
    ImportGraph({model, FlattenFunctions(*model, opsets, path)}, path, options, unsupported.names);
  } catch (const DiagnosticException& exception) {
    const Diagnostic& other = exception.GetDiagnostic();
    const bool is_list = other.subject.kind == SubjectKind::kModel && !other.causes.empty();
    const auto all = is_list ? other.causes : std::vector<Diagnostic>{other};
    std::vector<Diagnostic>& causes = unsupported.error.causes;
    causes.insert(causes.end(), all.begin(), all.end());
  }
  throw DiagnosticException(std::move(unsupported.error));
}

// The path is for messages, and external data lies beside it.
// Errors: as ImportModel, from kUnsupportedOpset on.
ImportedModel ImportParsedModel(const std::shared_ptr<::onnx::ModelProto>& model,
                                const std::string& path, const ImportOptions& options) {
  const ModelVersion version = ReadVersion(*model, path);
  Opsets opsets = ReadOpsets(model->opset_import());
  opsets[""] = version.opset;
  auto unsupported = FindUnsupportedOperators(*model, opsets, path, !options.must_be_fixed);
  if (unsupported) ThrowUnsupported(std::move(*unsupported), model, opsets, path, options);
  if (version.warnings.empty()) CheckRules(*model, path);
  try {
    ImportedModel imported =
        ImportGraph({model, FlattenFunctions(*model, opsets, path)}, path, options);
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

ModelDescription Describe(const ::onnx::ModelProto& model) {
  ModelDescription description;
  description.name = model.graph().name();
  description.producer = model.producer_name();
  if (!model.producer_version().empty()) description.producer += " " + model.producer_version();
  description.domain = model.domain();
  description.documentation = model.doc_string();
  description.model_version = model.model_version();
  description.ir_version = model.ir_version();
  description.operator_sets = ReadOpsets(model.opset_import());
  for (const auto& entry : model.metadata_props()) {
    description.properties[entry.key()] = entry.value();
  }
  description.inputs = ListInputs(model.graph());
  description.outputs = ListValues(model.graph().output());
  description.num_nodes = static_cast<std::uint64_t>(model.graph().node_size());
  return description;
}

}  // namespace

struct ModelFile::Content {
  std::shared_ptr<::onnx::ModelProto> model;  // null: it was given away
};

ModelFile::ModelFile(std::string path)
    : path_(std::move(path)),
      content_(new Content{std::make_shared<::onnx::ModelProto>(ReadModelFile(path_))}),
      description_(Describe(*content_->model)) {}

ModelFile::~ModelFile() = default;

ImportedModel ModelFile::Import(const ImportOptions& options) {
  if (content_->model) {
    return ImportParsedModel(std::exchange(content_->model, nullptr), path_, options);
  }
  return ImportModel(path_, options);
}

ImportedModel ImportModel(const std::string& path, const ImportOptions& options) {
  return ImportParsedModel(std::make_shared<::onnx::ModelProto>(ReadModelFile(path)), path,
                           options);
}

ImportedModel ImportModelFromMemory(const std::string& content, const std::string& path,
                                    const ImportOptions& options) {
  return ImportParsedModel(std::make_shared<::onnx::ModelProto>(ParseModel(content, path)), path,
                           options);
}

std::vector<ModelInput> ReadModelInputs(const std::string& path) {
  return ListInputs(ReadModelFile(path).graph());
}

ModelDescription DescribeModel(const std::string& path) {
  return Describe(ReadModelFile(path));
}

ModelDescription DescribeModelFromMemory(const std::string& content, const std::string& path) {
  return Describe(ParseModel(content, path));
}

}  // namespace backplane::onnx
