#pragma once

#include <backplane/onnx/import_model.hpp>

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <string>

namespace backplane::onnx {

/// Makes a network of a graph that CheckOperators and CheckRules accept.
/// Errors: as ImportModel.
ImportedModel ImportGraph(const ::onnx::GraphProto& graph, std::int64_t opset,
                          const std::string& path, const ImportOptions& options);

}  // namespace backplane::onnx
