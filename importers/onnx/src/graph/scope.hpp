#pragma once

#include <backplane/runtime/i_network.hpp>

#include "graph/attributes.hpp"
#include "graph/value.hpp"

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <map>
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
  GraphImport& import;
  INetwork& network;
  Values values;
  std::set<std::string> names_read;        // tensors that a node reads or the graph gives
  std::set<std::string> failed;            // tensors of nodes that could not be converted
  Opsets opsets;                           // of the model, or of the function
  std::string prefix;                      // of the names of layers
  const BoundAttributes* bound = nullptr;  // of the call, in the body of a function
  std::uint32_t depth = 0;                 // of calls and branches around it
};

/// The names of the tensors that the nodes of a graph, and the graphs within them, read.
void CollectNamesRead(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes,
                      std::set<std::string>& names);

}  // namespace backplane::onnx
