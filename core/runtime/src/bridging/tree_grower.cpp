#include "bridging/tree_grower.hpp"

#include <algorithm>

namespace backplane {

TreeGrower::TreeGrower(const TransferProblem& problem, DraftedTree& draft)
    : problem_(problem), draft_(draft), outgoing_(problem), reached_(problem.num_places) {
  TakeIntoTree(draft.root);
  for (const std::uint32_t arc : draft.arcs) TakeIntoTree(problem.arcs[arc].to);
  Spread();
}

void TreeGrower::Join(std::uint32_t reader) {
  const TransferPlace* best = nullptr;
  TransferCost best_cost;
  for (const TransferPlace& end : problem_.readers[reader]) {
    const Reached& reached = reached_[end.place];
    if (!reached.is_reached) continue;
    const TransferCost cost = reached.cost + end.cost;
    if (best != nullptr && !(cost < best_cost)) continue;
    best = &end;
    best_cost = cost;
  }
  draft_.reader_places[reader] = best->place;
  draft_.ends_cost = draft_.ends_cost + best->cost;
  std::uint32_t place = best->place;
  while (reached_[place].arc != kNoArc) {
    const std::uint32_t arc = reached_[place].arc;
    draft_.arcs.push_back(arc);
    TakeIntoTree(place);
    place = problem_.arcs[arc].from;
  }
  Spread();
}

bool TreeGrower::IsBehind(const QueuedPlace& a, const QueuedPlace& b) {
  return b.cost < a.cost || (b.cost == a.cost && b.place < a.place);
}

void TreeGrower::TakeIntoTree(std::uint32_t place) {
  reached_[place] = {{}, kNoArc, true};
  queue_.push_back({{}, place});
  std::push_heap(queue_.begin(), queue_.end(), IsBehind);
}

// Only what is cheaper replaces an arc, so that arcs without a cost make no circle.
void TreeGrower::Improve(std::uint32_t place, const TransferCost& cost, std::uint32_t arc) {
  Reached& reached = reached_[place];
  if (reached.is_reached && !(cost < reached.cost)) return;
  reached = {cost, arc, true};
  queue_.push_back({cost, place});
  std::push_heap(queue_.begin(), queue_.end(), IsBehind);
}

void TreeGrower::Spread() {
  while (!queue_.empty()) {
    std::pop_heap(queue_.begin(), queue_.end(), IsBehind);
    const QueuedPlace next = queue_.back();
    queue_.pop_back();
    if (reached_[next.place].cost < next.cost) continue;
    for (std::uint32_t i = outgoing_.begins[next.place]; i < outgoing_.begins[next.place + 1];
         ++i) {
      const TransferArc& arc = problem_.arcs[outgoing_.arcs[i]];
      Improve(arc.to, next.cost + arc.cost, outgoing_.arcs[i]);
    }
  }
}

}  // namespace backplane
