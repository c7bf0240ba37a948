#include <backplane/onnx/import_model.hpp>

#include "files/model_file.hpp"
#include "graph/import_graph.hpp"
#include "graph/inputs.hpp"

namespace backplane::onnx {

ImportedModel ImportModel(const std::string& path, const ImportOptions& options) {
  return ImportParsedModel(std::make_shared<::onnx::ModelProto>(ReadModelFile(path)), path,
                           options);
}

std::vector<ModelInput> ReadModelInputs(const std::string& path) {
  return ListInputs(ReadModelFile(path).graph());
}

}  // namespace backplane::onnx
