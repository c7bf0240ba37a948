#pragma once

/// Results of nodes that read only constants, shared by all graphs of a runtime.

#include "constants/packed_table.hpp"
#include "graph/graph.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {

/// Finds again what a node gave, as long as somebody holds it. What is made anew has the identity
/// that it had before, so that what was packed of it is found again in any case.
///
/// Threads: any.
class FoldedNodes {
 public:
  using Content = std::shared_ptr<const void>;
  using Make = std::function<std::vector<Content>()>;

  explicit FoldedNodes(std::shared_ptr<PackedTable> table) : table_(std::move(table)) {}

  /// The outputs of a node, or what `make` gives now.
  /// Errors: those of `make`.
  std::vector<Content> Find(const Graph& graph, const Node& node, const Make& make);

 private:
  struct Known {
    std::vector<std::weak_ptr<const void>> outputs;
    std::vector<PackedTable::Identity> identities;
  };
  /// All that decides what a node gives.
  struct Question {
    LayerType type = LayerType::kUndefined;
    std::vector<unsigned char> descriptor;
    std::vector<PackedTable::Identity> inputs;
    std::vector<TensorInfo> infos;  // of inputs, then of outputs
    bool operator==(const Question& other) const;
  };

  /// Nothing to be asked: an input has no identity.
  bool Ask(const Graph& graph, const Node& node, Question& question) const;
  /// Empty: somebody let go of one.
  static std::vector<Content> Lock(const Known& known);
  Known& FindKnown(const Question& question);
  /// When there are many, forgets those that nobody holds.
  void Sweep();

  const std::shared_ptr<PackedTable> table_;
  std::mutex mutex_;
  std::vector<std::pair<Question, Known>> known_;
};

}  // namespace cpuacc
}  // namespace backplane
