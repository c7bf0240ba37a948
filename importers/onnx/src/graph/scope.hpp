#pragma once

#include <backplane/runtime/i_network.hpp>

#include "graph/attributes.hpp"
#include "graph/value.hpp"

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace backplane::onnx {

class GraphImport;

/// "" for the default domain, which has two names.
std::string NormaliseDomain(const std::string& domain);

/// The version of each domain that a model or a function states.
using Opsets = std::map<std::string, std::int64_t>;
Opsets ReadOpsets(const google::protobuf::RepeatedPtrField<::onnx::OperatorSetIdProto>& imports);

/// What the nodes of one graph are converted in: the graph of the model, the branch of an If, or
/// the body of a function.
struct Scope {
  /// Names of layers begin with `layer_prefix`; the tensors of `outer`, which may be null, are
  /// visible. All must outlive this object.
  Scope(GraphImport& graph_import, INetwork& the_network, const std::string& layer_prefix = "",
        Values* outer = nullptr)
      : import(graph_import),
        network(the_network),
        values(the_network, layer_prefix, outer),
        prefix(layer_prefix) {}

  GraphImport& import;
  INetwork& network;
  Values values;
  std::string prefix;
  Opsets opsets;                           // of the model, or of the function
  std::set<std::string> names_read;        // tensors that a node reads or the graph gives
  std::set<std::string> failed;            // tensors of nodes that could not be converted
  std::set<std::string> absent;            // inputs of a function that the call leaves out
  const BoundAttributes* bound = nullptr;  // of the call, in the body of a function
  std::shared_ptr<const void> owner;       // keeps the nodes; null: they may go after the import
  std::uint32_t depth = 0;                 // of calls and branches around it
};

/// The names of the tensors that the nodes of a graph, and the graphs within them, read.
void CollectNamesRead(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes,
                      std::set<std::string>& names);

}  // namespace backplane::onnx
