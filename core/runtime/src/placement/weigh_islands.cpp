#include "placement/weigh_islands.hpp"

#include "graph/tensor_numbers.hpp"
#include "placement/layer_work.hpp"

#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>

namespace backplane {

namespace {

// Bytes in a microsecond, of memory near the processor.
constexpr double kTransferRate = 1e4;
// Giving up one island can only make one of another backend worse; few networks have three such.
constexpr int kMaxRounds = 4;

struct Crossings {
  std::size_t count = 0;
  std::uint64_t num_bytes = 0;
  double time = 0;
};

std::string DescribeTime(double microseconds) {
  char text[40];
  if (microseconds < 1000) {
    std::snprintf(text, sizeof(text), "%.3g us", microseconds);
  } else {
    std::snprintf(text, sizeof(text), "%.3g ms", microseconds / 1000);
  }
  return text;
}

/// Who has each operator, and which backends read each tensor, while islands are given up.
class Assignment {
 public:
  Assignment(const Graph& graph, const std::vector<LayerPlacement>& placements,
             const std::map<std::string, BackendCosts>& costs)
      : graph_(graph),
        costs_(costs),
        numbers_(graph),
        backend_of_(graph.layers.size(), kNobody),
        readers_(numbers_.GetCount()) {
    for (const LayerPlacement& placement : placements) {
      Give(placement.layer, FindOrAdd(placement.backend_id));
    }
  }

  std::uint32_t FindOrAdd(const std::string& id) {
    const auto found = std::find(ids_.begin(), ids_.end(), id);
    if (found != ids_.end()) return static_cast<std::uint32_t>(found - ids_.begin());
    const auto costs = costs_.find(id);
    ids_.push_back(id);
    costs_of_.push_back(costs != costs_.end() ? costs->second : BackendCosts());
    return static_cast<std::uint32_t>(ids_.size() - 1);
  }

  const std::string& GetId(std::uint32_t backend) const { return ids_[backend]; }
  const BackendCosts& GetCosts(std::uint32_t backend) const { return costs_of_[backend]; }
  std::uint32_t GetBackend(LayerId layer) const { return backend_of_[layer]; }
  bool IsOperator(LayerId layer) const { return backend_of_[layer] != kNobody; }

  void Give(LayerId layer, std::uint32_t backend) {
    for (const OutputSlot input : graph_.layers[layer].inputs) {
      auto& readers = readers_[numbers_.Get(input)];
      if (IsOperator(layer) && --readers[backend_of_[layer]] == 0) {
        readers.erase(backend_of_[layer]);
      }
      ++readers[backend];
    }
    backend_of_[layer] = backend;
  }

  /// Of all tensors that the layers read or write.
  Crossings CountCrossings(const std::vector<LayerId>& layers) const {
    std::set<std::pair<LayerId, std::uint32_t>> slots;
    for (const LayerId layer : layers) {
      for (const OutputSlot input : graph_.layers[layer].inputs) {
        if (IsOperator(input.layer)) slots.emplace(input.layer, input.index);
      }
      for (std::uint32_t i = 0; i < graph_.layers[layer].outputs.size(); ++i) {
        slots.emplace(layer, i);
      }
    }
    Crossings crossings;
    for (const auto& [layer, index] : slots) AddCrossings({layer, index}, crossings);
    return crossings;
  }

 private:
  static constexpr std::uint32_t kNobody = 0xffffffffU;

  void AddCrossings(OutputSlot slot, Crossings& crossings) const {
    const std::uint32_t writer = backend_of_[slot.layer];
    const std::uint64_t num_bytes = GetTensor(graph_, slot).GetSizeBytes();
    for (const auto& [reader, count] : readers_[numbers_.Get(slot)]) {
      if (reader == writer) continue;
      double time = 0;
      bool is_crossing = false;
      for (const std::uint32_t side : {writer, reader}) {
        const BackendCosts& costs = costs_of_[side];
        if (!costs.HasCrossings()) continue;
        is_crossing = true;
        time += costs.crossing_time;
        if (costs.crossing_rate > 0) time += static_cast<double>(num_bytes) / costs.crossing_rate;
      }
      if (!is_crossing) continue;
      ++crossings.count;
      crossings.num_bytes += num_bytes;
      crossings.time += time;
    }
  }

  const Graph& graph_;
  const std::map<std::string, BackendCosts>& costs_;
  const TensorNumbers numbers_;
  std::vector<std::string> ids_;
  std::vector<BackendCosts> costs_of_;
  std::vector<std::uint32_t> backend_of_;                        // of each layer
  std::vector<std::map<std::uint32_t, std::uint32_t>> readers_;  // of each tensor, by backend
};

class Weigher {
 public:
  Weigher(const Graph& graph, const std::vector<LayerPlacement>& placements,
          const std::map<std::string, BackendCosts>& costs, const FindNextBackend& find_next)
      : graph_(graph),
        find_next_(find_next),
        assignment_(graph, placements, costs),
        placement_of_(graph.layers.size()),
        readers_(graph.layers.size()) {
    for (const LayerPlacement& placement : placements) {
      placement_of_[placement.layer] = &placement;
      for (const OutputSlot input : graph.layers[placement.layer].inputs) {
        readers_[input.layer].push_back(placement.layer);
      }
    }
  }

