#pragma once

#include <onnx/onnx_pb.h>

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace backplane::onnx {

/// A function that a model brings along.
struct LocalFunction {
  const ::onnx::FunctionProto* proto = nullptr;
  std::vector<::onnx::AttributeProto> defaults;  // of attributes that a call leaves out
};

/// The functions that a model brings along.
class LocalFunctions {
 public:
  /// The model must outlive this object.
  /// Errors: as ReadDefaultAttributes.
  explicit LocalFunctions(const ::onnx::ModelProto& model);

  /// That which the node calls. Null when the model has none of that name.
  const LocalFunction* Find(const ::onnx::NodeProto& node) const;

 private:
  std::map<std::tuple<std::string, std::string, std::string>, LocalFunction> functions_;
};

}  // namespace backplane::onnx
