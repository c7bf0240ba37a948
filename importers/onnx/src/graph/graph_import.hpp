#pragma once

#include <backplane/host/diagnostic.hpp>

#include "graph/followed_extents.hpp"
#include "nodes/i_graph_import.hpp"
#include "nodes/scope.hpp"
#include "tensors/memory_budget.hpp"
#include "values/constant_memo.hpp"
#include "values/tensor_reader.hpp"

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace backplane::onnx {

/// What a stage shares with others.
struct StageKnowledge {
  const std::map<TensorPlace, Value>& known;  // as FindKnown
  ConstantMemo& memo;
  bool is_of_run = false;  // shapes and values are those of a run
};

/// Converts all graphs of one model, and has what they share.
class GraphImport final : public IGraphImport {
 public:
  /// The path is for messages, and external data lies beside it. Nothing more is said of the
  /// operators that are `reported`. `stages` must outlive this object. Null: no
  /// node may want the values of a run.
  explicit GraphImport(const std::string& path, const OperatorNames& reported = {},
                       const StageKnowledge* stages = nullptr)
      : path_(path), reader_(path, budget_), reported_(reported), stages_(stages) {}

  void AddInitializers(const ::onnx::GraphProto& graph, Scope& scope) override;
  /// Makes a constant of one initializer, of which `owner` keeps the message.
  /// Errors: as AddInitializers.
  void AddInitializer(const ::onnx::TensorProto& proto, const std::shared_ptr<const void>& owner,
                      Scope& scope);
  void AddSparseInitializers(const ::onnx::GraphProto& graph, Scope& scope);
  /// Makes constants of all initializers. Only their names stay behind: each is an object of its
  /// own, which goes with the constant that is made of it.
  /// Errors: as AddInitializers.
  void TakeInitializers(::onnx::GraphProto& graph, Scope& scope);
  /// Converts one node. What is wrong with it is kept for ThrowFailures.
  /// Errors: ValueWanted.
  void ImportNode(const ::onnx::NodeProto& proto, std::size_t index, Scope& scope);
  void ImportNodes(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes,
                   Scope& scope) override;
  void CountInlined(Node& node, std::size_t size) override;
  bool IsStaged() const override { return stages_ != nullptr; }
  bool IsOfRun() const override { return stages_ != nullptr && stages_->is_of_run; }
  const Value* FindKnown(const TensorPlace& place) const override;
  std::shared_ptr<const void> ShareConstant(const std::string& name,
                                            std::shared_ptr<const void> data,
                                            std::uint64_t size_bytes) override;
  std::shared_ptr<const void> ConvertOnce(
      const std::string& name, const std::vector<std::shared_ptr<const void>>& sources,
      const std::function<std::shared_ptr<const void>()>& make) override;
  TensorReader& GetReader() override { return reader_; }
  MemoryBudget& GetBudget() override { return budget_; }
  /// The extents of a run, as the nodes converted so far give them.
  const FollowedExtents& GetFollowed() const { return followed_; }

  /// Errors: DiagnosticException with every node that failed as a cause.
  void ThrowFailures();

 private:
  void CountNode(Node& node);
  void Convert(Node& node);
  void ConvertToLayers(Node& node);
  [[noreturn]] void RefuseOperator(const Node& node) const;

  std::string path_;
  MemoryBudget budget_;
  TensorReader reader_;
  OperatorNames reported_;
  FollowedExtents followed_;
  const StageKnowledge* stages_;
  std::size_t num_inlined_ = 0;
  std::size_t num_name_bytes_ = 0;
  bool is_too_large_ = false;  // to be inlined, or to be named
  std::vector<Diagnostic> failures_;
};

}  // namespace backplane::onnx
