#include "staging/plan_tree.hpp"

#include "staging/plan_key.hpp"

#include <utility>

namespace backplane::staging {
namespace {

using Plans = std::map<std::string, std::shared_ptr<Plan>>;

/// Plans that are counted together. Those on the way to others, without a network, cost little and
/// go when what follows has gone.
bool IsNetwork(const Plan& plan) {
  return plan.network != kNoNetwork;
}
bool IsEndWithoutNetwork(const Plan& plan) {
  return !IsNetwork(plan) && plan.next.empty();
}

using IsCounted = bool (*)(const Plan& plan);

/// Of the plans that are counted and in no run, the one that was not used for the longest time.
/// What follows a plan is never used later than it, so that of two the one that follows is found.
struct Oldest {
  Plans* plans = nullptr;
  Plans::iterator place;
  std::uint64_t last_used = 0;
  std::size_t num_plans = 0;  // all that are counted
};

void FindOldest(Plans& plans, IsCounted is_counted, Oldest& oldest) {
  for (auto place = plans.begin(); place != plans.end(); ++place) {
    Plan& plan = *place->second;
    const bool counts = is_counted(plan);
    oldest.num_plans += counts ? 1 : 0;
    const bool may_go = counts && place->second.use_count() == 1;
    if (may_go && (oldest.plans == nullptr || plan.last_used <= oldest.last_used)) {
      oldest.plans = &plans;
      oldest.place = place;
      oldest.last_used = plan.last_used;
    }
    FindOldest(plan.next, is_counted, oldest);
  }
}

std::vector<std::shared_ptr<Plan>> GetAll(const Plans& plans) {
  std::vector<std::shared_ptr<Plan>> all;
  for (const auto& [key, plan] : plans) all.push_back(plan);
  return all;
}

}  // namespace

std::shared_ptr<Plan> PlanTree::FindFirst(const std::vector<StageValue>& inputs) {
  const auto make = [&] {
    auto plan = std::make_shared<Plan>(source_->MakeFirstStage(inputs), is_outermost_, loader_);
    for (const StageValue& input : inputs) plan->input_shapes.push_back(input.info.shape);
    return plan;
  };
  return Find(first_, MakePlanKey(inputs), make);
}

std::shared_ptr<Plan> PlanTree::FindNext(Plan& plan, const std::vector<StageValue>& made,
                                         const std::vector<StageValue>& wanted) {
  const auto make = [&] {
    return std::make_shared<Plan>(plan.stage.next->MakeStage(made, wanted), is_outermost_, loader_);
  };
  return Find(plan.next, MakePlanKey(made, wanted), make);
}

template <typename MakePlan>
std::shared_ptr<Plan> PlanTree::Find(Plans& plans, const std::string& key, const MakePlan& make) {
  if (auto kept = FindKept(plans, key)) return kept;
  const std::lock_guard<std::mutex> making(making_);
  if (auto kept = FindKept(plans, key)) return kept;
  std::shared_ptr<Plan> plan = make();
  std::vector<std::shared_ptr<Plan>> old;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    plan->last_used = ++time_;
    plans.emplace(key, plan);
    old = TakeOld();
  }
  return plan;
}

std::shared_ptr<Plan> PlanTree::FindKept(Plans& plans, const std::string& key) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = plans.find(key);
  if (found == plans.end()) return nullptr;
  found->second->last_used = ++time_;
  return found->second;
}

std::vector<std::shared_ptr<Plan>> PlanTree::TakeOld() {
  std::vector<std::shared_ptr<Plan>> old;
  for (const IsCounted is_counted : {&IsNetwork, &IsEndWithoutNetwork}) {
    while (true) {
      Oldest oldest;
      FindOldest(first_, is_counted, oldest);
      if (oldest.num_plans <= max_plans_ || oldest.plans == nullptr) break;
      old.push_back(std::move(oldest.place->second));
      oldest.plans->erase(oldest.place);
    }
  }
  return old;
}

std::vector<std::shared_ptr<Plan>> PlanTree::GetFirst() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return GetAll(first_);
}

std::vector<std::shared_ptr<Plan>> PlanTree::GetNext(const Plan& plan) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return GetAll(plan.next);
}

void PlanTree::Clear() {
  Plans all;
  const std::lock_guard<std::mutex> lock(mutex_);
  all.swap(first_);
}

}  // namespace backplane::staging
