#include "loading/foreseen_stages.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace backplane::loading {
namespace {

/// Three say what a polynomial is, the others have to lie on it.
constexpr std::size_t kLeastSamples = 4;
constexpr std::size_t kMostSamples = 64;
constexpr std::size_t kMostFamilies = 16;

using Numbers = std::vector<std::int64_t>;

bool IsAlike(const StageValue& a, const StageValue& b) {
  return a.kind == StageValue::Kind::kTensor && b.kind == a.kind &&
         a.info.data_type == b.info.data_type && a.info.shape.rank == b.info.shape.rank &&
         a.info.quantization == b.info.quantization;
}

bool AreAlike(const std::vector<StageValue>& a, const std::vector<StageValue>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), IsAlike);
}

Numbers ReadExtents(const std::vector<StageValue>& inputs) {
  Numbers extents;
  for (const StageValue& input : inputs) {
    const TensorShape& shape = input.info.shape;
    extents.insert(extents.end(), shape.dims, shape.dims + shape.rank);
  }
  return extents;
}

/// How one list of extents is reached from another: a step that is as small as can be, and how
/// often.
struct Way {
  Numbers direction;          // of a step; its first number that is not 0 is positive
  std::int64_t distance = 0;  // negative: against the direction
};

Way FindWay(const Numbers& from, const Numbers& to) {
  Way way;
  std::int64_t divisor = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    way.direction.push_back(to[i] - from[i]);
    divisor = std::gcd(divisor, way.direction.back());
  }
  const auto first = std::find_if(way.direction.begin(), way.direction.end(),
                                  [](std::int64_t number) { return number != 0; });
  if (first == way.direction.end()) return way;
  way.distance = *first < 0 ? -divisor : divisor;
  for (std::int64_t& number : way.direction) number /= way.distance;
  return way;
}

/// Numbers that are calculated with until one is too large.
class Exact {
 public:
  Exact(std::int64_t number) : number_(number) {}  // NOLINT: as numbers are written
  Exact operator+(const Exact& other) const { return With(other, AddTo); }
  Exact operator-(const Exact& other) const { return With(other, SubtractFrom); }
  Exact operator*(const Exact& other) const { return With(other, MultiplyBy); }
  /// Nothing: too large, or not whole.
  std::optional<std::int64_t> DividedBy(const Exact& divisor) const {
    if (is_too_large_ || divisor.is_too_large_ || number_ % divisor.number_ != 0) return {};
    return number_ / divisor.number_;
  }

 private:
  static bool AddTo(std::int64_t a, std::int64_t b, std::int64_t* sum) {
    return __builtin_add_overflow(a, b, sum);
  }
  static bool SubtractFrom(std::int64_t a, std::int64_t b, std::int64_t* difference) {
    return __builtin_sub_overflow(a, b, difference);
  }
  static bool MultiplyBy(std::int64_t a, std::int64_t b, std::int64_t* product) {
    return __builtin_mul_overflow(a, b, product);
  }
  template <typename Operation>
  Exact With(const Exact& other, Operation operation) const {
    Exact result(0);
    const bool is_large = operation(number_, other.number_, &result.number_);
    result.is_too_large_ = is_large || is_too_large_ || other.is_too_large_;
    return result;
  }

  std::int64_t number_;
  bool is_too_large_ = false;
};

struct Point {
  std::int64_t x = 0;
  std::int64_t y = 0;
};

/// The polynomial of second degree through the first three points. Nothing: it is not whole there.
std::optional<std::int64_t> Interpolate(const std::vector<Point>& points, std::int64_t at) {
  const Exact x1 = Exact(points[1].x) - points[0].x;
  const Exact x2 = Exact(points[2].x) - points[0].x;
  const Exact y1 = Exact(points[1].y) - points[0].y;
  const Exact y2 = Exact(points[2].y) - points[0].y;
  const Exact x = Exact(at) - points[0].x;
  const Exact numerator = y1 * x2 * (x2 - x1) * x + (x1 * y2 - x2 * y1) * x * (x - x1);
  const auto rest = numerator.DividedBy(x1 * x2 * (x2 - x1));
  if (!rest) return {};
  std::int64_t result = 0;
  if (__builtin_add_overflow(points[0].y, *rest, &result)) return {};
  return result;
}

