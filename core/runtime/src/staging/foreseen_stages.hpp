#pragma once

#include "network/graph.hpp"
#include "optimization/placed_example.hpp"

#include <backplane/runtime/network_source.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace backplane::staging {

/// A first stage that its source was not asked for.
struct ForeseenStage {
  NetworkStage stage;  // without its network
  Graph graph;         // of the network
  PlacedLike like;     // the example of which the graph was made
};

/// Foresees the first stages of one source: see NetworkStage::follows_extents. Extents of inputs
/// that lie on a line are told by one number, their distance. Numbers of stages are taken as
/// polynomials of second degree of it: three stages on a line say which, a fourth has to agree.
///
/// Threads: one at a time.
class ForeseenStages {
 public:
  /// Remembers a stage that the source has made. `like`: how it was placed.
  void Note(const std::vector<StageValue>& inputs, const NetworkStage& stage,
            const PlacedLike& like);

  /// Nothing: the source has to be asked.
  std::optional<ForeseenStage> Find(const std::vector<StageValue>& inputs) const;

 private:
  using Numbers = std::vector<std::int64_t>;

  /// What a stage was like at one place of a line.
  struct Sample {
    std::int64_t distance = 0;  // from the first sample of its family
    std::map<std::int64_t, std::int64_t> numbers;  // of GraphChanges; none: they are the example's
    Numbers decisions;
  };

  /// Stages that follow one example.
  struct Family {
    std::shared_ptr<const PlacedExample> example;
    std::vector<StageValue> inputs;  // of the first sample
    Numbers extents;                 // of these
    Numbers pinned;
    std::vector<StageValueId> network_inputs;
    std::vector<StageValueId> network_outputs;
    std::vector<StageValueId> results;
    Sample first;
    std::map<Numbers, std::vector<Sample>> lines;  // the others, by direction
  };

  static bool HasStage(const Family& family, const NetworkStage& stage);
  static std::optional<ForeseenStage> Foresee(const Family& family,
                                              const std::vector<Sample>& line,
                                              std::int64_t distance);

  std::vector<Family> families_;  // the latest is the last
};

}  // namespace backplane::staging
