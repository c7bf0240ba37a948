#pragma once

#include <backplane/host/diagnostic.hpp>

#include "graph/scope.hpp"

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

namespace backplane::onnx {

class Node;

/// Thrown where something failed that is reported already.
struct AlreadyReported {};

/// Converts nodes, one after the other. One that fails does not keep the others from being looked
/// at; what reads its outputs is passed over.
class GraphImport {
 public:
  void ImportNodes(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes,
                   Scope& scope);

  /// Errors: DiagnosticException with every node that failed as a cause.
  void ThrowFailures(const std::string& path);

 private:
  void ImportNode(const ::onnx::NodeProto& proto, std::size_t index, Scope& scope);

  std::vector<Diagnostic> failures_;
};

}  // namespace backplane::onnx
