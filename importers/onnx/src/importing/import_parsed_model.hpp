#pragma once

#include <backplane/onnx/import_model.hpp>

#include <onnx/onnx_pb.h>

#include <functional>
#include <memory>
#include <string>

namespace backplane::onnx {

/// Makes a network of a model: at once where all is known, else stage by stage when it runs. The
/// path is for messages, and external data lies beside it. `parse` may be called twice.
/// Errors: as ImportModel, from kUnsupportedOpset on; what `parse` throws.
ImportedModel ImportParsedModel(const std::function<std::shared_ptr<::onnx::ModelProto>()>& parse,
                                const std::string& path, const ImportOptions& options);

}  // namespace backplane::onnx
