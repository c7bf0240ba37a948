#include "loading/plan_tree.hpp"

#include <backplane/host/logging.hpp>
#include <backplane/runtime/network_source.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace backplane::loading {
namespace {

template <typename Number>
void Append(Number number, std::string& key) {
  key.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

template <typename Number>
void AppendAll(const SharedVector<Number>& numbers, std::string& key) {
  Append(static_cast<std::uint32_t>(numbers.size()), key);
  key.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
}

void AppendInfo(const TensorInfo& info, std::string& key) {
  Append(static_cast<std::uint8_t>(info.data_type), key);
  Append(static_cast<std::uint8_t>(info.shape.rank), key);
  key.append(reinterpret_cast<const char*>(info.shape.dims),
             info.shape.rank * sizeof(info.shape.dims[0]));
  const QuantizationInfo& quantization = info.quantization;
  Append(static_cast<std::uint8_t>(quantization.IsQuantized()), key);
  if (quantization.IsQuantized()) {
    AppendAll(quantization.scales, key);
    AppendAll(quantization.zero_points, key);
    Append(quantization.axis, key);
  }
}

void AppendValue(const StageValue& value, bool has_data, std::string& key) {
  Append(static_cast<std::uint8_t>(value.kind), key);
  if (value.kind == StageValue::Kind::kTensor) AppendInfo(value.info, key);
  if (has_data && value.data != nullptr) {
    key.append(static_cast<const char*>(value.data.get()), value.info.GetSizeBytes());
  }
  if (value.kind != StageValue::Kind::kSequence) return;
  Append(static_cast<std::uint32_t>(value.elements.size()), key);
  for (const StageValue& element : value.elements) AppendValue(element, has_data, key);
}

// What plans are told apart by: types, shapes and quantization of values, and with their data the
// elements of tensors too.
std::string MakePlanKey(const std::vector<StageValue>& values, bool has_data) {
  std::string key;
  key.reserve(values.size() * 48);  // most tensors have less
  for (const StageValue& value : values) AppendValue(value, has_data, key);
  return key;
}

StageValue WithoutData(const StageValue& value) {
  StageValue result;
  result.kind = value.kind;
  result.info = value.info;
  for (const StageValue& element : value.elements) result.elements.push_back(WithoutData(element));
  return result;
}

std::vector<StageValue> WithoutData(const std::vector<StageValue>& values) {
  std::vector<StageValue> all;
  for (const StageValue& value : values) all.push_back(WithoutData(value));
  return all;
}

/// How many hashes of plans that went are remembered.
constexpr std::size_t kMaxRemembered = 4096;

// In an order that does not change.
std::vector<std::shared_ptr<Plan>> CopyAll(const Plans& plans) {
  const std::map<std::string, std::shared_ptr<Plan>> sorted(plans.begin(), plans.end());
  std::vector<std::shared_ptr<Plan>> all;
  for (const auto& [key, plan] : sorted) all.push_back(plan);
  return all;
}

void AppendAll(const Plans& plans, std::vector<std::shared_ptr<Plan>>& all) {
  for (const auto& [key, plan] : plans) {
    all.push_back(plan);
    AppendAll(plan->next, all);
  }
}

std::uint64_t AddUpBytes(const Plan& plan) {
  std::uint64_t bytes = plan.size_bytes;
  for (const auto& [key, next] : plan.next) bytes += AddUpBytes(*next);
  return bytes;
}

const std::shared_ptr<Plan>* FindLatest(const Plans& plans) {
  const auto latest = std::max_element(
      plans.begin(), plans.end(),
      [](const auto& a, const auto& b) { return a.second->last_used < b.second->last_used; });
  return latest != plans.end() ? &latest->second : nullptr;
}

std::uint64_t GetLastUse(const PlanTree& tree) {
  const std::shared_ptr<Plan>* const latest = FindLatest(tree.first);
  return latest != nullptr ? (*latest)->last_used.load() : 0;
}

// It asks now and then: the thread sanitizer knows no lock that waits until a time.
std::unique_lock<std::mutex> LockWithin(std::mutex& mutex, const RunLimit* limit) {
  constexpr std::chrono::nanoseconds kBetween = std::chrono::milliseconds(1);
  if (limit == nullptr) return std::unique_lock<std::mutex>(mutex);
  std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
  while (!lock.owns_lock()) {
    const auto now = std::chrono::steady_clock::now();
    const RunStop stop = limit->Check(now);
    if (stop != RunStop::kNone) throw RunFailure{GetStatus(stop), std::nullopt};
    std::this_thread::sleep_for(std::min(kBetween, limit->GetWait(now)));
    static_cast<void>(lock.try_lock());
  }
  return lock;
}

}  // namespace

struct PlanTrees::Found {
  Plans* plans;
  Plans::iterator place;
  std::uint64_t last_used;
};

std::shared_ptr<PlanTree> PlanTrees::Find(const std::shared_ptr<const INetworkSource>& source,
                                          TreePlace place) {
  std::vector<std::shared_ptr<PlanTree>> orphans;  // go without the lock
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = trees_.find(source.get());
  if (found != trees_.end()) return found->second;
  orphans = TakeOrphans();
  auto tree = std::make_shared<PlanTree>();
  tree->source = source;
  tree->is_outermost = place == TreePlace::kOutermost;
  trees_.emplace(source.get(), tree);
  return tree;
}

// The plans that had those sources went.
std::vector<std::shared_ptr<PlanTree>> PlanTrees::TakeOrphans() {
  std::vector<std::shared_ptr<PlanTree>> orphans;
  for (auto place = trees_.begin(); place != trees_.end();) {
    PlanTree& tree = *place->second;
    const bool is_orphan = tree.source.use_count() == 1 && place->second.use_count() == 1;
    if (is_orphan) {
      for (const auto& [key, plan] : tree.first) bytes_ -= AddUpBytes(*plan);
      orphans.push_back(std::move(place->second));
    }
    place = is_orphan ? trees_.erase(place) : std::next(place);
  }
  return orphans;
}

std::shared_ptr<Plan> PlanTrees::FindFirst(PlanTree& tree, const std::vector<StageValue>& inputs,
                                           const RunLimit* limit) {
  if (tree.fixed) return tree.fixed;
  const std::string key = MakePlanKey(inputs, false);
  return FindIn(tree, tree.first, key, limit, [&](std::shared_ptr<Plan>& plan) {
    const std::vector<StageValue> without_data = WithoutData(inputs);
    plan = make_(tree, &without_data, [&] { return tree.source->MakeFirstStage(without_data); });
    plan->hash = std::hash<std::string>()(key) ^ std::hash<std::string>()(tree.source->GetName());
    for (const StageValue& input : inputs) plan->input_shapes.push_back(input.info.shape);
  });
}

std::shared_ptr<Plan> PlanTrees::FindNext(PlanTree& tree, Plan& plan,
                                          const std::vector<StageValue>& made,
                                          const std::vector<StageValue>& wanted,
                                          const RunLimit* limit) {
  const std::string key = MakePlanKey(made, false) + MakePlanKey(wanted, true);
  return FindIn(tree, plan.next, key, limit, [&](std::shared_ptr<Plan>& next) {
    next =
        make_(tree, nullptr, [&] { return plan.stage.next->MakeStage(WithoutData(made), wanted); });
    next->hash = std::hash<std::string>()(key) ^ (plan.hash * 31);
  });
}

template <typename Make>
std::shared_ptr<Plan> PlanTrees::FindIn(PlanTree& tree, Plans& plans, const std::string& key,
                                        const RunLimit* limit, const Make& make) {
  if (auto kept = FindKept(plans, key)) return kept;
  const auto making = LockWithin(tree.making, limit);
  if (auto kept = FindKept(plans, key)) return kept;
  std::shared_ptr<Plan> plan;
  make(plan);
  TellMadeAgain(plan->hash);
  std::vector<std::shared_ptr<Plan>> old;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    plan->last_used = ++time_;
    bytes_ += plan->size_bytes;
    plans.emplace(key, plan);
    if (bytes_ > max_bytes_) old = TakeOld();
  }
  return plan;
}