/// Gives a number at distance 0, from its values at others. Nothing: these do not lie on one
/// polynomial, or it is not whole at 0.
std::optional<std::int64_t> FindAtZero(const std::vector<Point>& points) {
  const bool is_constant = std::all_of(points.begin(), points.end(),
                                       [&](const Point& point) { return point.y == points[0].y; });
  if (is_constant) return points[0].y;
  for (std::size_t i = 3; i < points.size(); ++i) {
    if (Interpolate(points, points[i].x) != points[i].y) return {};
  }
  return Interpolate(points, 0);
}

int GetSign(std::int64_t number) {
  return (number > 0 ? 1 : 0) - (number < 0 ? 1 : 0);
}

/// Constants with other content that are not recalculated.
template <typename Visit>
void ForEachProgression(const GraphChanges& changes, const std::vector<LayerId>& recalculated,
                        const Visit& visit) {
  for (const auto& [id, change] : changes.constants) {
    const auto found = std::find(recalculated.begin(), recalculated.end(), id);
    if (found == recalculated.end()) visit(id, change);
  }
}

/// Whether other constants are and were progressions, or are recalculated.
bool HasKnownConstants(const GraphChanges& changes, const std::vector<LayerId>& recalculated) {
  bool are_known = true;
  ForEachProgression(changes, recalculated, [&](LayerId, const ConstantChange& change) {
    are_known = are_known && change.before && change.after;
  });
  return are_known;
}

}  // namespace

bool ForeseenStages::Has(const Family& family, const std::vector<StageValue>& inputs,
                         const NetworkStage& stage, const PlacedLike& like) {
  const Numbers& decisions = family.samples.front().decisions;
  const std::size_t num_followed = family.samples.front().followed.size();
  return family.example == like.example && AreAlike(family.inputs, inputs) &&
         family.pinned == stage.pinned && family.recalculated == stage.recalculated &&
         num_followed == stage.followed.size() && family.network_inputs == stage.network_inputs &&
         family.network_outputs == stage.network_outputs && family.results == stage.results &&
         std::equal(decisions.begin(), decisions.end(), stage.decisions.begin(),
                    stage.decisions.end(),
                    [](std::int64_t a, std::int64_t b) { return GetSign(a) == GetSign(b); });
}

void ForeseenStages::Note(const std::vector<StageValue>& inputs, const NetworkStage& stage,
                          const PlacedLike& like) {
  const bool is_known =
      like.example != nullptr && HasKnownConstants(like.changes, stage.recalculated);
  if (!stage.follows_extents || !is_known) return;
  auto family = std::find_if(families_.begin(), families_.end(),
                             [&](const Family& known) { return Has(known, inputs, stage, like); });
  if (family == families_.end()) {
    if (families_.size() == kMostFamilies) families_.erase(families_.begin());
    families_.push_back({like.example,
                         inputs,
                         stage.pinned,
                         stage.recalculated,
                         stage.recalculation,
                         stage.network_inputs,
                         stage.network_outputs,
                         stage.results,
                         {},
                         nullptr});
    family = std::prev(families_.end());
  }
  std::vector<Sample>& samples = family->samples;
  Numbers extents = ReadExtents(inputs);
  const bool is_there = std::any_of(samples.begin(), samples.end(),
                                    [&](const Sample& known) { return known.extents == extents; });
  if (is_there) return;
  if (samples.size() == kMostSamples) samples.erase(samples.begin());
  samples.push_back({std::move(extents), like.changes, stage.decisions, stage.followed});
}

