#include <backplane/onnx/tensor_file.hpp>

#include "diagnostics/throw_diagnostic.hpp"
#include "files/file_kind.hpp"
#include "files/read_file.hpp"
#include "tensors/tensor_proto.hpp"

#include <onnx/onnx-data_pb.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <utility>

namespace backplane::onnx {
namespace {

/// A file while it is read.
struct ValueFile {
  [[noreturn]] void Refuse(const char* expected, const std::string& why) const {
    ThrowError(DiagnosticCode::kTensorFileUnreadable, {SubjectKind::kFile, path},
               path + " is not an ONNX " + expected, why,
               std::string("give a serialised ") + expected + " (.pb)");
  }

  const std::string& path;
  const std::string& content;
};

StageValue MakeValue(NamedTensor tensor) {
  const auto bytes = std::make_shared<std::vector<unsigned char>>(std::move(tensor.data));
  return MakeStageTensor(tensor.info, {bytes, bytes->data()});
}

StageValue Decode(const ::onnx::TensorProto& proto, const ValueFile& file) {
  return MakeValue(DecodeTensor(proto, {DiagnosticCode::kTensorFileUnreadable,
                                        {SubjectKind::kFile, file.path},
                                        "a tensor in " + file.path}));
}

/// Numbers of fields are the same in all three messages, but their types are not, so that one that
/// is read as another leaves something over.
bool IsOfTensors(const ::onnx::SequenceProto& proto) {
  const int num_others = proto.sparse_tensor_values_size() + proto.sequence_values_size() +
                         proto.map_values_size() + proto.optional_values_size();
  return proto.elem_type() == ::onnx::SequenceProto::TENSOR && num_others == 0 &&
         proto.unknown_fields().empty();
}

StageValue Decode(const ::onnx::SequenceProto& proto, const ValueFile& file) {
  if (!IsOfTensors(proto)) {
    file.Refuse("SequenceProto of tensors", "it looks like another message of ONNX");
  }
  std::vector<StageValue> elements;
  for (const auto& tensor : proto.tensor_values()) elements.push_back(Decode(tensor, file));
  return MakeStageSequence(std::move(elements));
}

StageValue ReadTensor(const ValueFile& file) {
  return MakeValue(ParseTensor(file.content, file.path));
}

StageValue ReadSequence(const ValueFile& file) {
  ::onnx::SequenceProto proto;
  if (file.content.empty() || !proto.ParseFromString(file.content) || !proto.has_elem_type()) {
    file.Refuse("SequenceProto", "it looks like " + DescribeFileKind(file.content));
  }
  return Decode(proto, file);
}

/// False: the file is none, or one of something else.
bool ParseOptional(const ValueFile& file, const ValueForm& form, ::onnx::OptionalProto& proto) {
  if (file.content.empty() || !proto.ParseFromString(file.content) || !proto.has_elem_type() ||
      !proto.unknown_fields().empty() || proto.has_sparse_tensor_value() || proto.has_map_value()) {
    return false;
  }
  if (!proto.has_tensor_value() && !proto.has_sequence_value()) return true;
  if (form.is_sequence) return proto.has_sequence_value() && !proto.has_tensor_value();
  // Several tensors of a sequence would be one that is made of all.
  ::onnx::SequenceProto sequence;
  const bool are_several =
      sequence.ParseFromString(file.content) && sequence.tensor_values_size() > 1;
  return proto.has_tensor_value() && !proto.has_sequence_value() && !are_several;
}

/// Whether it has a tensor where a TensorProto says which segment of one it is, which nothing does.
bool LooksLikeValue(const std::string& content) {
  ::onnx::SequenceProto proto;
  return proto.ParseFromString(content) && proto.unknown_fields().empty() &&
         proto.has_elem_type() &&
         (proto.tensor_values_size() > 0 || proto.sequence_values_size() > 0);
}

NamedTensor CopyTensor(const std::string& name, const StageValue& value) {
  const auto* const begin = static_cast<const unsigned char*>(value.data.get());
  return {name, value.info, {begin, begin + value.info.GetSizeBytes()}};
}

::onnx::SequenceProto EncodeSequence(const std::string& name, const StageValue& value) {
  ::onnx::SequenceProto proto;
  proto.set_name(name);
  proto.set_elem_type(::onnx::SequenceProto::TENSOR);
  for (const StageValue& element : value.elements) {
    *proto.add_tensor_values() = EncodeTensor(CopyTensor("", element));
  }
  return proto;
}

::onnx::OptionalProto EncodeOptional(const std::string& name, const StageValue& value) {
  ::onnx::OptionalProto proto;
  proto.set_name(name);
  switch (value.kind) {
    case StageValue::Kind::kNone:
      proto.set_elem_type(::onnx::OptionalProto::UNDEFINED);
      break;
    case StageValue::Kind::kTensor:
      proto.set_elem_type(::onnx::OptionalProto::TENSOR);
      *proto.mutable_tensor_value() = EncodeTensor(CopyTensor("", value));
      break;
    case StageValue::Kind::kSequence:
      proto.set_elem_type(::onnx::OptionalProto::SEQUENCE);
      *proto.mutable_sequence_value() = EncodeSequence("", value);
      break;
  }
  return proto;
}

template <typename Message>
void WriteMessage(const std::string& path, const Message& message) {
  errno = 0;
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << message.SerializeAsString();
  stream.close();
  if (stream) return;
  ThrowError(DiagnosticCode::kOutputUnwritable, {SubjectKind::kFile, path},
             path + " cannot be written", errno != 0 ? std::strerror(errno) : "writing failed",
             "give a path in an existing folder that this user may write to");
}

}  // namespace

StageValue ReadValueFile(const std::string& path, const ValueForm& form) {
  const std::string content = ReadFile(path, DiagnosticCode::kTensorFileUnreadable);
  const ValueFile file{path, content};
  ::onnx::OptionalProto optional;
  if (form.is_optional && ParseOptional(file, form, optional)) {
    if (optional.has_tensor_value()) return Decode(optional.tensor_value(), file);
    if (optional.has_sequence_value()) return Decode(optional.sequence_value(), file);
    return {};
  }
  return form.is_sequence ? ReadSequence(file) : ReadTensor(file);
}

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
  if (proto.raw_data().empty() && LooksLikeValue(content)) {
    ThrowError(DiagnosticCode::kTensorFileUnreadable, {SubjectKind::kFile, path},
               path + " is not an ONNX tensor", "it looks like a SequenceProto or an OptionalProto",
               "give a serialised TensorProto (.pb)");
  }
  return DecodeTensor(
      proto,
      {DiagnosticCode::kTensorFileUnreadable, {SubjectKind::kFile, path}, "the tensor in " + path});
}

void WriteTensorFile(const std::string& path, const NamedTensor& tensor) {
  WriteMessage(path, EncodeTensor(tensor));
}

void WriteValueFile(const std::string& path, const std::string& name, const StageValue& value,
                    const ValueForm& form) {
  if (form.is_optional) return WriteMessage(path, EncodeOptional(name, value));
  if (form.is_sequence) return WriteMessage(path, EncodeSequence(name, value));
  WriteMessage(path, EncodeTensor(CopyTensor(name, value)));
}

}  // namespace backplane::onnx
