#pragma once

#include "staging/plan_tree.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace backplane::staging {

/// The plans of a network and of all networks within its loops and branches.
///
/// Threads: any.
class PlanTrees {
 public:
  PlanTrees(StageLoader loader, std::size_t max_plans);

  /// The tree of the first source that is asked for is the outermost one.
  std::shared_ptr<PlanTree> Find(const std::shared_ptr<const INetworkSource>& source);

  std::vector<std::shared_ptr<PlanTree>> GetAll() const;

  /// Lets go of all plans.
  void Clear();

 private:
  using Trees = std::map<const INetworkSource*, std::shared_ptr<PlanTree>>;

  /// Takes out the trees of sources that nothing else has: their plans went.
  std::vector<std::shared_ptr<PlanTree>> TakeOrphans();

  const StageLoader loader_;
  const std::size_t max_plans_;
  mutable std::mutex mutex_;
  bool is_first_ = true;
  Trees trees_;
};

}  // namespace backplane::staging