std::shared_ptr<Plan> PlanTrees::FindKept(Plans& plans, const std::string& key) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = plans.find(key);
  if (found == plans.end()) return nullptr;
  found->second->last_used = ++time_;
  return found->second;
}

// Those that lead to others stay until these have gone. An eighth more goes than has to, so that
// looking through all plans is rare.
std::vector<std::shared_ptr<Plan>> PlanTrees::TakeOld() {
  std::vector<Found> found;
  const std::function<void(Plans&)> collect = [&](Plans& plans) {
    for (auto place = plans.begin(); place != plans.end(); ++place) {
      Plan& plan = *place->second;
      const bool may_go = plan.next.empty() && place->second.use_count() == 1;
      if (may_go) found.push_back({&plans, place, plan.last_used});
      collect(plan.next);
    }
  };
  for (const auto& [source, tree] : trees_) collect(tree->first);
  std::sort(found.begin(), found.end(),
            [](const Found& a, const Found& b) { return a.last_used < b.last_used; });
  std::vector<std::shared_ptr<Plan>> old;
  for (const Found& one : found) {
    if (bytes_ <= max_bytes_ - max_bytes_ / 8) break;
    Plan& plan = *one.place->second;
    bytes_ -= plan.size_bytes;
    if (!has_told_ && let_go_.size() < kMaxRemembered) let_go_.insert(plan.hash);
    old.push_back(std::move(one.place->second));
    one.plans->erase(one.place);
  }
  return old;
}

