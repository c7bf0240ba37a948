#include "files/model_file.hpp"

#include "diagnostics/throw_diagnostic.hpp"
#include "files/file_kind.hpp"
#include "files/read_file.hpp"

#include <google/protobuf/message.h>

namespace backplane::onnx {
namespace {

[[noreturn]] void ThrowNotAModel(const std::string& path, const std::string& why) {
  ThrowError(DiagnosticCode::kNotAModel, {SubjectKind::kFile, path}, path + " is not an ONNX model",
             why, "give a file that was exported as ONNX (.onnx)");
}

// Such files parse as a model with nothing in it, because protobuf skips what it does not know.
bool IsTensor(const std::string& content) {
  ::onnx::TensorProto tensor;
  return tensor.ParseFromString(content) && tensor.has_data_type() &&
         (tensor.has_raw_data() || tensor.dims_size() > 0);
}

}  // namespace

::onnx::ModelProto ReadModelFile(const std::string& path) {
  const std::string content = ReadFile(path, DiagnosticCode::kModelNotFound);
  if (content.empty()) ThrowNotAModel(path, "the file is empty");
  ::onnx::ModelProto model;
  if (!model.ParseFromString(content)) {
    const bool begins_as_model = model.has_ir_version() && model.ir_version() > 0;
    ThrowNotAModel(path, begins_as_model
                             ? "it begins as an ONNX model of " + std::to_string(content.size()) +
                                   " bytes, but is truncated or damaged"
                             : "it looks like " + DescribeFileKind(content));
  }
  if (!model.has_graph()) {
    ThrowNotAModel(path, IsTensor(content)        ? "it looks like an ONNX tensor"
                         : model.has_ir_version() ? "it states an ONNX version, but has no graph"
                                                  : "it looks like " + DescribeFileKind(content));
  }
  return model;
}

}  // namespace backplane::onnx
