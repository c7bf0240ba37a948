#pragma once

#include "bridging/group_planner.hpp"

namespace backplane {

/// The plan of one group as a problem for FindCheapestTree, and its answer as a plan. A place is a
/// member in a kind, in memory of its own or in memory that was imported.
class GroupProblem {
 public:
  GroupProblem(const KindTable& table, const std::vector<KindArc>& arcs,
               MemorySourceFlags application_source, const GroupShape& shape);

  const TransferProblem& Get() const { return problem_; }
  GroupPlan MakePlan(const TransferTree& tree) const;

 private:
  std::uint32_t GetPlace(const GroupPlace& place) const;
  GroupPlace FromPlace(std::uint32_t place) const;
  bool IsDense(std::uint32_t member, KindIndex kind) const;
  bool IsFromApplication() const { return shape_.producer == kOfApplication; }
  bool ImportsFromApplication(KindIndex kind) const {
    return (table_.kinds[kind].properties.import_sources & application_source_) != 0;
  }
  bool IsAligned(const GroupPlace& from, const GroupPlace& to) const;
  bool CanShowViews(KindIndex kind, bool is_borrowed) const;

  void FindBorrowersOfAllocated();

  void AddStep(const GroupStep& step, const TransferCost& cost);
  void AddTransfers(std::uint32_t member);
  void AddView(std::uint32_t member);
  void AddViewStep(const GroupPlace& from, const GroupPlace& to);
  void AddRuns(std::uint32_t member);
  void AddRoots();
  void AddReaders();
  std::vector<TransferPlace> FindPlacesOf(std::uint32_t member, std::uint32_t backend) const;
  std::vector<TransferPlace> FindPlacesForParts(std::uint32_t member, KindIndex kind) const;
  std::vector<TransferPlace> FindOutputPlaces(std::uint32_t member, bool is_first) const;

  const KindTable& table_;
  const std::vector<KindArc>& arcs_;
  const MemorySourceFlags application_source_;
  const GroupShape& shape_;
  const std::uint32_t num_kinds_;
  std::vector<std::uint8_t> borrows_allocated_;  // for each kind
  TransferProblem problem_;
  std::vector<GroupStep> steps_;  // for each arc of the problem
};

}  // namespace backplane
