#pragma once

#include <backplane/onnx/import_model.hpp>

#include "nodes/scope.hpp"

#include <onnx/onnx_pb.h>

#include <memory>
#include <string>

namespace backplane::onnx {

/// A model without functions.
struct VersionedModel {
  std::shared_ptr<::onnx::ModelProto> proto;
  std::shared_ptr<const NodeVersions> versions;
};

/// Makes a network of a model: at once where all is known, else stage by stage when it runs. The
/// path is for messages, and external data lies beside it. Constants of the network take the memory
/// of initializers, each its own, and leave the model; others share that of the model and keep it.
/// Nothing more is said of operators that are `reported`: there is no network then.
/// Errors: as ImportModel, from kInvalidModel on.
ImportedModel ImportGraph(const VersionedModel& model, const std::string& path,
                          const ImportOptions& options, const OperatorNames& reported = {});

}  // namespace backplane::onnx
