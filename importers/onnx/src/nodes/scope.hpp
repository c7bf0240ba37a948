#pragma once

#include <backplane/runtime/i_network.hpp>

#include "files/graph_nesting.hpp"
#include "values/value.hpp"

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace backplane::onnx {

class IGraphImport;

/// How deep functions and graphs may lie in each other.
constexpr std::uint32_t kMaxDepth = kMaxNestedGraphs;

/// "" for the default domain, which has two names.
std::string NormaliseDomain(const std::string& domain);

/// The name of a node, or one made of its operator and its position in the graph.
std::string NameNode(const ::onnx::NodeProto& node, std::size_t index);

/// Operators by domain and name.
using OperatorNames = std::set<std::pair<std::string, std::string>>;

/// The version of each domain that a model or a function states.
using Opsets = std::map<std::string, std::int64_t>;
Opsets ReadOpsets(const google::protobuf::RepeatedPtrField<::onnx::OperatorSetIdProto>& imports);

/// The version of the operator of each node.
struct NodeVersions {
  Opsets opsets;
  /// Nodes for which the operator sets do not hold: they are from functions with others.
  std::unordered_map<const ::onnx::NodeProto*, std::int64_t> of_nodes;
};
/// What the operator sets say.
std::int64_t FindVersion(const ::onnx::NodeProto& node, const Opsets& opsets);

/// The tensors that a node of a graph reads or the graph gives.
using NamesRead = std::unordered_set<std::string>;
std::shared_ptr<const NamesRead> FindNamesRead(const ::onnx::GraphProto& graph);

/// The tensors that a node reads.
struct NodeRead {
  std::set<std::string> all;     // also those that graphs within it read from around them
  std::set<std::string> within;  // those of these graphs
};
/// One entry for each node of a graph.
using NodeReads = std::vector<NodeRead>;
std::shared_ptr<const NodeReads> FindNodeReads(const ::onnx::GraphProto& graph);

/// What the nodes of one graph are converted in: the graph of the model, or one within a node.
struct Scope {
  /// Names of layers begin with `layer_prefix`; the tensors of `enclosing`, which may be null, are
  /// visible. `path`: see Values. All must outlive this object.
  Scope(IGraphImport& graph_import, INetwork& the_network, const std::string& layer_prefix = "",
        Scope* enclosing = nullptr, const std::string& path = "")
      : import(graph_import),
        network(the_network),
        values(the_network, layer_prefix, enclosing != nullptr ? &enclosing->values : nullptr,
               path),
        prefix(layer_prefix),
        outer(enclosing) {}

  /// Is it a tensor of a node, here or around, that could not be converted?
  bool IsFailed(const std::string& name) const {
    return failed.count(name) > 0 || (outer != nullptr && outer->IsFailed(name));
  }

  IGraphImport& import;
  INetwork& network;
  Values values;
  std::string prefix;
  const Scope* outer;                            // of the graph around it; null: there is none
  std::shared_ptr<const NodeVersions> versions;  // never null while nodes are converted
  std::shared_ptr<const NamesRead> names_read;   // never null while nodes are converted
  std::set<std::string> failed;                  // tensors of nodes that could not be converted
  std::shared_ptr<const void> owner;  // keeps the nodes; null: they may go after the import
};

/// A node of a graph, or of graphs within its nodes, that is called as one before it in the same
/// graph. Constants may have one name. Null: there is none.
const ::onnx::NodeProto* FindTwin(
    const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes);

}  // namespace backplane::onnx
