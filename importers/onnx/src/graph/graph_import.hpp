#pragma once

#include <backplane/host/diagnostic.hpp>

#include "functions/local_functions.hpp"
#include "graph/scope.hpp"
#include "tensors/memory_budget.hpp"
#include "tensors/tensor_reader.hpp"

#include <onnx/onnx_pb.h>

#include <memory>
#include <string>
#include <vector>

namespace backplane::onnx {

class Node;

/// Thrown where something failed that is reported already.
struct AlreadyReported {};

/// What all graphs of one model share while they are converted. Nodes are converted one after the
/// other. One that fails does not keep the others from being looked at; what reads its outputs is
/// passed over.
class GraphImport {
 public:
  /// The path is for messages, and external data lies beside it. Nothing more is said of the
  /// operators that are `reported`. The model must outlive this object.
  GraphImport(const ::onnx::ModelProto& model, const std::string& path,
              const OperatorNames& reported = {})
      : path_(path), functions_(model), reader_(path, budget_), reported_(reported) {}

  /// Makes constants of the initializers of a graph.
  /// Errors: DiagnosticException with kInvalidModel.
  void AddInitializers(const ::onnx::GraphProto& graph, Scope& scope);

  void ImportNodes(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes,
                   Scope& scope);

  /// Counts what is about to be put in the place of a node, by a measure of its size.
  /// Errors: DiagnosticException with kInvalidModel when it becomes too much, or lies too deep;
  /// AlreadyReported when it had become so before.
  void CountInlined(Node& node, std::size_t size);

  TensorReader& GetReader() { return reader_; }
  MemoryBudget& GetBudget() { return budget_; }

  /// Errors: DiagnosticException with every node that failed as a cause.
  void ThrowFailures();

 private:
  void ImportNode(const ::onnx::NodeProto& proto, std::size_t index, Scope& scope);
  void Convert(Node& node);
  [[noreturn]] void RefuseOperator(const Node& node) const;

  std::string path_;
  LocalFunctions functions_;
  MemoryBudget budget_;
  TensorReader reader_;
  OperatorNames reported_;
  std::size_t num_inlined_ = 0;  // nodes and names of functions and branches
  bool is_too_large_ = false;    // to be inlined
  std::vector<Diagnostic> failures_;
};

}  // namespace backplane::onnx
