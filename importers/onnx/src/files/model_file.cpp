#include "files/model_file.hpp"

#include "diagnostics/throw_diagnostic.hpp"
#include "files/file_kind.hpp"
#include "files/graph_nesting.hpp"
#include "files/read_file.hpp"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>

#include <cstdint>
#include <limits>

namespace backplane::onnx {
namespace {

constexpr std::size_t kMostBytes = std::numeric_limits<std::int32_t>::max();  // of a message

// Such files parse as a model with nothing in it, because protobuf skips what it does not know.
bool IsTensor(const std::string& content) {
  ::onnx::TensorProto tensor;
  return tensor.ParseFromString(content) && tensor.has_data_type() &&
         (tensor.has_raw_data() || tensor.dims_size() > 0);
}

std::string DescribeContent(const std::string& content, const ::onnx::ModelProto& model,
                            bool is_parsed) {
  if (content.empty()) return "the file is empty";
  if (content.size() > kMostBytes) {
    return "it has " + std::to_string(content.size()) + " bytes; a model in one file has at most " +
           std::to_string(kMostBytes) + ", with the data of its tensors in others";
  }
  if (IsTensor(content)) return "it looks like an ONNX tensor";
  if (!model.has_ir_version() || model.ir_version() <= 0) {
    return "it looks like " + DescribeFileKind(content);
  }
  if (is_parsed) return "it states an ONNX version, but has no graph";
  return "it begins as an ONNX model of " + std::to_string(content.size()) +
         " bytes, but is truncated or damaged";
}

// Messages lie as deep in each other as three for each graph need; what is deeper is not parsed.
bool Parse(google::protobuf::io::ZeroCopyInputStream& input, ::onnx::ModelProto& model) {
  constexpr int kMostMessages = 3 * static_cast<int>(kMaxNestedGraphs) + 16;
  google::protobuf::io::CodedInputStream coded(&input);
  coded.SetRecursionLimit(kMostMessages);
  return model.ParseFromCodedStream(&coded) && coded.ConsumedEntireMessage();
}

void RequireFewNestedGraphs(const std::string& content, const std::string& path) {
  const std::uint32_t found = CountNestedGraphs(content);
  if (found <= kMaxNestedGraphs) return;
  ThrowError(DiagnosticCode::kInvalidModel, {SubjectKind::kModel, path},
             path + " has too many graphs in each other",
             "found " + std::to_string(found) + ", each in an attribute of a node of another; at " +
                 "most " + std::to_string(kMaxNestedGraphs) + " are supported",
             "export the model with fewer branches and loops within each other");
}

}  // namespace

// Parsed block by block, so that the file and the model are not in memory both.
::onnx::ModelProto ReadModelFile(const std::string& path) {
  constexpr int kBlockBytes = 1 << 16;
  std::ifstream stream = OpenFile(path, DiagnosticCode::kModelNotFound);
  google::protobuf::io::IstreamInputStream input(&stream, kBlockBytes);
  ::onnx::ModelProto model;
  if (Parse(input, model) && model.has_graph()) return model;
  // What it is instead is only said of the whole content.
  return ParseModel(ReadFile(path, DiagnosticCode::kModelNotFound), path);
}

::onnx::ModelProto ParseModel(const std::string& content, const std::string& path) {
  ::onnx::ModelProto model;
  // Of more, nothing is parsed.
  const std::size_t size_bytes = content.size() <= kMostBytes ? content.size() : 0;
  google::protobuf::io::ArrayInputStream input(content.data(), static_cast<int>(size_bytes));
  const bool is_parsed = Parse(input, model);
  if (is_parsed && model.has_graph()) return model;
  RequireFewNestedGraphs(content, path);
  ThrowError(DiagnosticCode::kNotAModel, {SubjectKind::kFile, path}, path + " is not an ONNX model",
             DescribeContent(content, model, is_parsed),
             "give a file that was exported as ONNX (.onnx)");
}

}  // namespace backplane::onnx
