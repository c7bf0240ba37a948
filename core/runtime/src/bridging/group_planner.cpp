#include "bridging/group_planner.hpp"

#include "bridging/group_problem.hpp"

#include <utility>

namespace backplane {

namespace {

void Append(std::string& key, std::uint32_t number) {
  key.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

void Append(std::string& key, const std::vector<std::uint32_t>& numbers) {
  Append(key, static_cast<std::uint32_t>(numbers.size()));
  for (const std::uint32_t number : numbers) Append(key, number);
}

// Costs are counted in moves of the whole tensor, so its size says nothing.
std::string MakeKey(const GroupShape& shape) {
  std::string key;
  Append(key, shape.producer);
  Append(key, shape.source_of_member);
  Append(key, shape.backend_of_member);
  Append(key, shape.member_of_reader);
  Append(key, shape.backend_of_reader);
  Append(key, shape.kind_of_reader);
  Append(key, shape.kind_of_root);
  for (std::size_t i = 0; i < shape.is_dense.size(); ++i) {
    const int alignment = __builtin_ctzll(shape.requirements[i].alignment_bytes);
    key += static_cast<char>(alignment * 2 + shape.is_dense[i]);
  }
  return key;
}

}  // namespace

GroupPlanner::GroupPlanner(const KindTable& table, MemoryProtection protection)
    : table_(table),
      application_source_(ToFlags(protection == MemoryProtection::kProtected
                                      ? MemorySource::kDmaBufProtected
                                      : MemorySource::kMalloc)),
      arcs_(FindKindArcs(table)) {}

const GroupPlan* GroupPlanner::Plan(const GroupShape& shape) {
  std::string key = MakeKey(shape);
  auto known = plans_.find(key);
  if (known == plans_.end()) known = plans_.emplace(std::move(key), Solve(shape)).first;
  const bool is_possible = known->second.of_reader.size() == shape.member_of_reader.size();
  return is_possible ? &known->second : nullptr;
}

GroupPlan GroupPlanner::Solve(const GroupShape& shape) const {
  const GroupProblem problem(table_, arcs_, application_source_, shape);
  const auto tree = FindCheapestTree(problem.Get());
  if (!tree) {
    GroupPlan none;
    none.of_reader.resize(shape.member_of_reader.size() + 1);
    return none;
  }
  return problem.MakePlan(*tree);
}

}  // namespace backplane
