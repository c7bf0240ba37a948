#include <backplane/onnx/import_model.hpp>

#include "files/model_file.hpp"
#include "graph/check_model.hpp"
#include "graph/import_graph.hpp"
#include "graph/inputs.hpp"

namespace backplane::onnx {

ImportedModel ImportModel(const std::string& path, const ImportOptions& options) {
  const ::onnx::ModelProto model = ReadModelFile(path);
  const std::int64_t opset = ReadOpset(model, path);
  CheckOperators(model.graph(), opset, path);
  CheckRules(model, path);
  return ImportGraph(model.graph(), opset, path, options);
}

std::vector<ModelInput> ReadModelInputs(const std::string& path) {
  return ListInputs(ReadModelFile(path).graph());
}

}  // namespace backplane::onnx
