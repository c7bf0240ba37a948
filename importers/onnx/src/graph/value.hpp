#pragma once

#include <backplane/api/subgraph_view.hpp>
#include <backplane/api/tensor_info.hpp>
#include <backplane/runtime/i_network.hpp>

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

namespace backplane::onnx {

/// A tensor of the graph: known already, or made by a layer, or both.
struct Value {
  TensorInfo info;
  bool is_constant = false;
  std::shared_ptr<const void> data;  // of a constant; null when it has no elements
  std::optional<OutputSlot> slot;    // of a constant: once a layer reads it
};

/// A constant with a copy of the data, info.GetSizeBytes() bytes.
Value MakeConstant(const TensorInfo& info, const void* data);

/// The tensors of the graph by name. Constants become layers only when a layer reads them, so that
/// what is folded away leaves nothing behind.
class Values {
 public:
  explicit Values(INetwork& network) : network_(network) {}

  /// Null when nothing has the name yet.
  const Value* Find(const std::string& name) const;

  /// Errors: DiagnosticException with kInvalidModel when the name is taken.
  void Add(const std::string& name, Value value);

  /// The layer output that has the tensor; makes a constant layer when it is a constant.
  /// Errors: as INetwork::AddConstantLayer. The name must be known.
  OutputSlot GetSlot(const std::string& name);

 private:
  INetwork& network_;
  std::unordered_map<std::string, Value> values_;
};

}  // namespace backplane::onnx
