#pragma once

#include "nodes/attributes.hpp"

#include <onnx/onnx_pb.h>

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace backplane::onnx {

/// A function that a model brings along.
struct LocalFunction {
  const ::onnx::FunctionProto* proto = nullptr;
  /// Of attributes that a call leaves out. Never null.
  std::shared_ptr<const std::vector<::onnx::AttributeProto>> defaults;
};

/// What a call gives a function, and the defaults of what it leaves out.
BoundAttributes BindAttributes(const LocalFunction& function, const BoundAttributes& of_call);

/// Keeps what `owner` keeps, and the defaults. Null when `owner` is.
std::shared_ptr<const void> KeepWithDefaults(const LocalFunction& function,
                                             std::shared_ptr<const void> owner);

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
