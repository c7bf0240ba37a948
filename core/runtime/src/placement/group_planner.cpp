#include "placement/group_planner.hpp"

#include <utility>

namespace backplane {
namespace {

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

constexpr TransferCost kNothing = {0, 0, 0};
// The application's memory is filled or read by mapping.
constexpr TransferCost kCopied = {1, 0, 3};
constexpr TransferCost kUsedAsItIs = {0, 0, 1};
constexpr TransferCost kRunByBackend = {1, 0, 4};

GroupProblem::GroupProblem(const KindTable& table, const std::vector<KindArc>& arcs,
                           MemorySourceFlags application_source, const GroupShape& shape)
    : table_(table),
      arcs_(arcs),
      application_source_(application_source),
      shape_(shape),
      num_kinds_(static_cast<std::uint32_t>(table.kinds.size())) {
  FindBorrowersOfAllocated();
  const auto num_members = static_cast<std::uint32_t>(shape.source_of_member.size());
  problem_.num_places = num_members * num_kinds_ * 2;
  for (std::uint32_t member = 0; member < num_members; ++member) {
    AddTransfers(member);
    if (member == 0) continue;
    AddView(member);
    AddRuns(member);
  }
  AddRoots();
  AddReaders();
}

GroupPlan GroupProblem::MakePlan(const TransferTree& tree) const {
  GroupPlan plan;
  plan.root = FromPlace(tree.root);
  plan.cost = tree.cost;
  for (const std::uint32_t arc : tree.arcs) plan.steps.push_back(steps_[arc]);
  for (const std::uint32_t place : tree.reader_places) plan.of_reader.push_back(FromPlace(place));
  return plan;
}

std::uint32_t GroupProblem::GetPlace(const GroupPlace& place) const {
  return (place.member * num_kinds_ + place.kind) * 2 + (place.is_borrowed ? 1 : 0);
}

GroupPlace GroupProblem::FromPlace(std::uint32_t place) const {
  return {place / 2 / num_kinds_, place / 2 % num_kinds_, place % 2 == 1};
}

bool GroupProblem::IsDense(std::uint32_t member, KindIndex kind) const {
  return shape_.is_dense[member * num_kinds_ + kind] != 0;
}

void GroupProblem::AddStep(const GroupStep& step, const TransferCost& cost) {
  problem_.arcs.push_back({GetPlace(step.from), GetPlace(step.to), cost});
  steps_.push_back(step);
}

// The core aligns what it places for all who meet it. What a handle allocated for itself is known
// to be aligned as its kind wants it, and those that imported it since.
bool GroupProblem::IsAligned(const GroupPlace& from, const GroupPlace& to) const {
  const bool is_placed_by_core =
      IsBound(table_.kinds[from.kind]) && !(from.is_borrowed && borrows_allocated_[from.kind] != 0);
  const auto get_alignment = [this](const GroupPlace& place) {
    return shape_.requirements[place.member * num_kinds_ + place.kind].alignment_bytes;
  };
  return is_placed_by_core || get_alignment(from) >= get_alignment(to);
}

// The kinds that can come to lie, import by import, in memory that a handle allocated for itself.
void GroupProblem::FindBorrowersOfAllocated() {
  borrows_allocated_.resize(num_kinds_);
  for (bool is_growing = true; is_growing;) {
    is_growing = false;
    for (const KindArc& arc : arcs_) {
      if (arc.strategy != TransferStrategy::kImport || borrows_allocated_[arc.to] != 0) continue;
      if (IsBound(table_.kinds[arc.from]) && borrows_allocated_[arc.from] == 0) continue;
      borrows_allocated_[arc.to] = 1;
      is_growing = true;
    }
  }
}

void GroupProblem::AddTransfers(std::uint32_t member) {
  for (const KindArc& arc : arcs_) {
    const bool is_import = arc.strategy == TransferStrategy::kImport;
    if (is_import && !(IsDense(member, arc.from) && IsDense(member, arc.to))) continue;
    const GroupPlace to = {member, arc.to, is_import};
    for (const bool is_borrowed : {false, true}) {
      const GroupPlace from = {member, arc.from, is_borrowed};
      if (is_import && !IsAligned(from, to)) continue;
      AddStep({GroupStepKind::kTransfer, from, to, arc.strategy, arc.backend},
              GetCost(arc.strategy));
    }
  }
}

// Handles that allocate for themselves show nothing but what they imported. Memory of the
// application can turn out to be copied after all, and then into one handle.
bool GroupProblem::CanShowViews(KindIndex kind, bool is_borrowed) const {
  if (IsBound(table_.kinds[kind])) return true;
  return is_borrowed && !(IsFromApplication() && ImportsFromApplication(kind));
}

// Both ways: a view shows the bytes of its source, and a copy of the view shows those too.
void GroupProblem::AddView(std::uint32_t member) {
  const std::uint32_t source = shape_.source_of_member[member];
  for (KindIndex kind = 0; kind < num_kinds_; ++kind) {
    if (!IsDense(member, kind) || !IsDense(source, kind)) continue;
    for (const bool is_borrowed : {false, true}) {
      if (!CanShowViews(kind, is_borrowed)) continue;
      AddViewStep({source, kind, is_borrowed}, {member, kind, is_borrowed});
      AddViewStep({member, kind, is_borrowed}, {source, kind, is_borrowed});
    }
  }
}

void GroupProblem::AddViewStep(const GroupPlace& from, const GroupPlace& to) {
  if (!IsAligned(from, to)) return;
  AddStep({GroupStepKind::kView, from, to, {}, kCoreBackend}, kNothing);
}

void GroupProblem::AddRuns(std::uint32_t member) {
  const std::uint32_t backend = shape_.backend_of_member[member];
  for (const KindIndex from : table_.usable[backend]) {
    for (const KindIndex to : table_.usable[backend]) {
      for (const bool is_borrowed : {false, true}) {
        AddStep({GroupStepKind::kRun,
                 {shape_.source_of_member[member], from, is_borrowed},
                 {member, to, false},
                 {},
                 backend},
                kRunByBackend);
      }
    }
  }
}

void GroupProblem::AddRoots() {
  if (shape_.kind_of_root != kNoKind) {
    problem_.roots.push_back({GetPlace({0, shape_.kind_of_root, false}), kNothing});
    return;
  }
  if (!IsFromApplication()) {
    std::uint32_t place_in_list = 0;
    for (const KindIndex kind : table_.usable[shape_.producer]) {
      problem_.roots.push_back({GetPlace({0, kind, false}), {0, place_in_list++, 0}});
    }
    return;
  }
  for (KindIndex kind = 0; kind < num_kinds_; ++kind) {
    const TensorKind& one = table_.kinds[kind];
    if (ImportsFromApplication(kind) && IsDense(0, kind)) {
      problem_.roots.push_back({GetPlace({0, kind, true}), kUsedAsItIs});
    } else if (IsMappable(one)) {
      problem_.roots.push_back({GetPlace({0, kind, false}), kCopied});
    }
  }
}

void GroupProblem::AddReaders() {
  bool has_output = false;
  for (const ReaderShape& reader : shape_.readers) {
    if (reader.kind != kNoKind) {
      problem_.readers.push_back(FindPlacesForParts(reader.member, reader.kind));
    } else if (reader.backend != kOfApplication) {
      problem_.readers.push_back(FindPlacesOf(reader.member, reader.backend));
    } else {
      problem_.readers.push_back(FindOutputPlaces(reader.member, !has_output));
      has_output = true;
    }
  }
}

std::vector<TransferPlace> GroupProblem::FindPlacesOf(std::uint32_t member,
                                                      std::uint32_t backend) const {
  std::vector<TransferPlace> places;
  std::uint32_t place_in_list = 0;
  for (const KindIndex kind : table_.usable[backend]) {
    for (const bool is_borrowed : {false, true}) {
      places.push_back({GetPlace({member, kind, is_borrowed}), {0, place_in_list, 0}});
    }
    ++place_in_list;
  }
  return places;
}

// Memory that another kind lent cannot be a part, nor have parts. That of the application can.
std::vector<TransferPlace> GroupProblem::FindPlacesForParts(std::uint32_t member,
                                                            KindIndex kind) const {
  std::vector<TransferPlace> places{{GetPlace({member, kind, false}), kNothing}};
  if (IsFromApplication() && ImportsFromApplication(kind)) {
    places.push_back({GetPlace({member, kind, true}), kNothing});
  }
  return places;
}

// What is computed or copied into memory of its own can be written into memory of the application
// instead; there is one such memory.
std::vector<TransferPlace> GroupProblem::FindOutputPlaces(std::uint32_t member,
                                                          bool is_first) const {
  std::vector<TransferPlace> places;
  for (KindIndex kind = 0; kind < num_kinds_; ++kind) {
    const TensorKind& one = table_.kinds[kind];
    const bool is_direct = is_first && ImportsFromApplication(kind) && IsDense(member, kind);
    if (is_direct || IsMappable(one)) {
      places.push_back({GetPlace({member, kind, false}), is_direct ? kUsedAsItIs : kCopied});
    }
    if (IsMappable(one)) places.push_back({GetPlace({member, kind, true}), kCopied});
  }
  return places;
}

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
  Append(key, static_cast<std::uint32_t>(shape.readers.size()));
  for (const ReaderShape& reader : shape.readers) {
    Append(key, reader.member);
    Append(key, reader.backend);
    Append(key, reader.kind);
  }
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
  const bool is_possible = known->second.of_reader.size() == shape.readers.size();
  return is_possible ? &known->second : nullptr;
}

GroupPlan GroupPlanner::Solve(const GroupShape& shape) const {
  const GroupProblem problem(table_, arcs_, application_source_, shape);
  const auto tree = FindCheapestTree(problem.Get());
  if (!tree) {
    GroupPlan none;
    none.of_reader.resize(shape.readers.size() + 1);
    return none;
  }
  return problem.MakePlan(*tree);
}

}  // namespace backplane
