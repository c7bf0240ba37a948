#include "bridging/group_problem.hpp"

#include <utility>

namespace backplane {

namespace {

constexpr TransferCost kNothing = {0, 0, 0};
// The application's memory is filled or read by mapping.
constexpr TransferCost kCopied = {1, 0, 3};
constexpr TransferCost kUsedAsItIs = {0, 0, 1};
constexpr TransferCost kRunByBackend = {1, 0, 4};

}  // namespace

GroupProblem::GroupProblem(const KindTable& table, const std::vector<KindArc>& arcs,
                           MemorySourceFlags application_source, const GroupShape& shape)
    : table_(table),
      arcs_(arcs),
      application_source_(application_source),
      shape_(shape),
      num_kinds_(static_cast<std::uint32_t>(table.kinds.size())) {
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

// The core aligns what it places for whoever imports it; a handle that allocates for itself does
// not.
bool GroupProblem::CanImport(std::uint32_t member, const KindArc& arc) const {
  const std::uint64_t wanted = shape_.requirements[member * num_kinds_ + arc.to].alignment_bytes;
  const std::uint64_t given = shape_.requirements[member * num_kinds_ + arc.from].alignment_bytes;
  return IsDense(member, arc.from) && IsDense(member, arc.to) &&
         (IsBound(table_.kinds[arc.from]) || given >= wanted);
}

void GroupProblem::AddTransfers(std::uint32_t member) {
  for (const KindArc& arc : arcs_) {
    const bool is_import = arc.strategy == TransferStrategy::kImport;
    if (is_import && !CanImport(member, arc)) continue;
    for (const bool is_borrowed : {false, true}) {
      AddStep({GroupStepKind::kTransfer,
               {member, arc.from, is_borrowed},
               {member, arc.to, is_import},
               arc.strategy,
               arc.backend},
              GetCost(arc.strategy));
    }
  }
}

// Both ways: a view shows the bytes of its source, and a copy of the view shows those too.
void GroupProblem::AddView(std::uint32_t member) {
  const std::uint32_t source = shape_.source_of_member[member];
  for (KindIndex kind = 0; kind < num_kinds_; ++kind) {
    if (!IsDense(member, kind) || !IsDense(source, kind)) continue;
    for (const bool is_borrowed : {false, true}) {
      if (!is_borrowed && !IsBound(table_.kinds[kind])) continue;
      const GroupPlace of_source = {source, kind, is_borrowed};
      const GroupPlace of_view = {member, kind, is_borrowed};
      AddStep({GroupStepKind::kView, of_source, of_view, {}, kCoreBackend}, kNothing);
      AddStep({GroupStepKind::kView, of_view, of_source, {}, kCoreBackend}, kNothing);
    }
  }
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
  if (!IsFromApplication()) {
    std::uint32_t place_in_list = 0;
    for (const KindIndex kind : table_.usable[shape_.producer]) {
      problem_.roots.push_back({GetPlace({0, kind, false}), {0, place_in_list++, 0}});
    }
    return;
  }
  for (KindIndex kind = 0; kind < num_kinds_; ++kind) {
    const TensorKind& one = table_.kinds[kind];
    if ((one.properties.import_sources & application_source_) != 0 && IsDense(0, kind)) {
      problem_.roots.push_back({GetPlace({0, kind, true}), kUsedAsItIs});
    } else if (IsMappable(one)) {
      problem_.roots.push_back({GetPlace({0, kind, false}), kCopied});
    }
  }
}

void GroupProblem::AddReaders() {
  bool has_output = false;
  for (std::size_t i = 0; i < shape_.member_of_reader.size(); ++i) {
    const std::uint32_t member = shape_.member_of_reader[i];
    const std::uint32_t backend = shape_.backend_of_reader[i];
    if (backend != kApplication) {
      problem_.readers.push_back(FindPlacesOf(member, backend));
      continue;
    }
    problem_.readers.push_back(FindOutputPlaces(member, !has_output));
    has_output = true;
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

// What is computed or copied into memory of its own can be written into memory of the application
// instead; there is one such memory.
std::vector<TransferPlace> GroupProblem::FindOutputPlaces(std::uint32_t member,
                                                          bool is_first) const {
  std::vector<TransferPlace> places;
  for (KindIndex kind = 0; kind < num_kinds_; ++kind) {
    const TensorKind& one = table_.kinds[kind];
    const bool imports = (one.properties.import_sources & application_source_) != 0;
    const bool is_direct = is_first && imports && IsDense(member, kind);
    if (is_direct || IsMappable(one)) {
      places.push_back({GetPlace({member, kind, false}), is_direct ? kUsedAsItIs : kCopied});
    }
    if (IsMappable(one)) places.push_back({GetPlace({member, kind, true}), kCopied});
  }
  return places;
}

}  // namespace backplane
