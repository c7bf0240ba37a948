#pragma once

#include "placement/kind_arcs.hpp"
#include "placement/view_groups.hpp"

#include <backplane/host/contexts.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace backplane {

/// What a place of a plan leads to: a member of the group, in a kind of memory.
struct GroupPlace {
  std::uint32_t member = 0;
  KindIndex kind = 0;
  bool is_borrowed = false;  // in memory of another kind, or of the application, that was imported
};

inline bool operator<(const GroupPlace& a, const GroupPlace& b) {
  return std::tie(a.member, a.kind, a.is_borrowed) < std::tie(b.member, b.kind, b.is_borrowed);
}

inline bool operator==(const GroupPlace& a, const GroupPlace& b) {
  return std::tie(a.member, a.kind, a.is_borrowed) == std::tie(b.member, b.kind, b.is_borrowed);
}

enum class GroupStepKind : std::uint8_t {
  kTransfer,  // a Copy or Import layer
  kView,      // the same memory under another shape
  kRun,       // the view's layer is run, by its backend
};

/// One step of a plan, from place to place.
struct GroupStep {
  GroupStepKind kind = GroupStepKind::kTransfer;
  GroupPlace from;
  GroupPlace to;
  TransferStrategy strategy = TransferStrategy::kMapCopy;  // of a transfer
  std::uint32_t backend = kCoreBackend;                    // that copies, or runs the view
};

/// How a group gets from where it is made to all who read it.
struct GroupPlan {
  GroupPlace root;
  std::vector<GroupStep> steps;       // each behind the one that leads to its begin
  std::vector<GroupPlace> of_reader;  // where each reader reads
  TransferCost cost;
};

/// A reader of a group as the choice sees it.
struct ReaderShape {
  std::uint32_t member = 0;
  std::uint32_t backend = 0;  // or kOfApplication
  /// Where a concat or split needs it, because parts and whole lie in one memory; else kNoKind.
  KindIndex kind = kNoKind;
};

/// A group as the choice sees it. Groups that look the same get the same plan.
struct GroupShape {
  std::uint32_t producer = 0;  // a backend, or kOfApplication
  std::vector<std::uint32_t> source_of_member;
  std::vector<std::uint32_t> backend_of_member;  // that would run the view
  /// For each member and kind, the requirements and whether they leave the tensor dense.
  std::vector<MemoryRequirements> requirements;
  std::vector<std::uint8_t> is_dense;
  std::vector<ReaderShape> readers;
  KindIndex kind_of_root = kNoKind;
};

/// Chooses, for each group by itself, the kinds of memory with the fewest bytes moved, and among
/// those what the backends prefer. Plans are kept, so that a network costs as much as it has
/// different groups.
class GroupPlanner {
 public:
  /// Borrows the table.
  GroupPlanner(const KindTable& table, MemoryProtection protection);

  /// Null: some reader cannot be reached.
  const GroupPlan* Plan(const GroupShape& shape);

 private:
  GroupPlan Solve(const GroupShape& shape) const;

  const KindTable& table_;
  MemorySourceFlags application_source_;
  std::vector<KindArc> arcs_;
  std::map<std::string, GroupPlan> plans_;  // one without readers' places for "none"
};

}  // namespace backplane
