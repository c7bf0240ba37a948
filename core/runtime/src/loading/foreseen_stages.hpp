#pragma once

#include "loading/foreseen_graph.hpp"
#include "placement/placed_example.hpp"

#include <backplane/runtime/network_source.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace backplane::loading {

/// A first stage that its source was not asked for.
struct ForeseenStage {
  NetworkStage stage;            // without its network
  const Graph* graph = nullptr;  // of the network; until the next is foreseen
  PlacedLike like;               // the example of which the graph was made
};

/// Foresees the first stages of one source: see NetworkStage::follows_extents. Where the extents of
/// inputs lie on a line with those of four stages, a number of the stage is taken as a polynomial
/// of second degree of the distance on it: three of them say which, all others have to agree.
///
/// Threads: one at a time.
class ForeseenStages {
 public:
  /// Remembers a stage that the source has made. `like`: how it was placed.
  void Note(const std::vector<StageValue>& inputs, const NetworkStage& stage,
            const PlacedLike& like);

  /// Nothing: the source has to be asked.
  std::optional<ForeseenStage> Find(const std::vector<StageValue>& inputs);

 private:
  using Numbers = std::vector<std::int64_t>;

  /// One stage that was made.
  struct Sample {
    Numbers extents;       // of the inputs
    GraphChanges changes;  // from the example, to which constants were progressions; none: it is it
    Numbers decisions;
    Numbers followed;
  };
  /// A sample, and its distance from the inputs that are looked for.
  struct Place {
    std::int64_t distance = 0;
    const Sample* sample = nullptr;
  };

  /// Stages that follow one example, and are decided alike.
  struct Family {
    std::shared_ptr<const PlacedExample> example;
    std::vector<StageValue> inputs;  // of one of them
    Numbers pinned;
    std::vector<LayerId> recalculated;
    std::shared_ptr<const IStageRecalculation> recalculation;
    std::vector<StageValueId> network_inputs;
    std::vector<StageValueId> network_outputs;
    std::vector<StageValueId> results;
    std::vector<Sample> samples;           // the latest is the last
    std::unique_ptr<ForeseenGraph> graph;  // null: none was foreseen
  };

  static bool Has(const Family& family, const std::vector<StageValue>& inputs,
                  const NetworkStage& stage, const PlacedLike& like);
  /// Gives the sample that the stage for some inputs would be, without extents, and without
  /// constants that are recalculated. The samples of the line lie on one with the inputs.
  static std::optional<Sample> FindSample(const Family& family, const std::vector<Place>& line);
  static std::optional<ForeseenStage> MakeStage(Family& family, const Sample& sample);

  std::vector<Family> families_;  // the latest is the last
};

}  // namespace backplane::loading
