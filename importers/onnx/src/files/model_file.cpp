#include "files/model_file.hpp"

#include "diagnostics/throw_diagnostic.hpp"
#include "files/file_kind.hpp"
#include "files/read_file.hpp"

#include <google/protobuf/io/zero_copy_stream_impl.h>

namespace backplane::onnx {
namespace {

// Such files parse as a model with nothing in it, because protobuf skips what it does not know.
bool IsTensor(const std::string& content) {
  ::onnx::TensorProto tensor;
  return tensor.ParseFromString(content) && tensor.has_data_type() &&
         (tensor.has_raw_data() || tensor.dims_size() > 0);
}

std::string DescribeContent(const std::string& content, const ::onnx::ModelProto& model,
                            bool is_parsed) {
  if (content.empty()) return "the file is empty";
  if (IsTensor(content)) return "it looks like an ONNX tensor";
  if (!model.has_ir_version() || model.ir_version() <= 0) {
    return "it looks like " + DescribeFileKind(content);
  }
  if (is_parsed) return "it states an ONNX version, but has no graph";
  return "it begins as an ONNX model of " + std::to_string(content.size()) +
         " bytes, but is truncated or damaged";
}

}  // namespace

// Parsed block by block, so that the file and the model are not in memory both.
::onnx::ModelProto ReadModelFile(const std::string& path) {
  constexpr int kBlockBytes = 1 << 16;
  std::ifstream stream = OpenFile(path, DiagnosticCode::kModelNotFound);
  google::protobuf::io::IstreamInputStream input(&stream, kBlockBytes);
  ::onnx::ModelProto model;
  if (model.ParseFromZeroCopyStream(&input) && model.has_graph()) return model;
  // What it is instead is only said of the whole content.
  return ParseModel(ReadFile(path, DiagnosticCode::kModelNotFound), path);
}

::onnx::ModelProto ParseModel(const std::string& content, const std::string& path) {
  ::onnx::ModelProto model;
  const bool is_parsed = model.ParseFromString(content);
  if (is_parsed && model.has_graph()) return model;
  ThrowError(DiagnosticCode::kNotAModel, {SubjectKind::kFile, path}, path + " is not an ONNX model",
             DescribeContent(content, model, is_parsed),
             "give a file that was exported as ONNX (.onnx)");
}

}  // namespace backplane::onnx
