#include "functions/local_functions.hpp"

#include "functions/newer_fields.hpp"
#include "nodes/scope.hpp"

#include <utility>

namespace backplane::onnx {

LocalFunctions::LocalFunctions(const ::onnx::ModelProto& model) {
  for (const auto& function : model.functions()) {
    LocalFunction local = {&function, ReadDefaultAttributes(function)};
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
