#include "least_moves.hpp"

#include "bridge_check.hpp"
#include "placement/view_groups.hpp"

#include <algorithm>
#include <bitset>
#include <functional>
#include <unordered_map>

namespace backplane {

namespace {

constexpr std::size_t kMaxPlaces = 512;
using Places = std::bitset<kMaxPlaces>;
using Front = std::unordered_map<Places, std::uint32_t>;  // and what the begin preferred

struct Place {
  std::uint32_t member = 0;
  KindIndex kind = 0;
  bool is_borrowed = false;
};

class Search {
 public:
  Search(const PlacedCase& one, OutputSlot owner)
      : one_(one), kinds_(one.table.kinds), num_kinds_(one.table.kinds.size()) {
    const Layer& maker = one.graph.layers[owner.layer];
    is_given_ = maker.type == LayerType::kInput;
    maker_ = one.backend_of_layer[owner.layer];
    members_.push_back(owner);
    parents_.push_back(0);
    for (const Layer& layer : one.graph.layers) {
      if (IsView(layer) && FindOrigin(one.graph, {layer.id, 0}) == owner) {
        parents_.push_back(FindMember(layer.inputs[0]));
        members_.push_back({layer.id, 0});
      }
    }
    for (const Layer& layer : one.graph.layers) AddReaders(layer);
    for (std::uint32_t member = 0; member < members_.size(); ++member) {
      for (KindIndex kind = 0; kind < num_kinds_; ++kind) {
        is_dense_.push_back(AsksForDense(member, kind));
      }
    }
    FindUnsure();
    FindSteps();
  }

  std::optional<MoveCount> Find() {
    std::vector<Front> fronts(2);
    bool can_be_served = false;
    const auto begin = [&](const Place& place, std::uint32_t moves, std::uint32_t preference) {
      can_be_served = can_be_served || Count(ReachAll(place)).has_value();
      Keep(fronts[moves], Close(GetIndex(place)), preference);
    };
    AddBegins(begin);
    if (!can_be_served) return std::nullopt;
    std::optional<MoveCount> least;
    for (std::uint32_t moves = 0; !least || moves <= least->moves; ++moves) {
      fronts.resize(std::max<std::size_t>(fronts.size(), moves + 2));
      for (const auto& [places, preference] : fronts[moves]) {
        const auto count = Count(places);
        if (count) {
          const MoveCount all = {moves + count->moves, preference + count->preference};
          if (!least || all < *least) least = all;
        }
        if (least && moves + 1 > least->moves) continue;
        Expand(places, preference, fronts[moves + 1]);
      }
    }
    return least;
  }

 private:
  static void Keep(Front& front, const Places& places, std::uint32_t preference) {
    const auto [known, is_new] = front.emplace(places, preference);
    if (!is_new) known->second = std::min(known->second, preference);
  }

  std::uint32_t FindMember(OutputSlot slot) const {
    const auto found = std::find(members_.begin(), members_.end(), slot);
    return static_cast<std::uint32_t>(found - members_.begin());
  }

  void AddReaders(const Layer& layer) {
    if (IsView(layer)) return;
    for (const OutputSlot input : layer.inputs) {
      const std::uint32_t member = FindMember(input);
      if (member == members_.size()) continue;
      if (layer.type == LayerType::kOutput) {
        outputs_.push_back(member);
        continue;
      }
      const std::pair<std::uint32_t, std::uint32_t> reader = {member,
                                                              one_.backend_of_layer[layer.id]};
      if (std::find(readers_.begin(), readers_.end(), reader) == readers_.end()) {
        readers_.push_back(reader);
      }
    }
  }

  std::size_t GetIndex(const Place& place) const {
    return (place.member * num_kinds_ + place.kind) * 2 + (place.is_borrowed ? 1 : 0);
  }
  Place GetPlace(std::size_t index) const {
    return {static_cast<std::uint32_t>(index / 2 / num_kinds_),
            static_cast<KindIndex>(index / 2 % num_kinds_), index % 2 == 1};
  }

  bool Allocates(KindIndex kind) const { return kinds_[kind].properties.owns_memory != 0; }
  bool Maps(KindIndex kind) const { return kinds_[kind].properties.supports_map_unmap != 0; }
  bool TakesFromApplication(KindIndex kind) const {
    return (kinds_[kind].properties.import_sources & ToFlags(MemorySource::kMalloc)) != 0;
  }
  bool IsDense(std::uint32_t member, KindIndex kind) const {
    return is_dense_[member * num_kinds_ + kind];
  }
  bool AsksForDense(std::uint32_t member, KindIndex kind) const {
    return kinds_[kind].properties.layout == TensorLayout::kKnown &&
           GetWantedBytes(one_, members_[member], kind) ==
               GetTensor(one_.graph, members_[member]).GetSizeBytes();
  }
  std::uint64_t GetAlignment(KindIndex kind) const {
    if (kind == kHostKind) return 64;
    return std::max<std::uint64_t>(one_.wishes[kind].alignment_bytes, sizeof(float));
  }

