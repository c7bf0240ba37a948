#include "functions/local_functions.hpp"

#include "nodes/scope.hpp"

namespace backplane::onnx {

LocalFunctions::LocalFunctions(const ::onnx::ModelProto& model) {
  for (const auto& function : model.functions()) {
    functions_.emplace(std::pair(NormaliseDomain(function.domain()), function.name()), &function);
  }
}

const ::onnx::FunctionProto* LocalFunctions::Find(const std::string& domain,
                                                  const std::string& name) const {
  const auto found = functions_.find({domain, name});
  return found != functions_.end() ? found->second : nullptr;
}

}  // namespace backplane::onnx
