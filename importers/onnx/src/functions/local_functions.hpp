#pragma once

#include <onnx/onnx_pb.h>

#include <map>
#include <string>
#include <utility>

namespace backplane::onnx {

/// The functions that a model brings along.
class LocalFunctions {
 public:
  /// The model must outlive this object.
  explicit LocalFunctions(const ::onnx::ModelProto& model);

  /// Null when the model has none of that name. `domain` is normalised.
  const ::onnx::FunctionProto* Find(const std::string& domain, const std::string& name) const;

 private:
  std::map<std::pair<std::string, std::string>, const ::onnx::FunctionProto*> functions_;
};

}  // namespace backplane::onnx