  std::vector<CostlyIsland> Find() {
    for (int round = 0; round < kMaxRounds; ++round) {
      const std::size_t num_before = found_.size();
      for (const std::vector<LayerId>& island : ListIslands()) Weigh(island);
      if (found_.size() == num_before) break;
    }
    return std::move(found_);
  }

 private:
  /// The connected layers of each backend that has crossings.
  std::vector<std::vector<LayerId>> ListIslands() const {
    std::vector<std::vector<LayerId>> islands;
    std::vector<std::uint8_t> is_seen(graph_.layers.size());
    for (const Layer& layer : graph_.layers) {
      if (is_seen[layer.id] != 0 || !assignment_.IsOperator(layer.id)) continue;
      const std::uint32_t backend = assignment_.GetBackend(layer.id);
      if (!assignment_.GetCosts(backend).HasCrossings()) continue;
      islands.push_back(FollowFrom(layer.id, backend, is_seen));
    }
    return islands;
  }

  std::vector<LayerId> FollowFrom(LayerId first, std::uint32_t backend,
                                  std::vector<std::uint8_t>& is_seen) const {
    std::vector<LayerId> island;
    const auto take = [&](LayerId layer) {
      if (is_seen[layer] != 0 || assignment_.GetBackend(layer) != backend) return;
      is_seen[layer] = 1;
      island.push_back(layer);
    };
    take(first);
    for (std::size_t i = 0; i < island.size(); ++i) {
      for (const OutputSlot input : graph_.layers[island[i]].inputs) take(input.layer);
      for (const LayerId reader : readers_[island[i]]) take(reader);
    }
    std::sort(island.begin(), island.end());
    return island;
  }

  double EstimateTime(LayerId layer, std::uint32_t backend) const {
    const BackendCosts& costs = assignment_.GetCosts(backend);
    const LayerWork work = EstimateWork(graph_, graph_.layers[layer]);
    return costs.launch_time +
           std::max(work.num_operations / costs.compute_rate, work.num_bytes / kTransferRate);
  }

  /// Who would have the layers instead. Empty: nobody, or they are where somebody wants them.
  std::vector<std::uint32_t> FindNext(const std::vector<LayerId>& island) {
    std::vector<std::uint32_t> next;
    for (const LayerId layer : island) {
      const LayerPlacement& placement = *placement_of_[layer];
      const std::string& now = assignment_.GetId(assignment_.GetBackend(layer));
      const std::string id = placement.hint.empty() ? find_next_(layer, now) : "";
      if (id.empty()) return {};
      next.push_back(assignment_.FindOrAdd(id));
    }
    return next;
  }

  void Weigh(const std::vector<LayerId>& island) {
    const std::uint32_t from = assignment_.GetBackend(island.front());
    const Crossings before = assignment_.CountCrossings(island);
    if (before.count == 0) return;
    const std::vector<std::uint32_t> next = FindNext(island);
    if (next.empty()) return;
    double work = 0;
    for (std::size_t i = 0; i < island.size(); ++i) {
      work += EstimateTime(island[i], next[i]);
      assignment_.Give(island[i], next[i]);
    }
    const Crossings after = assignment_.CountCrossings(island);
    const double launches =
        assignment_.GetCosts(from).launch_time * static_cast<double>(island.size());
    if (before.time - after.time + launches > work) {
      found_.push_back({island, Explain(before, work, next)});
    } else {
      for (const LayerId layer : island) assignment_.Give(layer, from);
    }
  }

  std::string Explain(const Crossings& crossings, double work,
                      const std::vector<std::uint32_t>& next) const {
    std::string ids;
    for (const std::uint32_t backend : std::set<std::uint32_t>(next.begin(), next.end())) {
      ids += (ids.empty() ? "" : " and ") + assignment_.GetId(backend);
    }
    return "left on " + ids + ": " + std::to_string(crossings.count) +
           (crossings.count == 1 ? " crossing of " : " crossings of ") +
           std::to_string(crossings.num_bytes) + " bytes" +
           (crossings.count == 1 ? " takes " : " take ") + DescribeTime(crossings.time) + ", for " +
           DescribeTime(work) + " of work";
  }

  const Graph& graph_;
  const FindNextBackend& find_next_;
  Assignment assignment_;
  std::vector<const LayerPlacement*> placement_of_;  // of each layer; null: no operator
  std::vector<std::vector<LayerId>> readers_;        // of each layer
  std::vector<CostlyIsland> found_;
};

}  // namespace

std::vector<CostlyIsland> FindCostlyIslands(const Graph& graph,
                                            const std::vector<LayerPlacement>& placements,
                                            const std::map<std::string, BackendCosts>& costs,
                                            const FindNextBackend& find_next) {
  return Weigher(graph, placements, costs, find_next).Find();
}

}  // namespace backplane
