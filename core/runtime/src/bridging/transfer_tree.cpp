#include "bridging/transfer_tree.hpp"

#include "bridging/cheapest_trees.hpp"
#include "bridging/tree_grower.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace backplane {
namespace {

/// How many readers are joined exactly. The time of that grows by three with each one, and with the
/// places; a tensor with very many views gets a good tree instead of the best.
std::uint32_t CountExactReaders(const TransferProblem& problem) {
  constexpr std::uint64_t kMaxWork = std::uint64_t{1} << 24U;
  const std::size_t wanted = std::min<std::size_t>(problem.readers.size(), kMaxExactReaders);
  std::uint32_t count = 0;
  for (std::uint64_t work = problem.num_places; count < wanted; ++count) {
    work *= 3;
    if (work > kMaxWork && count > 0) break;
  }
  return count;
}

/// Whether a root leads to all readers from the given one on.
bool ReachesReaders(const TransferProblem& problem, const OutgoingArcs& outgoing,
                    std::uint32_t root, std::uint32_t first_reader) {
  std::vector<char> is_reached(problem.num_places, 0);
  std::vector<std::uint32_t> open{root};
  is_reached[root] = 1;
  while (!open.empty()) {
    const std::uint32_t place = open.back();
    open.pop_back();
    for (std::uint32_t i = outgoing.begins[place]; i < outgoing.begins[place + 1]; ++i) {
      const std::uint32_t to = problem.arcs[outgoing.arcs[i]].to;
      if (is_reached[to] != 0) continue;
      is_reached[to] = 1;
      open.push_back(to);
    }
  }
  return std::all_of(problem.readers.begin() + first_reader, problem.readers.end(),
                     [&](const std::vector<TransferPlace>& ends) {
                       return std::any_of(ends.begin(), ends.end(), [&](const TransferPlace& end) {
                         return is_reached[end.place] != 0;
                       });
                     });
}

/// Null: none reaches all the readers.
const TransferPlace* ChooseRoot(const TransferProblem& problem, const CheapestTrees& trees,
                                std::uint32_t num_exact) {
  std::optional<OutgoingArcs> outgoing;
  if (num_exact < problem.readers.size()) outgoing.emplace(problem);
  const TransferPlace* best = nullptr;
  TransferCost best_cost;
  for (const TransferPlace& root : problem.roots) {
    if (!trees.HasTree(root.place)) continue;
    if (outgoing && !ReachesReaders(problem, *outgoing, root.place, num_exact)) continue;
    const TransferCost cost = root.cost + trees.GetCost(root.place);
    const bool is_better =
        best == nullptr || cost < best_cost || (cost == best_cost && root.place < best->place);
    if (!is_better) continue;
    best = &root;
    best_cost = cost;
  }
  return best;
}

/// Of the arcs, those by which each place is first reached from the root when one goes through them
/// in their order, again and again; in that order.
class Growth {
 public:
  Growth(const TransferProblem& problem, const DraftedTree& draft)
      : problem_(problem), draft_(draft), is_reached_(problem.num_places, 0) {
    for (std::uint32_t i = 0; i < draft.arcs.size(); ++i) by_begin_.push_back(i);
    std::stable_sort(by_begin_.begin(), by_begin_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return GetBegin(a) < GetBegin(b); });
  }

  std::vector<std::uint32_t> Grow() {
    std::vector<std::uint32_t> grown;
    Reach(draft_.root, {0, 0});
    while (!ahead_.empty()) {
      const Turn turn = ahead_.top();
      ahead_.pop();
      const std::uint32_t arc = draft_.arcs[turn.second];
      if (is_reached_[problem_.arcs[arc].to] != 0) continue;
      grown.push_back(arc);
      Reach(problem_.arcs[arc].to, turn);
    }
    return grown;
  }

 private:
  using Turn = std::pair<std::uint32_t, std::uint32_t>;  // how often, and the place in the draft

  std::uint32_t GetBegin(std::uint32_t place_in_draft) const {
    return problem_.arcs[draft_.arcs[place_in_draft]].from;
  }

  // What comes behind in the order has its turn still, what came before has it the next time.
  void Reach(std::uint32_t place, Turn now) {
    is_reached_[place] = 1;
    auto next = std::lower_bound(
        by_begin_.begin(), by_begin_.end(), place,
        [&](std::uint32_t index, std::uint32_t wanted) { return GetBegin(index) < wanted; });
    for (; next != by_begin_.end() && GetBegin(*next) == place; ++next) {
      ahead_.push({*next < now.second ? now.first + 1 : now.first, *next});
    }
  }

  const TransferProblem& problem_;
  const DraftedTree& draft_;
  std::vector<char> is_reached_;
  std::vector<std::uint32_t> by_begin_;  // places in the draft
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> ahead_;
};

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
  const std::uint32_t num_exact = CountExactReaders(problem);
  const IncomingArcs incoming(problem);
  const CheapestTrees trees(problem, incoming, num_exact);
  const TransferPlace* root = ChooseRoot(problem, trees, num_exact);
  if (root == nullptr) return std::nullopt;

  DraftedTree draft;
  draft.root = root->place;
  draft.reader_places.resize(problem.readers.size());
  trees.AddTo(draft, root->place);
  if (num_exact < problem.readers.size()) {
    TreeGrower grower(problem, draft);
    for (std::uint32_t i = num_exact; i < problem.readers.size(); ++i) grower.Join(i);
  }

  TransferTree tree;
  tree.root = root->place;
  tree.arcs = Prune(problem, draft, Growth(problem, draft).Grow());
  tree.cost = root->cost + draft.ends_cost;
  for (const std::uint32_t arc : tree.arcs) tree.cost = tree.cost + problem.arcs[arc].cost;
  tree.reader_places = std::move(draft.reader_places);
  return tree;
}

}  // namespace backplane
