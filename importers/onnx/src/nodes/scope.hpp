#pragma once

#include <backplane/runtime/i_network.hpp>

#include "files/graph_nesting.hpp"
#include "nodes/attributes.hpp"
#include "values/value.hpp"

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace backplane::onnx {

class IGraphImport;

/// How deep functions and branches may lie in each other.
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

/// What the nodes of one graph are converted in: the graph of the model, the branch of an If, or
/// the body of a function.
struct Scope {
  /// Names of layers begin with `layer_prefix`; the tensors of `enclosing`, which may be null, are
  /// visible. All must outlive this object.
  Scope(IGraphImport& graph_import, INetwork& the_network, const std::string& layer_prefix = "",
        Scope* enclosing = nullptr)
      : import(graph_import),
        network(the_network),
        values(the_network, layer_prefix, enclosing != nullptr ? &enclosing->values : nullptr),
        prefix(layer_prefix),
        outer(enclosing) {}

  /// Is it a tensor of a node, here or around, that could not be converted?
  bool IsFailed(const std::string& name) const {
    return failed.count(name) > 0 || (outer != nullptr && outer->IsFailed(name));
  }
  /// Is it an input of the function around that the call leaves out?
  bool IsAbsent(const std::string& name) const {
    return absent.count(name) > 0 || (outer != nullptr && outer->IsAbsent(name));
  }

  IGraphImport& import;
  INetwork& network;
  Values values;
  std::string prefix;
  const Scope* outer;                      // of the graph around a branch; null: there is none
  Opsets opsets;                           // of the model, or of the function
  std::set<std::string> names_read;        // tensors that a node reads or the graph gives
  std::set<std::string> failed;            // tensors of nodes that could not be converted
  std::set<std::string> absent;            // inputs of a function that the call leaves out
  const BoundAttributes* bound = nullptr;  // of the call, in the body of a function
  std::shared_ptr<const void> owner;       // keeps the nodes; null: they may go after the import
  std::uint32_t depth = 0;                 // of calls and branches around it
};

/// The names of the tensors that the nodes of a graph, and the graphs within them, read. Gives how
/// large these are: nodes, names and values of attributes together.
std::size_t CollectNamesRead(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes,
                             std::set<std::string>& names);
/// Those of one node.
std::size_t CollectNamesRead(const ::onnx::NodeProto& node, std::set<std::string>& names);

/// How large the values are, counted as by CollectNamesRead, that the attributes of a node have
/// from the call around it.
std::size_t CountBoundValues(const ::onnx::NodeProto& node, const Scope& scope);

}  // namespace backplane::onnx
