#pragma once

#include <backplane/onnx/import_model.hpp>
#include <backplane/runtime/network_source.hpp>

#include "nodes/scope.hpp"
#include "values/constant_memo.hpp"
#include "values/value.hpp"

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace backplane::onnx {

struct StagedGraph;

/// Graphs within nodes, which all stages share as long as one of them is there, and the constants
/// around them are the same: what was made of a graph for one stage then serves the others.
///
/// Threads: any.
class BodyMemo {
 public:
  /// The values that the graph reads from around it: captured names, and constants.
  struct Surroundings {
    std::vector<std::string> captured;
    std::map<std::string, Value> constants;
  };
  using Make = std::function<std::shared_ptr<const StagedGraph>()>;

  /// The source of a graph of the model; `make` is called where it was made with others around it.
  /// Errors: those of `make`.
  std::shared_ptr<const INetworkSource> Find(const ::onnx::GraphProto& graph,
                                             const Surroundings& around, const Make& make);

 private:
  struct Known {
    Surroundings around;
    std::weak_ptr<const INetworkSource> source;  // it keeps the model, which has this
  };

  std::mutex mutex_;
  std::map<const ::onnx::GraphProto*, Known> known_;
};

/// What all graphs of one model share that is imported stage by stage.
struct StagedModel {
  std::shared_ptr<const ::onnx::ModelProto> model;  // the constants are taken out
  std::string path;
  std::int64_t max_rounds = 0;  // of a loop
  mutable ConstantMemo memo;
  mutable BodyMemo bodies;
};

/// A graph that is imported stage by stage: that of the model, or one within a node. Immutable.
struct StagedGraph {
  std::shared_ptr<const StagedModel> model;
  const ::onnx::GraphProto* graph = nullptr;  // of the model
  std::shared_ptr<const NamesRead> names_read;
  std::shared_ptr<const NodeReads> node_reads;
  std::string name;
  std::string prefix;  // of the names of layers
  std::shared_ptr<const NodeVersions> versions;
  /// Its own constants and, within a node, those of the graphs around it that it reads.
  std::map<std::string, Value> constants;
  std::vector<OpenBinding> inputs;  // within a node, the ones read from around it behind its own
  std::vector<OpenBinding> outputs;
};

/// What is known of a graph when a stage of it is made.
struct StageState {
  std::map<std::string, Value> values;  // constants, and what is outside
  std::map<TensorPlace, Value> known;   // of tensors within nodes
  std::vector<int> nodes;               // that are to be converted, in their order
  StageValueId next_id = 0;
};

/// Makes networks of a graph.
std::shared_ptr<const INetworkSource> MakeSource(std::shared_ptr<const StagedGraph> graph);

/// What the model states of an input or output, as the next of some bindings.
void AddBinding(const ModelInput& stated, std::vector<OpenBinding>& bindings);

/// Keeps the constants of the initializers of a graph, which `values` has.
void KeepInitializers(const ::onnx::GraphProto& proto, const Values& values, StagedGraph& graph);

/// A tensor whose elements the next stage has to know.
struct WantedName {
  TensorPlace place;
  TensorInfo info;
  StageValueId id = 0;
  bool is_available = false;  // it is outside
};

/// Makes the stage that follows from `state` once what was `made` and `wanted` is known. `ids` has
/// those of what was made.
std::shared_ptr<const IStageMaker> MakeNextStage(
    std::shared_ptr<const StagedGraph> graph, StageState state, std::vector<std::string> made,
    std::vector<WantedName> wanted, const std::map<std::string, StageValueId>& ids = {});

}  // namespace backplane::onnx
