#pragma once

#include "staging/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace backplane::staging {

/// The plans of one source: for the inputs of a run the first stage, and for what each stage gave
/// the one that follows. Those that were not used for the longest time go when more than
/// `max_plans` have networks, or end without one, unless they are in use.
///
/// Threads: any.
class PlanTree {
 public:
  PlanTree(std::shared_ptr<const INetworkSource> source, bool is_outermost, StageLoader loader,
           std::size_t max_plans)
      : source_(std::move(source)),
        is_outermost_(is_outermost),
        loader_(std::move(loader)),
        max_plans_(max_plans) {}

  const std::shared_ptr<const INetworkSource>& GetSource() const { return source_; }

  /// Inputs without data.
  /// Errors: DiagnosticException of the source, and of optimising and loading.
  std::shared_ptr<Plan> FindFirst(const std::vector<StageValue>& inputs);
  std::shared_ptr<Plan> FindNext(Plan& plan, const std::vector<StageValue>& made,
                                 const std::vector<StageValue>& wanted);

  /// The first stages with their inputs' infos; all that are kept.
  std::vector<std::shared_ptr<Plan>> GetFirst() const;
  /// What follows a plan.
  std::vector<std::shared_ptr<Plan>> GetNext(const Plan& plan) const;

  /// Lets go of all.
  void Clear();

 private:
  using Plans = std::map<std::string, std::shared_ptr<Plan>>;

  template <typename MakePlan>
  std::shared_ptr<Plan> Find(Plans& plans, const std::string& key, const MakePlan& make);
  std::shared_ptr<Plan> FindKept(Plans& plans, const std::string& key);
  /// Takes out what is too much; it goes when the mutex is free again.
  std::vector<std::shared_ptr<Plan>> TakeOld();

  const std::shared_ptr<const INetworkSource> source_;
  const bool is_outermost_;
  const StageLoader loader_;
  const std::size_t max_plans_;
  std::mutex making_;  // one plan at a time is made: they share what was packed before
  mutable std::mutex mutex_;
  Plans first_;
  std::uint64_t time_ = 0;  // counts uses
};

}  // namespace backplane::staging
