#include <backplane/onnx/import_model.hpp>

#include "diagnostics/throw_diagnostic.hpp"
#include "files/model_file.hpp"
#include "functions/flatten_functions.hpp"
#include "graph/check_model.hpp"
#include "graph/check_rules.hpp"
#include "graph/import_graph.hpp"
#include "graph/inputs.hpp"
#include "graph/model_version.hpp"
#include "nodes/scope.hpp"
#include "stages/import_in_stages.hpp"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
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

// Makes a network of a model: at once where all is known, else stage by stage when it runs. The
// path is for messages, and external data lies beside it. `parse` may be called twice.
// Errors: as ImportModel, from kUnsupportedOpset on; what `parse` throws.
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
  const auto parse = [this] {
    if (content_->model) return std::exchange(content_->model, nullptr);
    return std::make_shared<::onnx::ModelProto>(ReadModelFile(path_));
  };
  return ImportParsedModel(parse, path_, options);
}

ImportedModel ImportModel(const std::string& path, const ImportOptions& options) {
  const auto parse = [&] { return std::make_shared<::onnx::ModelProto>(ReadModelFile(path)); };
  return ImportParsedModel(parse, path, options);
}

ImportedModel ImportModelFromMemory(const std::string& content, const std::string& path,
                                    const ImportOptions& options) {
  const auto parse = [&] {
    return std::make_shared<::onnx::ModelProto>(ParseModel(content, path));
  };
  return ImportParsedModel(parse, path, options);
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
