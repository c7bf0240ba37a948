#pragma once

#include <backplane/onnx/import_model.hpp>

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

namespace backplane::onnx {

/// What ReadModelInputs gives.
std::vector<ModelInput> ListInputs(const ::onnx::GraphProto& graph);

/// Of each value what it states.
std::vector<ModelInput> ListValues(
    const google::protobuf::RepeatedPtrField<::onnx::ValueInfoProto>& values);

/// Whether a dimension of an input stays open with the options, or all of them.
bool HasOpenInputs(const std::vector<ModelInput>& inputs, const ImportOptions& options);

/// An input of a network whose dimensions may stay open. As ResolvedInput.
struct OpenInput {
  ModelInput stated;  // with what the options say
  const NamedTensor* constant = nullptr;
};

/// As ResolveInputs; dimensions may stay open.
std::vector<OpenInput> ResolveOpenInputs(const std::vector<ModelInput>& inputs,
                                         const ImportOptions& options, const std::string& path);

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
