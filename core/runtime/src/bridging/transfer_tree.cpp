#include "bridging/transfer_tree.hpp"

#include "bridging/cheapest_trees.hpp"

#include <algorithm>
#include <utility>

namespace backplane {
namespace {

/// Of the first readers together, and of each further one by itself.
std::vector<CheapestTrees> FindCheapestTrees(const TransferProblem& problem,
                                             const IncomingArcs& incoming) {
  const auto num_readers = static_cast<std::uint32_t>(problem.readers.size());
  const std::uint32_t num_exact = std::min(num_readers, kMaxExactReaders);
  std::vector<CheapestTrees> trees;
  trees.reserve(1 + num_readers - num_exact);
  trees.emplace_back(problem, incoming, 0, num_exact);
  for (std::uint32_t i = num_exact; i < num_readers; ++i) {
    trees.emplace_back(problem, incoming, i, 1);
  }
  return trees;
}

/// Null: none reaches all the readers.
const TransferPlace* ChooseRoot(const TransferProblem& problem,
                                const std::vector<CheapestTrees>& trees) {
  const TransferPlace* best = nullptr;
  TransferCost best_cost;
  for (const TransferPlace& root : problem.roots) {
    const auto has_tree = [&root](const CheapestTrees& t) { return t.HasTree(root.place); };
    if (!std::all_of(trees.begin(), trees.end(), has_tree)) continue;
    const TransferCost cost = root.cost + trees.front().GetCost(root.place);
    const bool is_better =
        best == nullptr || cost < best_cost || (cost == best_cost && root.place < best->place);
    if (!is_better) continue;
    best = &root;
    best_cost = cost;
  }
  return best;
}

/// Adds the tree from that place of the draft where it is the cheapest.
void AddNearest(DraftedTree& draft, const TransferProblem& problem, const CheapestTrees& trees) {
  std::uint32_t nearest = draft.root;
  for (const std::uint32_t arc : draft.arcs) {
    const std::uint32_t place = problem.arcs[arc].to;
    const TransferCost& cost = trees.GetCost(place);
    const TransferCost& nearest_cost = trees.GetCost(nearest);
    if (cost < nearest_cost || (cost == nearest_cost && place < nearest)) nearest = place;
  }
  trees.AddTo(draft, nearest);
}

/// Of the arcs, those by which each place is first reached from the root, in that order.
std::vector<std::uint32_t> GrowFromRoot(const TransferProblem& problem, const DraftedTree& draft) {
  std::vector<std::uint32_t> grown;
  grown.reserve(draft.arcs.size());
  std::vector<char> is_reached(problem.num_places, 0);
  is_reached[draft.root] = 1;
  for (bool is_growing = true; is_growing;) {
    is_growing = false;
    for (const std::uint32_t index : draft.arcs) {
      const TransferArc& arc = problem.arcs[index];
      if (is_reached[arc.from] == 0 || is_reached[arc.to] != 0) continue;
      is_reached[arc.to] = 1;
      grown.push_back(index);
      is_growing = true;
    }
  }
  return grown;
}

/// Of arcs in the order in which they grow, those that lead to a reader.
std::vector<std::uint32_t> Prune(const TransferProblem& problem, const DraftedTree& draft,
                                 const std::vector<std::uint32_t>& grown) {
  std::vector<std::uint32_t> kept;
  kept.reserve(grown.size());
  std::vector<char> is_needed(problem.num_places, 0);
  for (const std::uint32_t place : draft.reader_places) is_needed[place] = 1;
  for (auto index = grown.rbegin(); index != grown.rend(); ++index) {
    const TransferArc& arc = problem.arcs[*index];
    if (is_needed[arc.to] == 0) continue;
    is_needed[arc.from] = 1;
    kept.push_back(*index);
  }
  std::reverse(kept.begin(), kept.end());
  return kept;
}

}  // namespace

std::optional<TransferTree> FindCheapestTree(const TransferProblem& problem) {
  const IncomingArcs incoming(problem);
  const std::vector<CheapestTrees> trees = FindCheapestTrees(problem, incoming);
  const TransferPlace* root = ChooseRoot(problem, trees);
  if (root == nullptr) return std::nullopt;

  DraftedTree draft;
  draft.root = root->place;
  draft.reader_places.resize(problem.readers.size());
  trees.front().AddTo(draft, root->place);
  for (std::size_t i = 1; i < trees.size(); ++i) AddNearest(draft, problem, trees[i]);

  TransferTree tree;
  tree.root = root->place;
  tree.arcs = Prune(problem, draft, GrowFromRoot(problem, draft));
  tree.cost = root->cost + draft.ends_cost;
  for (const std::uint32_t arc : tree.arcs) tree.cost = tree.cost + problem.arcs[arc].cost;
  tree.reader_places = std::move(draft.reader_places);
  return tree;
}

}  // namespace backplane
