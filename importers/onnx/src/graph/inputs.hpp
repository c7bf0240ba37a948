#pragma once

#include <backplane/onnx/import_model.hpp>

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

namespace backplane::onnx {

/// What ReadModelInputs gives.
std::vector<ModelInput> ListInputs(const ::onnx::GraphProto& graph);

/// An input with every dimension known.
struct ResolvedInput {
  std::string name;
  TensorInfo info;
  const NamedTensor* constant = nullptr;  // of the options; null: an input of the network
};

/// Takes what the model leaves open from the options.
/// Errors: DiagnosticException with kWrongInput or kUnknownDimension, see ImportModel.
std::vector<ResolvedInput> ResolveInputs(const std::vector<ModelInput>& inputs,
                                         const ImportOptions& options, const std::string& path);

}  // namespace backplane::onnx