  bool Imports(KindIndex from, KindIndex to) const {
    return from != to &&
           (kinds_[from].properties.export_sources & kinds_[to].properties.import_sources) != 0;
  }
  bool Copies(KindIndex from, KindIndex to) const {
    if (from == to) return false;
    const auto& a = kinds_[from].properties;
    const auto& b = kinds_[to].properties;
    const auto shown = [this](KindIndex kind) {
      return kinds_[kind].properties.export_sources |
             (Maps(kind) ? ToFlags(MemorySource::kMalloc) : 0U);
    };
    const bool is_within = kinds_[from].owner == kinds_[to].owner && from != kHostKind &&
                           a.copies_within_backend != 0 && b.copies_within_backend != 0;
    return is_within || (Maps(from) && Maps(to)) || (a.copy_to_sources & shown(to)) != 0 ||
           (b.copy_from_sources & shown(from)) != 0;
  }

  // Kinds in which borrowed memory may be what some handle allocated.
  void FindUnsure() {
    is_unsure_.resize(num_kinds_);
    for (std::size_t round = 0; round < num_kinds_; ++round) {
      for (KindIndex from = 0; from < num_kinds_; ++from) {
        for (KindIndex to = 0; to < num_kinds_; ++to) {
          if (Imports(from, to) && (Allocates(from) || is_unsure_[from])) is_unsure_[to] = true;
        }
      }
    }
  }

  bool IsAlignedFor(const Place& from, const Place& to) const {
    const bool is_sure = !Allocates(from.kind) && !(from.is_borrowed && is_unsure_[from.kind]);
    return is_sure || GetAlignment(to.kind) <= GetAlignment(from.kind);
  }

  bool IsFree(const Place& from, const Place& to) const {
    if (!IsDense(from.member, from.kind) || !IsDense(to.member, to.kind)) return false;
    if (!IsAlignedFor(from, to)) return false;
    if (from.member == to.member) return to.is_borrowed && Imports(from.kind, to.kind);
    if (from.kind != to.kind || from.is_borrowed != to.is_borrowed) return false;
    const bool is_related = (to.member != 0 && parents_[to.member] == from.member) ||
                            (from.member != 0 && parents_[from.member] == to.member);
    const bool shows = !Allocates(from.kind) ||
                       (from.is_borrowed && !(is_given_ && TakesFromApplication(from.kind)));
    return is_related && shows;
  }

  bool IsMove(const Place& from, const Place& to) const {
    if (to.is_borrowed) return false;
    if (from.member == to.member) return Copies(from.kind, to.kind);
    if (to.member == 0 || parents_[to.member] != from.member) return false;
    const auto& usable = one_.table.usable[one_.backend_of_layer[members_[to.member].layer]];
    return std::count(usable.begin(), usable.end(), from.kind) != 0 &&
           std::count(usable.begin(), usable.end(), to.kind) != 0;
  }

  void FindSteps() {
    const std::size_t count = members_.size() * num_kinds_ * 2;
    free_.resize(count);
    moves_.resize(count);
    for (std::size_t from = 0; from < count; ++from) {
      for (std::size_t to = 0; to < count; ++to) {
        if (IsFree(GetPlace(from), GetPlace(to))) free_[from].push_back(to);
        if (IsMove(GetPlace(from), GetPlace(to))) moves_[from].set(to);
      }
    }
    closed_.resize(count);
    for (std::size_t place = 0; place < count; ++place) CloseInto(place, closed_[place]);
  }

  void CloseInto(std::size_t place, Places& places) const {
    if (places[place]) return;
    places.set(place);
    for (const std::size_t next : free_[place]) CloseInto(next, places);
  }
  const Places& Close(std::size_t place) const { return closed_[place]; }

  Places GetMoves(const Places& places) const {
    Places targets;
    for (std::size_t from = 0; from < moves_.size(); ++from) {
      if (places[from]) targets |= moves_[from];
    }
    return targets & ~places;
  }

  void Expand(const Places& places, std::uint32_t preference, Front& next) const {
    const Places targets = GetMoves(places);
    for (std::size_t to = 0; to < moves_.size(); ++to) {
      if (targets[to]) Keep(next, places | Close(to), preference);
    }
  }

