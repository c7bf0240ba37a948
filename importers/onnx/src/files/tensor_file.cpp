#include <backplane/onnx/tensor_file.hpp>

#include "diagnostics/throw_diagnostic.hpp"
#include "files/file_kind.hpp"
#include "files/read_file.hpp"
#include "tensors/tensor_proto.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace backplane::onnx {

NamedTensor ReadTensorFile(const std::string& path) {
  return ParseTensor(ReadFile(path, DiagnosticCode::kTensorFileUnreadable), path);
}

NamedTensor ParseTensor(const std::string& content, const std::string& path) {
  ::onnx::TensorProto proto;
  if (content.empty() || !proto.ParseFromString(content) || !proto.has_data_type()) {
    ThrowError(DiagnosticCode::kTensorFileUnreadable, {SubjectKind::kFile, path},
               path + " is not an ONNX tensor", "it looks like " + DescribeFileKind(content),
               "give a serialised TensorProto (.pb)");
  }
  return DecodeTensor(
      proto,
      {DiagnosticCode::kTensorFileUnreadable, {SubjectKind::kFile, path}, "the tensor in " + path});
}

void WriteTensorFile(const std::string& path, const NamedTensor& tensor) {
  errno = 0;
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << EncodeTensor(tensor).SerializeAsString();
  stream.close();
  if (stream) return;
  ThrowError(DiagnosticCode::kOutputUnwritable, {SubjectKind::kFile, path},
             path + " cannot be written", errno != 0 ? std::strerror(errno) : "writing failed",
             "give a path in an existing folder that this user may write to");
}

}  // namespace backplane::onnx
