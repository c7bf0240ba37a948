#include "placement/cheapest_trees.hpp"

#include <numeric>

namespace backplane {

ArcsOfPlaces::ArcsOfPlaces(const TransferProblem& problem, std::uint32_t TransferArc::*place)
    : begins(problem.num_places + 2, 0), arcs(problem.arcs.size()) {
  for (const TransferArc& arc : problem.arcs) ++begins[arc.*place + 2];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  for (std::uint32_t i = 0; i < arcs.size(); ++i) arcs[begins[problem.arcs[i].*place + 1]++] = i;
}

CheapestTrees::CheapestTrees(const TransferProblem& problem, std::uint32_t num_readers)
    : problem_(problem),
      incoming_(problem, &TransferArc::to),
      all_((Readers{1} << num_readers) - 1),
      steps_((std::size_t{all_} + 1) * problem.num_places) {
  for (std::uint32_t place = 0; place < problem.num_places; ++place) At(0, place).cost = {};
  for (Readers readers = 1; readers <= all_; ++readers) {
    const bool is_one = (readers & (readers - 1)) == 0;
    if (is_one) {
      BeginAtEnds(readers);
    } else {
      JoinParts(readers);
    }
    ExtendBackwards(readers);
  }
}

void CheapestTrees::BeginAtEnds(Readers reader) {
  for (const TransferPlace& end : problem_.readers[GetLowestReader(reader)]) {
    Step& step = At(reader, end.place);
    if (end.cost < step.cost) step = {end.cost, kIsPart | reader};
  }
}

void CheapestTrees::JoinParts(Readers readers) {
  const auto next_part = [readers](Readers part) { return (part - readers) & readers; };
  const Readers lowest = next_part(0);
  for (Readers part = lowest; part != readers; part = next_part(part)) {
    if ((part & lowest) == 0) continue;  // each pair once
    for (std::uint32_t place = 0; place < problem_.num_places; ++place) {
      const TransferCost& part_cost = At(part, place).cost;
      const TransferCost& rest_cost = At(readers & ~part, place).cost;
      if (!IsReached(part_cost) || !IsReached(rest_cost)) continue;
      const TransferCost cost = part_cost + rest_cost;
      Step& step = At(readers, place);
      if (cost < step.cost) step = {cost, kIsPart | part};
    }
  }
}

// Dijkstra, against the direction of the arcs. Only what is cheaper replaces a step, so that arcs
// without a cost make no circle.
void CheapestTrees::ExtendBackwards(Readers readers) {
  for (std::uint32_t place = 0; place < problem_.num_places; ++place) {
    const TransferCost& cost = At(readers, place).cost;
    if (IsReached(cost)) queue_.push({cost, place});
  }
  while (!queue_.empty()) {
    const QueuedPlace reached = queue_.top();
    queue_.pop();
    const bool is_replaced = At(readers, reached.second).cost < reached.first;
    if (!is_replaced) ExtendBackwardsFrom(readers, reached);
  }
}

void CheapestTrees::ExtendBackwardsFrom(Readers readers, const QueuedPlace& reached) {
  const auto& [reached_cost, place] = reached;
  for (std::uint32_t i = incoming_.begins[place]; i < incoming_.begins[place + 1]; ++i) {
    const std::uint32_t index = incoming_.arcs[i];
    const TransferArc& arc = problem_.arcs[index];
    const TransferCost cost = arc.cost + reached_cost;
    Step& step = At(readers, arc.from);
    if (!(cost < step.cost)) continue;
    step = {cost, index};
    queue_.push({cost, arc.from});
  }
}

void CheapestTrees::AddTo(DraftedTree& draft, Readers readers, std::uint32_t place) const {
  while (readers != 0) {
    const Step& step = At(readers, place);
    if ((step.arc_or_part & kIsPart) == 0) {
      draft.arcs.push_back(step.arc_or_part);
      place = problem_.arcs[step.arc_or_part].to;
      continue;
    }
    const Readers part = step.arc_or_part & ~kIsPart;
    if (part == readers) {
      draft.reader_places[GetLowestReader(readers)] = place;
      draft.ends_cost = draft.ends_cost + step.cost;
    } else {
      AddTo(draft, part, place);
    }
    readers &= ~part;
  }
}

}  // namespace backplane
