#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace backplane::onnx {

/// Typed reading of a node's attributes. Remembers which were read, so that what nobody looked at
/// is refused and not passed over.
///
/// Every Get and Find throws DiagnosticException with kUnsupportedAttribute when the attribute has
/// another type.
class Attributes {
 public:
  /// `description` names the node in messages. The node must outlive this object.
  Attributes(const ::onnx::NodeProto& node, std::string description);

  std::optional<std::int64_t> FindInt(const std::string& name);
  /// Whether an int is other than 0.
  bool GetFlag(const std::string& name, bool when_absent = false);
  std::optional<std::vector<std::int64_t>> FindInts(const std::string& name);
  std::optional<float> FindFloat(const std::string& name);
  std::optional<std::vector<float>> FindFloats(const std::string& name);
  std::optional<std::string> FindString(const std::string& name);
  std::optional<std::vector<std::string>> FindStrings(const std::string& name);
  /// Null when absent. Ownership: the node's.
  const ::onnx::TensorProto* FindTensor(const std::string& name);
  /// Null when absent. Ownership: the node's.
  const ::onnx::SparseTensorProto* FindSparseTensor(const std::string& name);
  /// Null when absent. Ownership: the node's.
  const ::onnx::GraphProto* FindGraph(const std::string& name);

  /// Marks an attribute as read that changes nothing in what is imported.
  void Ignore(const std::string& name);

  /// Throws kUnsupportedAttribute: what the attribute is, and what is supported.
  [[noreturn]] void Refuse(const std::string& name, const std::string& found,
                           const std::string& supported) const;

  /// Errors: DiagnosticException with kUnsupportedAttribute for attributes that were not read.
  void RefuseUnread() const;

 private:
  const ::onnx::AttributeProto* Find(const std::string& name,
                                     ::onnx::AttributeProto::AttributeType type);

  std::string node_name_;
  std::string description_;
  std::map<std::string, const ::onnx::AttributeProto*> values_;
  std::set<std::string> read_;
};

}  // namespace backplane::onnx
