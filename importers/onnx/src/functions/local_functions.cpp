#include "functions/local_functions.hpp"

#include "functions/newer_fields.hpp"
#include "nodes/scope.hpp"

#include <utility>

namespace backplane::onnx {

BoundAttributes BindAttributes(const LocalFunction& function, const BoundAttributes& of_call) {
  BoundAttributes bound = of_call;
  for (const ::onnx::AttributeProto& attribute : *function.defaults) {
    bound.emplace(attribute.name(), &attribute);
  }
  return bound;
}

std::shared_ptr<const void> KeepWithDefaults(const LocalFunction& function,
                                             std::shared_ptr<const void> owner) {
  if (owner == nullptr || function.defaults->empty()) return owner;
  return std::make_shared<std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>>(
      std::move(owner), function.defaults);
}

LocalFunctions::LocalFunctions(const ::onnx::ModelProto& model) {
  for (const auto& function : model.functions()) {
    LocalFunction local = {&function, std::make_shared<const std::vector<::onnx::AttributeProto>>(
                                          ReadDefaultAttributes(function))};
    functions_.emplace(
        std::tuple(NormaliseDomain(function.domain()), function.name(), GetOverload(function)),
        std::move(local));
  }
}

const LocalFunction* LocalFunctions::Find(const ::onnx::NodeProto& node) const {
  if (functions_.empty()) return nullptr;
  const auto found = functions_.find(
      std::tuple(NormaliseDomain(node.domain()), node.op_type(), GetOverload(node)));
  return found != functions_.end() ? &found->second : nullptr;
}

}  // namespace backplane::onnx
