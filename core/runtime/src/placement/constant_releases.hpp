#pragma once

#include "graph/graph.hpp"
#include "graph/shown_constants.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace backplane {

/// Which readers of the constants of a graph have let go. With the last of them the content of a
/// constant that may be released goes, from all graphs that share it.
class ConstantReleases {
 public:
  /// Borrows both.
  ConstantReleases(const Graph& graph, const ShownConstants& shown);

  /// Whether a layer reads a constant there, through views too.
  bool IsConstant(LayerId layer, std::uint32_t input) const;

  /// A layer of a backend lets go of the constant that it reads there.
  void Release(const std::string& backend_id, LayerId layer, std::uint32_t input);

 private:
  const Graph& graph_;
  const ShownConstants& shown_;
  std::map<LayerId, std::size_t> num_readers_;  // of each constant, that have not let go
  std::set<std::pair<LayerId, std::uint32_t>> released_;
};

/// Errors: DiagnosticException with kConstantReleased when a layer reads a constant whose content
/// has gone.
void RequireConstants(const Graph& graph);

}  // namespace backplane
