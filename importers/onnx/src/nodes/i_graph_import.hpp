#pragma once

#include "values/value.hpp"

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace backplane::onnx {

class MemoryBudget;
class Node;
class TensorReader;
struct Scope;

/// Thrown where something failed that is reported already.
struct AlreadyReported {};

/// Thrown where the elements of a tensor have to be known that the network computes, or its input
/// has: a later stage has them.
struct ValueWanted {
  TensorPlace place;
  Value value;
};

/// What a node may ask of the import that it is part of: to have the nodes of a graph within it
/// converted in its place, and what all graphs of one model share.
class IGraphImport {
 public:
  /// Makes constants of the initializers of a graph.
  /// Errors: DiagnosticException with kInvalidModel.
  virtual void AddInitializers(const ::onnx::GraphProto& graph, Scope& scope) = 0;

  /// Converts the nodes one after the other. One that fails does not keep the others from being
  /// looked at; what reads its outputs is passed over.
  virtual void ImportNodes(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes,
                           Scope& scope) = 0;

  /// Counts what is about to be put in the place of a node, by a measure of its size.
  /// Errors: DiagnosticException with kInvalidModel when it becomes too much; AlreadyReported when
  /// it had become so before.
  virtual void CountInlined(Node& node, std::size_t size) = 0;

  /// Is the network made stage by stage, so that values may be wanted?
  virtual bool IsStaged() const = 0;
  /// Are the shapes and values those of a run, which may be what is wrong?
  virtual bool IsOfRun() const = 0;
  /// What an earlier stage gave of a tensor within a node. Null: nothing.
  virtual const Value* FindKnown(const TensorPlace& place) const = 0;
  /// The same memory as for other stages, when the content is the same.
  virtual std::shared_ptr<const void> ShareConstant(const std::string& name,
                                                    std::shared_ptr<const void> data,
                                                    std::uint64_t size_bytes) = 0;

  /// Returns the result of an earlier stage for the same name and contents; else calls `make`.
  /// Errors: those of `make`.
  virtual std::shared_ptr<const void> ConvertOnce(
      const std::string& name, const std::vector<std::shared_ptr<const void>>& sources,
      const std::function<std::shared_ptr<const void>()>& make) = 0;

  virtual TensorReader& GetReader() = 0;
  virtual MemoryBudget& GetBudget() = 0;

 protected:
  ~IGraphImport() = default;
};

}  // namespace backplane::onnx
