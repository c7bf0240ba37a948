#include <backplane/onnx/import_model.hpp>

#include "files/model_file.hpp"
#include "graph/inputs.hpp"
#include "importing/import_parsed_model.hpp"
#include "nodes/scope.hpp"

#include <utility>

namespace backplane::onnx {
namespace {

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
