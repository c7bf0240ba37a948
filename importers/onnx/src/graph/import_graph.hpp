#pragma once

#include <backplane/onnx/import_model.hpp>

#include <onnx/onnx_pb.h>

#include <string>

namespace backplane::onnx {

/// Makes a network of a model. The path is for messages.
/// Errors: as ImportModel, from kUnsupportedOpset on.
ImportedModel ImportParsedModel(const ::onnx::ModelProto& model, const std::string& path,
                                const ImportOptions& options);

}  // namespace backplane::onnx
