#include "staging/plan_trees.hpp"

#include <utility>

namespace backplane::staging {

PlanTrees::PlanTrees(StageLoader loader, std::size_t max_plans)
    : loader_(std::move(loader)), max_plans_(max_plans) {}

std::shared_ptr<PlanTree> PlanTrees::Find(const std::shared_ptr<const INetworkSource>& source) {
  std::vector<std::shared_ptr<PlanTree>> orphans;  // go without the lock
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = trees_.find(source.get());
  if (found != trees_.end()) return found->second;
  orphans = TakeOrphans();
  auto tree = std::make_shared<PlanTree>(source, is_first_, loader_, max_plans_);
  is_first_ = false;
  trees_.emplace(source.get(), tree);
  return tree;
}

std::vector<std::shared_ptr<PlanTree>> PlanTrees::TakeOrphans() {
  std::vector<std::shared_ptr<PlanTree>> orphans;
  for (auto place = trees_.begin(); place != trees_.end();) {
    const bool is_orphan = place->second->GetSource().use_count() == 1;
    if (is_orphan) orphans.push_back(std::move(place->second));
    place = is_orphan ? trees_.erase(place) : std::next(place);
  }
  return orphans;
}

std::vector<std::shared_ptr<PlanTree>> PlanTrees::GetAll() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::shared_ptr<PlanTree>> all;
  for (const auto& [source, tree] : trees_) all.push_back(tree);
  return all;
}

void PlanTrees::Clear() {
  Trees all;
  const std::lock_guard<std::mutex> lock(mutex_);
  all.swap(trees_);
}

}  // namespace backplane::staging
