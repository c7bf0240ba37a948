#pragma once

#include <backplane/onnx/import_model.hpp>

#include <onnx/onnx_pb.h>

#include <memory>
#include <string>

namespace backplane::onnx {

/// Makes a network of a model. The path is for messages, and external data lies beside it.
/// Constants of the network take the memory of initializers, each its own; others share that of the
/// model and keep it. Errors: as ImportModel, from kUnsupportedOpset on.
ImportedModel ImportParsedModel(std::shared_ptr<::onnx::ModelProto> model, const std::string& path,
                                const ImportOptions& options);

}  // namespace backplane::onnx
