#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace backplane::onnx {

/// The attributes of the call of a function: what references in its body stand for.
using BoundAttributes = std::map<std::string, const ::onnx::AttributeProto*>;

/// Typed reading of a node's attributes. Remembers which were read, so that what nobody looked at
/// is refused and not passed over.
///
/// In the body of a function, an attribute may refer to one of the call: the value is that of the
/// call, and the attribute is absent when the call lacks it.
///
/// Every Get and Find throws DiagnosticException with kUnsupportedAttribute when the attribute has
/// another type.
class Attributes {
 public:
  /// `description` names the node in messages. The node, and what is bound, must outlive this
  /// object.
  Attributes(const ::onnx::NodeProto& node, std::string description,
             const BoundAttributes* bound = nullptr);

  /// Does not count as reading it.
  bool Has(const std::string& name) const { return values_.count(name) > 0; }

  std::optional<std::int64_t> FindInt(const std::string& name);
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

  /// All of them, by name, with references resolved.
  const BoundAttributes& GetAll() const { return values_; }

 private:
  const ::onnx::AttributeProto* Find(const std::string& name,
                                     ::onnx::AttributeProto::AttributeType type);

  std::string node_name_;
  std::string description_;
  BoundAttributes values_;
  std::set<std::string> read_;
};

}  // namespace backplane::onnx