void PlanTrees::TellMadeAgain(std::size_t hash) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (has_told_ || let_go_.count(hash) == 0) return;
    has_told_ = true;
    let_go_.clear();
  }
  Diagnostic diagnostic{DiagnosticCode::kPlansMadeAgain, Severity::kWarning};
  diagnostic.subject = {SubjectKind::kNetwork, network_};
  diagnostic.what = "plans of network \"" + network_ + "\" are made again and again";
  diagnostic.why = "found one that was made before and had to go, because plans take more than " +
                   std::to_string(max_bytes_) + " bytes; expected room for all that recur";
  diagnostic.fix =
      "raise OptimizerOptions::max_plan_bytes, or give inputs of fewer different shapes";
  Log("runtime", LogLevel::kWarning, ToText(diagnostic));
}

std::vector<std::shared_ptr<Plan>> PlanTrees::GetAll() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::shared_ptr<Plan>> all;
  for (const auto& [source, tree] : trees_) AppendAll(tree->first, all);
  return all;
}

std::vector<std::shared_ptr<PlanTree>> PlanTrees::GetTrees() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::shared_ptr<PlanTree>> trees;
  for (const auto& [source, tree] : trees_) trees.push_back(tree);
  const auto get_place = [](const PlanTree& tree) {
    return std::make_pair(!tree.is_outermost, tree.source->GetName());
  };
  std::sort(trees.begin(), trees.end(),
            [&](const auto& a, const auto& b) { return get_place(*a) < get_place(*b); });
  return trees;
}

std::vector<std::shared_ptr<Plan>> PlanTrees::GetFirst(const PlanTree& tree) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return CopyAll(tree.first);
}

std::vector<std::shared_ptr<Plan>> PlanTrees::GetNext(const Plan& plan) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return CopyAll(plan.next);
}

std::vector<std::shared_ptr<Plan>> PlanTrees::GetLatest() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::map<std::string, const PlanTree*> by_name;  // the outermost has the shortest
  for (const auto& [source, tree] : trees_) {
    const PlanTree*& latest = by_name[source->GetName()];
    if (latest == nullptr || GetLastUse(*latest) < GetLastUse(*tree)) latest = tree.get();
  }
  std::vector<std::shared_ptr<Plan>> stages;
  for (const auto& [name, tree] : by_name) {
    for (auto* plan = FindLatest(tree->first); plan != nullptr; plan = FindLatest((*plan)->next)) {
      stages.push_back(*plan);
    }
  }
  return stages;
}

void PlanTrees::Clear() {
  decltype(trees_) all;
  const std::lock_guard<std::mutex> lock(mutex_);
  all.swap(trees_);
  bytes_ = 0;
}

}  // namespace backplane::loading
