#pragma once

#include "execution/run_limit.hpp"
#include "loading/foreseen_stages.hpp"
#include "loading/network_fallback.hpp"
#include "placement/open_network.hpp"

#include <backplane/runtime/network_source.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace backplane::loading {

struct Plan;
using Plans = std::unordered_map<std::string, std::shared_ptr<Plan>>;  // by plan key

/// A stage that is ready to be run, and those that have followed it until now. Goes with its last
/// user, and unloads its network then.
struct Plan {
  std::vector<TensorShape> input_shapes;  // of a first stage
  NetworkStage stage;                     // without its network, which is loaded
  bool is_foreseen = false;               // the source was not asked for the stage
  std::vector<NetworkBinding> outputs;    // of the network
  /// The shape of each output that lies in the memory of a growing tensor; rank 0: another output.
  /// Empty: there are none.
  std::vector<TensorShape> shapes_in_memory;
  std::unique_ptr<StagePlacements> placements;  // null: the stage has no network
  std::uint64_t size_bytes = 0;                 // of memory, about
  std::size_t hash = 0;                         // of all keys up to it
  std::atomic<std::uint64_t> last_used{0};
  std::atomic<std::uint64_t> num_runs{0};
  Plans next;  // guarded by the mutex of the trees
};

/// Ends a run: what went wrong was said already, or it is out of time.
struct RunFailure {
  Status status = Status::kFailure;
  std::optional<Diagnostic> diagnostic;  // null: not told
};

/// The plans of one source: for the inputs of a run the first stage, and for what each stage gave
/// the one that follows. A network with fixed shapes has one plan and no source.
struct PlanTree {
  std::shared_ptr<const INetworkSource> source;
  bool is_outermost = true;     // of the network that the application has loaded, not of one within
  std::shared_ptr<Plan> fixed;  // null: plans are made
  std::mutex making;            // one plan at a time is made: they share what was packed before
  ForeseenStages foreseen;      // guarded by it
  Plans first;                  // guarded by the mutex of the trees
};

/// Makes of a stage what runs it. `inputs`: of a first stage, which is made by `make` unless it is
/// foreseen. Null: it is a later one.
/// Errors: DiagnosticException of `make`, of optimising and of loading.
using MakeStage = std::function<NetworkStage()>;
using MakePlan = std::function<std::shared_ptr<Plan>(
    PlanTree& tree, const std::vector<StageValue>* inputs, const MakeStage& make)>;

/// Whether a source is that of the network that the application has loaded, or of one within it.
enum class TreePlace { kOutermost, kWithin };

/// The plans of a loaded network and of all networks within its loops and branches. When they take
/// more memory than they may, those that were not used for the longest time go, unless they are in
/// use. A plan that has to be made a second time for that reason is logged, once.
///
/// Threads: any.
class PlanTrees {
 public:
  PlanTrees(std::string network, MakePlan make, std::uint64_t max_bytes)
      : network_(std::move(network)), make_(std::move(make)), max_bytes_(max_bytes) {}

  /// The tree of a source; made when there is none.
  std::shared_ptr<PlanTree> Find(const std::shared_ptr<const INetworkSource>& source,
                                 TreePlace place);

  /// The plan for inputs of these shapes, whatever their data are; and the one that follows, for
  /// the shapes of what was made and the data of what was wanted.
  /// Null: without `limit`, as long as it takes.
  /// Errors: RunFailure when the run is over before another plan was made; DiagnosticException of
  /// the source, and of making the plan.
  std::shared_ptr<Plan> FindFirst(PlanTree& tree, const std::vector<StageValue>& inputs,
                                  const RunLimit* limit);
  std::shared_ptr<Plan> FindNext(PlanTree& tree, Plan& plan, const std::vector<StageValue>& made,
                                 const std::vector<StageValue>& wanted, const RunLimit* limit);

  /// All that are kept, each before those that follow it.
  std::vector<std::shared_ptr<Plan>> GetAll() const;
  /// The outermost, then the others by name.
  std::vector<std::shared_ptr<PlanTree>> GetTrees() const;
  /// The first stages of a tree, and what follows a plan.
  std::vector<std::shared_ptr<Plan>> GetFirst(const PlanTree& tree) const;
  std::vector<std::shared_ptr<Plan>> GetNext(const Plan& plan) const;
  /// Of each network the stages that ran last, in their order. Of networks within plans that have
  /// one name, that which ran last.
  std::vector<std::shared_ptr<Plan>> GetLatest() const;

  /// Lets go of all.
  void Clear();

 private:
  struct Found;  // a plan that may go

  template <typename Make>
  std::shared_ptr<Plan> FindIn(PlanTree& tree, Plans& plans, const std::string& key,
                               const RunLimit* limit, const Make& make);
  std::shared_ptr<Plan> FindKept(Plans& plans, const std::string& key);
  /// Takes out what is too much; it goes when the mutex is free again.
  std::vector<std::shared_ptr<Plan>> TakeOld();
  std::vector<std::shared_ptr<PlanTree>> TakeOrphans();
  void TellMadeAgain(std::size_t hash);

  const std::string network_;
  const MakePlan make_;
  const std::uint64_t max_bytes_;
  mutable std::mutex mutex_;
  std::map<const INetworkSource*, std::shared_ptr<PlanTree>> trees_;
  std::uint64_t time_ = 0;                  // counts uses
  std::uint64_t bytes_ = 0;                 // of all plans
  std::unordered_set<std::size_t> let_go_;  // hashes of plans that went; empty after it was told
  bool has_told_ = false;
};

}  // namespace backplane::loading
