#pragma once

/// Decisions from earlier processes, and for later ones.

#include "decisions/decisions.hpp"

#include <backplane/api/i_logger.hpp>
#include <backplane/api/subgraph_view.hpp>

#include <cstdint>
#include <string>

namespace backplane {
namespace cpuacc {

/// While one sub-graph is compiled: what is kept is known from the beginning on, and what was found
/// out is kept at the end. What is stale or damaged is passed over. What cannot be written is
/// logged, and found out again.
class KeptDecisions {
 public:
  /// Ownership: everything is borrowed.
  /// Null: `cache`, when the host keeps nothing. An empty directory: no file is read or written.
  KeptDecisions(Decisions& decisions, ICompiledSubgraphCache* cache, const std::string& directory,
                ILogger& logger);

  /// Keeps what was asked since.
  void Store();

 private:
  void LoadFromCache();
  void LoadFromDirectory();
  void StoreInCache();
  void StoreInDirectory();

  Decisions& decisions_;
  ICompiledSubgraphCache* cache_;
  std::string directory_;
  ILogger& logger_;
  std::string machine_;
  std::uint64_t begin_;  // the number of questions before
  Answers in_cache_;
  Answers in_directory_;
};

}  // namespace cpuacc
}  // namespace backplane
