#include "graph/followed_extents.hpp"

#include "nodes/rows_by_type.hpp"
#include "operators/operator_table.hpp"
#include "tensors/data_types.hpp"
#include "values/elements.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

namespace backplane::onnx {

/// The note on a node whose inputs are all constants: see extent_operators.def.
enum class OnConstants : std::uint8_t {
  kNothing,
  kPins,
  kPinsReals,
  kPinsFurther,
  kCompares,
  kDivides,
  kCounts
};

/// The inputs of which the elements decide on extents or layers.
enum class Shaping : std::uint8_t { kNone, kFurther, kAll };

struct ExtentRow {
  const char* domain;
  const char* op_type;
  OnConstants on_constants;
  Shaping shaping;
};

namespace {

constexpr ExtentRow kExtentRows[] = {
#define BACKPLANE_EXTENT_OPERATOR(op, on_constants, shaping) \
  {"", #op, OnConstants::on_constants, Shaping::shaping},
#define BACKPLANE_MICROSOFT_EXTENT_OPERATOR(op, on_constants, shaping) \
  {kMicrosoftDomain, #op, OnConstants::on_constants, Shaping::shaping},
#include "extent_operators.def"
#undef BACKPLANE_EXTENT_OPERATOR
#undef BACKPLANE_MICROSOFT_EXTENT_OPERATOR
};

/// Lists of extents are short; what is longer is data.
constexpr std::int64_t kMostElements = 64;

const ExtentRow* FindRow(const Node& node) {
  static const RowsByType<ExtentRow> rows(kExtentRows);
  const std::string domain = NormaliseDomain(node.GetProto().domain());
  return rows.Find(node.GetProto().op_type(),
                   [&](const ExtentRow& row) { return row.domain == domain; });
}

/// Null: the input is absent. Unlike by the functions of the node, it does not count as read.
const Value* FindInput(Node& node, int index) {
  if (index >= node.GetProto().input_size()) return nullptr;
  return node.GetScope().values.Find(node.GetProto().input(index));
}

bool IsOfRun(const Value& value) {
  return !value.is_constant || value.is_of_run;
}

bool DecidesByRecalculated(const Node& node, Shaping shaping) {
  return shaping != Shaping::kNone && node.HasRecalculated(shaping == Shaping::kAll ? 0 : 1);
}

std::int64_t CountElements(const Value& value) {
  return value.info.shape.GetNumElements();
}

using Ints = std::vector<std::int64_t>;

/// Two lists of numbers, of which one may have one number for all of the other.
template <typename Visit>
void ForEachPair(const Ints& a, const Ints& b, const Visit& visit) {
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    visit(a[a.size() == 1 ? 0 : i], b[b.size() == 1 ? 0 : i]);
  }
}

/// Whether both are short lists of integers that are combined as ForEachPair does.
bool ArePairs(const Value& a, const Value& b) {
  const std::int64_t counts[] = {CountElements(a), CountElements(b)};
  return IsListType(a.info.data_type) && IsListType(b.info.data_type) &&
         std::max(counts[0], counts[1]) <= kMostElements && std::min(counts[0], counts[1]) > 0 &&
         (a.info.shape == b.info.shape || counts[0] == 1 || counts[1] == 1);
}

/// A short list of integers. Nothing: the input is none, or no constant.
std::optional<Ints> FindInts(Node& node, int index) {
  const Value* const value = FindInput(node, index);
  const bool is_list = value != nullptr && value->is_constant &&
                       IsListType(value->info.data_type) && CountElements(*value) <= kMostElements;
  if (!is_list) return {};
  return ReadElements<std::int64_t>(*value);
}

/// Whether integers stay what they are, or are summed up or multiplied.
bool KeepsIntegers(Node& node, const Value& input) {
  if (!IsListType(input.info.data_type)) return false;
  if (node.GetProto().op_type() != "Cast") return true;
  if (node.GetOpset() < 6) return false;  // the type is a text
  const auto to = node.GetAttributes().FindInt("to");
  const DataType type = to ? FromOnnxType(*to) : input.info.data_type;
  return IsListType(type) || type == DataType::kFloat32;
}

}  // namespace

void FollowedExtents::Look(Node& node) {
  bool is_of_run = false;
  bool has_only_constants = true;
  for (int index = 0; index < node.GetProto().input_size(); ++index) {
    const Value* const value = FindInput(node, index);
    if (value == nullptr) continue;
    is_of_run = is_of_run || IsOfRun(*value);
    has_only_constants = has_only_constants && value->is_constant;
  }
  if (!is_of_run || !follows_) return;
  const ExtentRow* const row = FindRow(node);
  follows_ = row != nullptr && !DecidesByRecalculated(node, row->shaping);
  if (!follows_) return;
  if (has_only_constants && !IsPartOfTable(node)) {
    node.SetOutputsOfRun(LookAtConstants(node, *row));
  } else {
    LookAtLayer(node);
  }
}

void FollowedExtents::LookAtResults(Node& node) {
  for (const std::string& name : node.GetProto().output()) {
    const Value* const value = follows_ ? node.GetScope().values.Find(name) : nullptr;
    if (value != nullptr && value->is_constant && IsOfRun(*value)) LookAtResult(*value);
  }
}

// A constant that is recalculated need not be in a layer, which would say that an extent becomes 0
// or 1.
// Numbers of 32 bits follow as long as they need no more.
void FollowedExtents::LookAtResult(const Value& value) {
  const TensorShape& shape = value.info.shape;
  if (value.is_recalculated) {
    for (std::uint32_t axis = 0; axis < shape.rank; ++axis) Decide(shape[axis], 1);
  } else if (value.info.data_type == DataType::kInt32) {
    constexpr std::int64_t kBeyond = std::numeric_limits<std::int32_t>::max() + std::int64_t{1};
    for (const std::int64_t number : ReadElements<std::int64_t>(value)) {
      Decide(number, kBeyond);
      Decide(number, -kBeyond - 1);
    }
  }
}

void FollowedExtents::LookAtLayer(Node& node) {
  const std::string& op_type = node.GetProto().op_type();
  const Value* const input = FindInput(node, 0);
  if (input == nullptr) return;  // the conversion refuses it
  if (op_type == "Slice") {
    LookAtSlice(node);
  } else if (op_type == "Split" && FindInput(node, 1) == nullptr) {
    const std::uint32_t rank = input->info.shape.rank;
    const std::uint32_t axis =
        node.ResolveAxis(node.GetAttributes().FindInt("axis").value_or(0), rank);
    DecideRoundedQuotient(input->info.shape[axis], static_cast<std::int64_t>(node.GetNumOutputs()));
  } else if (op_type == "QuantizeLinear" || op_type == "DequantizeLinear") {
    const bool has_blocks = node.GetAttributes().FindInt("block_size").value_or(0) != 0;
    follows_ = follows_ && (!has_blocks || !IsOfRun(*input));
  } else if (op_type == "GroupQueryAttention") {
    LookAtGroupQuery(node);
  } else if (op_type == "Attention" && NormaliseDomain(node.GetProto().domain()).empty()) {
    LookAtAttention(node);
  }
}

// The past may be a buffer with room behind it, and a window may be longer than all keys.
void FollowedExtents::LookAtGroupQuery(Node& node) {
  const Value* const past = FindInput(node, 3);
  const Value* const total = FindInput(node, 6);
  const std::int64_t window = node.GetAttributes().FindInt("local_window_size").value_or(-1);
  follows_ = follows_ && total != nullptr && total->is_constant &&
             IsListType(total->info.data_type) && CountElements(*total) == 1 &&
             FindInput(node, 0)->info.shape.rank == 3;
  if (!follows_) return;
  const std::int64_t keys = ReadElements<std::int64_t>(*total).front();
  const std::int64_t num_new = FindInput(node, 0)->info.shape[1];
  Decide(window, keys);
  if (const auto lengths = FindInts(node, 5)) {
    for (const std::int64_t length : *lengths) Decide(length, keys - 1);
  }
  if (past == nullptr || past->info.shape.rank != 4) return;
  Decide(keys, past->info.shape[2]);
  Decide(keys, past->info.shape[2] + num_new);
}

// A mask may be shorter than the keys. Whether a window hides some depends on its place.
void FollowedExtents::LookAtAttention(Node& node) {
  for (const char* const window : {"left_window_size", "right_window_size"}) {
    follows_ = follows_ && node.GetAttributes().FindInt(window).value_or(-1) < 0;
  }
  const Value* const queries = FindInput(node, 0);
  const Value* const keys = FindInput(node, 1);
  follows_ = follows_ && queries != nullptr && keys != nullptr && FindInput(node, 6) == nullptr &&
             queries->info.shape.rank == keys->info.shape.rank && queries->info.shape.rank >= 3;
  if (!follows_) return;
  const auto count_rows = [](const Value& value) {
    return value.info.shape[value.info.shape.rank - 2];  // of [batch, rows, all], or of heads
  };
  Decide(count_rows(*keys), count_rows(*queries));
  const Value* const past = FindInput(node, 4);
  const Value* const mask = FindInput(node, 3);
  const std::int64_t num_past =
      past != nullptr && past->info.shape.rank == 4 ? past->info.shape[2] : 0;
  if (mask == nullptr || mask->info.shape.rank == 0) return;
  Decide(mask->info.shape[mask->info.shape.rank - 1], count_rows(*keys) + num_past);
}

bool FollowedExtents::IsPartOfTable(Node& node) {
  const Value* const table = FindInput(node, 0);
  const bool has_table = node.GetProto().op_type() == "Slice" && node.HasOnlyConstants() &&
                         table != nullptr && !IsOfRun(*table) &&
                         CountElements(*table) > kMostElements;
  return has_table && !node.IsOfFile();
}

OutputsOfRun FollowedExtents::LookAtConstants(Node& node, const ExtentRow& row) {
  const std::string& op_type = node.GetProto().op_type();
  const OnConstants rule = row.on_constants;
  const Value* const first = FindInput(node, 0);
  const Value* const second = FindInput(node, 1);
  if (first == nullptr) return OutputsOfRun::kFollow;  // the conversion refuses it
  if (op_type == "Shape" || op_type == "Size") {
    // Lists that are not recalculated are as long for all extents.
    const bool is_list = !first->is_recalculated && first->info.shape.rank <= 1;
    return is_list ? OutputsOfRun::kFixed : OutputsOfRun::kFollow;
  }
  if (node.HasRecalculated()) return LookAtRecalculated(node, row);
  if (op_type == "Split") LookAtLayer(node);
  const bool is_kept = rule == OnConstants::kPinsReals && KeepsIntegers(node, *first);
  if (rule == OnConstants::kNothing || is_kept) {
    const bool has_extents = (op_type == "ConstantOfShape" && IsOfRun(*first)) ||
                             ((op_type == "Expand" || op_type == "Tile") && IsOfRun(*second));
    return has_extents ? OutputsOfRun::kRecalculated : OutputsOfRun::kFollow;
  }
  const bool is_of_pair = (rule == OnConstants::kCompares || rule == OnConstants::kDivides)
                              ? node.GetProto().input_size() == 2
                              : rule == OnConstants::kCounts;
  if (!is_of_pair || !second || !ArePairs(*first, *second)) {
    const bool is_pinned = PinFrom(node, rule == OnConstants::kPinsFurther ? 1 : 0);
    return is_pinned ? OutputsOfRun::kFollow : LookAtRecalculated(node, row);
  }
  if (rule == OnConstants::kCounts) {
    const auto steps = FindInts(node, 2);
    follows_ = steps && (*steps == Ints{1} || *steps == Ints{-1}) && PinFrom(node, 2);
  }
  if (follows_) rule == OnConstants::kDivides ? Divide(*first, *second) : Compare(*first, *second);
  return rule == OnConstants::kCounts ? OutputsOfRun::kRecalculated : OutputsOfRun::kFollow;
}

OutputsOfRun FollowedExtents::LookAtRecalculated(Node& node, const ExtentRow& row) {
  const std::string& op_type = node.GetProto().op_type();
  const bool is_quantised = op_type == "QuantizeLinear" || op_type == "DequantizeLinear";
  if (op_type == "Slice" || op_type == "Split" || is_quantised) {
    LookAtLayer(node);
  } else if (op_type == "Reshape") {
    LookAtReshape(node);
  } else if (row.shaping != Shaping::kNone && row.on_constants != OnConstants::kNothing) {
    follows_ = PinFrom(node, 1);  // axes
  }
  return OutputsOfRun::kRecalculated;
}

// A wanted extent of 0 is that of the input, and one of -1 is calculated.
void FollowedExtents::LookAtReshape(Node& node) {
  const TensorShape& shape = FindInput(node, 0)->info.shape;
  const auto wanted = FindInts(node, 1);
  follows_ = follows_ && wanted.has_value();
  if (!follows_) return;
  std::int64_t known = 1;
  for (std::size_t axis = 0; axis < wanted->size(); ++axis) {
    const std::int64_t extent = (*wanted)[axis];
    Decide(extent, 0);
    const std::int64_t own = extent == 0 && axis < shape.rank ? shape.dims[axis] : 1;
    follows_ = follows_ && !__builtin_mul_overflow(known, extent > 0 ? extent : own, &known);
  }
  if (std::find(wanted->begin(), wanted->end(), -1) == wanted->end()) return;
  DecideRoundedQuotient(shape.GetNumElements(), known);
}

bool FollowedExtents::PinFrom(Node& node, int first) {
  for (int index = first; index < node.GetProto().input_size(); ++index) {
    const Value* const value = FindInput(node, index);
    if (value != nullptr && !Pin(*value)) return false;
  }
  return true;
}

void FollowedExtents::LookAtSlice(Node& node) {
  follows_ = follows_ && PinFrom(node, 3);
  const TensorShape& shape = FindInput(node, 0)->info.shape;
  // Until operator set 9 the bounds are attributes; those are not looked at.
  const auto starts = FindInts(node, 1);
  const auto ends = FindInts(node, 2);
  auto axes = FindInts(node, 3);
  auto steps = FindInts(node, 4);
  follows_ = follows_ && starts && ends && starts->size() == ends->size();
  if (!follows_) return;
  if (FindInput(node, 3) == nullptr) {
    axes.emplace(starts->size());
    std::iota(axes->begin(), axes->end(), 0);
  }
  if (FindInput(node, 4) == nullptr) steps.emplace(starts->size(), 1);
  follows_ = axes && steps && axes->size() == starts->size() && steps->size() == starts->size();
  for (std::size_t i = 0; follows_ && i < starts->size(); ++i) {
    const std::int64_t axis = (*axes)[i] < 0 ? (*axes)[i] + shape.rank : (*axes)[i];
    follows_ = axis >= 0 && axis < shape.rank;
    if (follows_) DecideSlice((*starts)[i], (*ends)[i], (*steps)[i], shape.dims[axis]);
  }
}

// A bound is counted from the end when it is negative, and is cut off at the ends of the axis. With
// larger steps, the extent is rounded.
void FollowedExtents::DecideSlice(std::int64_t start, std::int64_t end, std::int64_t step,
                                  std::int64_t extent) {
  constexpr std::int64_t kBeyond = std::numeric_limits<std::int32_t>::max();  // any extent
  follows_ = (step == 1 || step == -1) && extent <= kBeyond;
  if (!follows_) return;
  const std::int64_t before = step > 0 ? 0 : -1;
  const auto cut = [&](std::int64_t bound, std::int64_t least) {
    const std::int64_t number = std::clamp(bound, -kBeyond, kBeyond);
    Decide(number, 0);
    Decide(number < 0 ? -number : number, extent);
    return std::min(std::max(number < 0 ? number + extent : number, least), extent + before);
  };
  const std::int64_t first = cut(start, 0);
  Decide(first, cut(end, before));
}

bool FollowedExtents::Pin(const Value& value) {
  if (!IsOfRun(value)) return true;
  const bool is_short = value.is_constant && CountElements(value) <= kMostElements;
  const DataType type = value.info.data_type;
  const bool is_whole = IsListType(type) || type == DataType::kBool;
  if (!is_short || !is_whole || value.is_recalculated) return false;
  const Ints elements = ReadElements<std::int64_t>(value);
  pinned_.insert(pinned_.end(), elements.begin(), elements.end());
  return true;
}

void FollowedExtents::Compare(const Value& a, const Value& b) {
  ForEachPair(ReadElements<std::int64_t>(a), ReadElements<std::int64_t>(b),
              [this](std::int64_t x, std::int64_t y) { Decide(x, y); });
}

void FollowedExtents::Divide(const Value& a, const Value& b) {
  ForEachPair(ReadElements<std::int64_t>(a), ReadElements<std::int64_t>(b),
              [this](std::int64_t x, std::int64_t y) { DecideQuotient(x, y); });
}

// As long as the rest is a polynomial from 0 to less than the divisor, the quotient is one.
void FollowedExtents::DecideQuotient(std::int64_t dividend, std::int64_t divisor) {
  follows_ = follows_ && dividend >= 0 && divisor > 0;
  if (!follows_) return;
  const std::int64_t rest = dividend % divisor;
  Decide(dividend / divisor, -1);
  Decide(rest, -1);
  Decide(divisor, rest);
}

// What is rounded up, or must be whole, also depends on whether there is a rest.
void FollowedExtents::DecideRoundedQuotient(std::int64_t dividend, std::int64_t divisor) {
  DecideQuotient(dividend, divisor);
  if (follows_) Decide(dividend % divisor, 0);
}

void FollowedExtents::Decide(std::int64_t a, std::int64_t b) {
  std::int64_t difference = 0;
  follows_ = follows_ && !__builtin_sub_overflow(a, b, &difference);
  decisions_.push_back(difference);
}

void FollowedExtents::Tell(NetworkStage& stage) const {
  stage.follows_extents = follows_ && stage.steps.empty() && stage.next == nullptr;
  if (!stage.follows_extents) return;
  stage.decisions = decisions_;
  stage.pinned = pinned_;
}

}  // namespace backplane::onnx