  Places ReachAll(const Place& begin) const {
    Places places = Close(GetIndex(begin));
    for (Places targets = GetMoves(places); targets.any(); targets = GetMoves(places)) {
      for (std::size_t to = 0; to < moves_.size(); ++to) {
        if (targets[to]) places |= Close(to);
      }
    }
    return places;
  }

  void AddBegins(
      const std::function<void(const Place&, std::uint32_t, std::uint32_t)>& begin) const {
    if (!is_given_) {
      const auto& usable = one_.table.usable[maker_];
      for (std::uint32_t i = 0; i < usable.size(); ++i) begin({0, usable[i], false}, 0, i);
      return;
    }
    for (KindIndex kind = 0; kind < num_kinds_; ++kind) {
      if (TakesFromApplication(kind) && IsDense(0, kind)) {
        begin({0, kind, true}, 0, 0);
      } else if (Maps(kind)) {
        begin({0, kind, false}, 1, 0);
      }
    }
  }

  // What all that read cost when it lies in these places.
  std::optional<MoveCount> Count(const Places& places) const {
    MoveCount count;
    for (const auto& [member, backend] : readers_) {
      const auto& usable = one_.table.usable[backend];
      std::uint32_t rank = 0;
      while (rank < usable.size() && !CanRead(backend, places, member, usable[rank])) ++rank;
      if (rank == usable.size()) return std::nullopt;
      count.preference += rank;
    }
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const auto moves = CountOutput(places, outputs_[i], i == 0);
      if (!moves) return std::nullopt;
      count.moves += *moves;
    }
    return count;
  }

  bool CanRead(std::uint32_t backend, const Places& places, std::uint32_t member,
               KindIndex kind) const {
    return backend < one_.first_owning_backend ? Lies(places, member, kind)
                                               : places[GetIndex({member, kind, false})];
  }

  bool Lies(const Places& places, std::uint32_t member, KindIndex kind) const {
    return places[GetIndex({member, kind, false})] || places[GetIndex({member, kind, true})];
  }

  std::optional<std::uint32_t> CountOutput(const Places& places, std::uint32_t member,
                                           bool is_first) const {
    std::optional<std::uint32_t> moves;
    for (KindIndex kind = 0; kind < num_kinds_; ++kind) {
      const bool is_direct = is_first && TakesFromApplication(kind) && IsDense(member, kind);
      if (is_direct && places[GetIndex({member, kind, false})]) return 0;
      if (Maps(kind) && Lies(places, member, kind)) moves = 1;
    }
    return moves;
  }

  const PlacedCase& one_;
  const std::vector<TensorKind>& kinds_;
  const std::size_t num_kinds_;
  bool is_given_ = false;
  std::uint32_t maker_ = 0;
  std::vector<OutputSlot> members_;                               // the owner, and its views
  std::vector<std::uint32_t> parents_;                            // of each member
  std::vector<std::pair<std::uint32_t, std::uint32_t>> readers_;  // members and backends
  std::vector<std::uint32_t> outputs_;                            // members
  std::vector<bool> is_dense_;                                    // for each member and kind
  std::vector<bool> is_unsure_;
  std::vector<std::vector<std::size_t>> free_;  // from each place
  std::vector<Places> moves_;
  std::vector<Places> closed_;
};

}  // namespace

std::uint64_t GetWantedBytes(const PlacedCase& one, OutputSlot slot, KindIndex kind) {
  const std::uint64_t bytes = GetTensor(one.graph, slot).GetSizeBytes();
  const KindWish& wish = one.wishes[kind];
  if (wish.padding_bytes == 0) return bytes;
  if (wish.padded_beside == LayerType::kUndefined) return bytes + wish.padding_bytes;
  const auto meets = [&](const Layer& layer) {
    if (layer.type != wish.padded_beside || !IsRunByBackend(layer)) return false;
    const auto& usable = one.table.usable[one.backend_of_layer[layer.id]];
    return std::find(usable.begin(), usable.end(), kind) != usable.end();
  };
  bool is_padded = meets(one.graph.layers[slot.layer]);
  for (const Layer& layer : one.graph.layers) {
    const bool reads =
        std::find(layer.inputs.begin(), layer.inputs.end(), slot) != layer.inputs.end();
    is_padded = is_padded || (reads && !IsView(layer) && meets(layer));
  }
  return is_padded ? bytes + wish.padding_bytes : bytes;
}

std::optional<MoveCount> FindLeastMoves(const PlacedCase& one, OutputSlot owner) {
  return Search(one, owner).Find();
}

}  // namespace backplane
