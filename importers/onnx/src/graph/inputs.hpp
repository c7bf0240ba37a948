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

/// An input of a network, whose dimensions may stay open.
struct ResolvedInput {
  ModelInput stated;                      // with what the options say
  const NamedTensor* constant = nullptr;  // of the options; null: an input of the network
};

/// Takes what the model leaves open from the options.
/// Errors: DiagnosticException with kWrongInput; with ImportOptions::must_be_fixed
/// kUnknownDimension, see ImportModel.
std::vector<ResolvedInput> ResolveInputs(const std::vector<ModelInput>& inputs,
                                         const ImportOptions& options, const std::string& path);

}  // namespace backplane::onnx
