#include "placement/transfer_tree.hpp"

#include "placement/cheapest_trees.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace backplane {
namespace {

/// Joins readers to a tree, each along the cheapest path from any place of the tree.
///
/// What a place costs to reach is kept from reader to reader and only ever falls, and there are few
/// different costs, so that many readers take little longer than one.
///
/// Ownership: the problem must outlive this.
class TreeGrower {
 public:
  TreeGrower(const TransferProblem& problem, DraftedTree& draft);

  /// For a reader that can be reached from the root.
  void Join(std::uint32_t reader);

 private:
  static constexpr std::uint32_t kNoArc = 0xffffffffU;

  struct Reached {
    TransferCost cost;
    std::uint32_t arc = kNoArc;  // that leads here; none in the tree and where nothing leads
    bool is_reached = false;
  };

  void TakeIntoTree(std::uint32_t place);
  void Improve(std::uint32_t place, const TransferCost& cost, std::uint32_t arc);
  void Spread();

  const TransferProblem& problem_;
  DraftedTree& draft_;
  const ArcsOfPlaces outgoing_;
  std::vector<Reached> reached_;  // for each place
  PlaceQueue queue_;
};

TreeGrower::TreeGrower(const TransferProblem& problem, DraftedTree& draft)
    : problem_(problem),
      draft_(draft),
      outgoing_(problem, &TransferArc::from),
      reached_(problem.num_places) {
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

void TreeGrower::TakeIntoTree(std::uint32_t place) {
  reached_[place] = {{}, kNoArc, true};
  queue_.push({{}, place});
}

// Only what is cheaper replaces an arc, so that arcs without a cost make no circle.
void TreeGrower::Improve(std::uint32_t place, const TransferCost& cost, std::uint32_t arc) {
  Reached& reached = reached_[place];
  if (reached.is_reached && !(cost < reached.cost)) return;
  reached = {cost, arc, true};
  queue_.push({cost, place});
}

void TreeGrower::Spread() {
  while (!queue_.empty()) {
    const auto [cost, place] = queue_.top();
    queue_.pop();
    if (reached_[place].cost < cost) continue;
    for (std::uint32_t i = outgoing_.begins[place]; i < outgoing_.begins[place + 1]; ++i) {
      const TransferArc& arc = problem_.arcs[outgoing_.arcs[i]];
      Improve(arc.to, cost + arc.cost, outgoing_.arcs[i]);
    }
  }
}

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
bool ReachesReaders(const TransferProblem& problem, const ArcsOfPlaces& outgoing,
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
  std::optional<ArcsOfPlaces> outgoing;
  if (num_exact < problem.readers.size()) outgoing.emplace(problem, &TransferArc::from);
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
  const CheapestTrees trees(problem, num_exact);
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