std::optional<ForeseenStage> ForeseenStages::Find(const std::vector<StageValue>& inputs) {
  const Numbers extents = ReadExtents(inputs);
  for (auto family = families_.rbegin(); family != families_.rend(); ++family) {
    if (!AreAlike(family->inputs, inputs)) continue;
    std::map<Numbers, std::vector<Place>> lines;  // by their direction
    for (const Sample& sample : family->samples) {
      const Way way = FindWay(extents, sample.extents);
      if (way.distance == 0) return MakeStage(*family, sample);
      lines[way.direction].push_back({way.distance, &sample});
    }
    for (const auto& [direction, line] : lines) {
      if (line.size() < kLeastSamples) continue;
      const auto sample = FindSample(*family, line);
      auto foreseen = sample ? MakeStage(*family, *sample) : std::nullopt;
      if (foreseen) return foreseen;
    }
  }
  return {};
}

std::optional<ForeseenStages::Sample> ForeseenStages::FindSample(const Family& family,
                                                                 const std::vector<Place>& line) {
  std::vector<Point> points(line.size());
  const auto find = [&](const auto& get) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      points[i] = {line[i].distance, get(*line[i].sample)};
    }
    return FindAtZero(points);
  };
  const Numbers& decisions = line.front().sample->decisions;
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    const auto number = find([i](const Sample& sample) { return sample.decisions[i]; });
    if (!number || GetSign(*number) != GetSign(decisions[i])) return {};
  }
  Sample result;
  for (std::size_t i = 0; i < line.front().sample->followed.size(); ++i) {
    const auto number = find([i](const Sample& sample) { return sample.followed[i]; });
    if (!number) return {};
    result.followed.push_back(*number);
  }
  GraphChanges& changes = result.changes;
  std::map<LayerId, Progression> before;  // of all constants that are others somewhere
  for (const Place& place : line) {
    for (const auto& [number, _] : place.sample->changes.numbers) changes.numbers[number] = number;
    ForEachProgression(
        place.sample->changes, family.recalculated,
        [&](LayerId id, const ConstantChange& change) { before[id] = *change.before; });
  }
  for (auto& [number, becomes] : changes.numbers) {
    const auto now = find([number = number](const Sample& sample) {
      const auto found = sample.changes.numbers.find(number);
      return found != sample.changes.numbers.end() ? found->second : number;
    });
    if (!now) return {};
    becomes = *now;
  }
  for (const auto& [id, progression] : before) {
    const auto get = [id = id, &was = progression](const Sample& sample) {
      const auto found = sample.changes.constants.find(id);
      return found != sample.changes.constants.end() ? *found->second.after : was;
    };
    const auto first = find([&](const Sample& sample) { return get(sample).first; });
    const auto step = find([&](const Sample& sample) { return get(sample).step; });
    if (!first || !step) return {};
    const DataType type = family.example->graph.layers[id].outputs[0].data_type;
    const bool is_one = std::all_of(line.begin(), line.end(), [&](const Place& place) {
      return get(*place.sample).first == *first;
    });
    if (!is_one && !HasWholeNumbers(type)) return {};
    changes.constants[id] = {progression, Progression{*first, *step}};
  }
  return result;
}

std::optional<ForeseenStage> ForeseenStages::MakeStage(Family& family, const Sample& sample) {
  GraphChanges changes = sample.changes;
  if (!FindExtentChanges(changes.numbers)) return {};
  if (!family.graph) family.graph = std::make_unique<ForeseenGraph>(family.example);
  std::map<LayerId, StageValue> constants;
  if (family.recalculation) {
    try {
      const std::vector<StageValue> values = family.recalculation->Recalculate(sample.followed);
      if (values.size() != family.recalculated.size()) return {};
      for (std::size_t i = 0; i < values.size(); ++i) constants[family.recalculated[i]] = values[i];
    } catch (...) {
      return {};  // what is wrong is said when the source is asked
    }
  }
  ForeseenStage foreseen;
  foreseen.graph = family.graph->Change(changes, constants);
  if (foreseen.graph == nullptr) return {};
  foreseen.like = {family.example, std::move(changes), ""};
  foreseen.stage.network_inputs = family.network_inputs;
  foreseen.stage.network_outputs = family.network_outputs;
  foreseen.stage.results = family.results;
  return foreseen;
}

}  // namespace backplane::loading
