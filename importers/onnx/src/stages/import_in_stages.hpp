#pragma once

#include <backplane/onnx/import_model.hpp>

#include "graph/import_graph.hpp"

#include <onnx/onnx_pb.h>

#include <string>

namespace backplane::onnx {

/// Whether a model has open dimensions or nodes that only a run can decide on. False is no promise:
/// a shape that depends on data is found when its node is converted.
bool NeedsStages(const ::onnx::ModelProto& model, const ImportOptions& options);

/// A network that makes plans when it runs. Where all shapes are known, the first stage is made, so
/// that what is wrong with it is told.
/// Errors: as ImportModel.
ImportedModel ImportInStages(const VersionedModel& model, const std::string& path,
                             const ImportOptions& options);

}  // namespace backplane::onnx
