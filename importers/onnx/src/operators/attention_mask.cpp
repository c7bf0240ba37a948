#include "operators/attention_mask.hpp"

#include "operators/calculated_constant.hpp"
#include "operators/element_layers.hpp"
#include "operators/movement_layers.hpp"
#include "tensors/shape.hpp"

#include <limits>
#include <string>
#include <vector>

namespace backplane::onnx {
namespace {

constexpr double kHidden = -std::numeric_limits<double>::infinity();

bool IsBounded(const AttentionWindow& window) {
  return window.left || window.right;
}

/// A window that is known, as a mask [queries, keys].
struct KnownWindow {
  std::vector<unsigned char> allowed;
  bool hides_some = false;
  bool hides_all = false;  // of the keys from some query
};

KnownWindow ComputeWindow(const AttentionWindow& window, std::int64_t queries, std::int64_t keys) {
  KnownWindow known;
  for (std::int64_t query = 0; query < queries; ++query) {
    const std::int64_t place = query + window.offset;
    bool sees_any = false;
    for (std::int64_t key = 0; key < keys; ++key) {
      const bool is_allowed = (!window.left || place - key <= *window.left) &&
                              (!window.right || key - place <= *window.right);
      known.allowed.push_back(is_allowed ? 1 : 0);
      known.hides_some = known.hides_some || !is_allowed;
      sees_any = sees_any || is_allowed;
    }
    known.hides_all = known.hides_all || !sees_any;
  }
  return known;
}

void CheckWindowMemory(Node& node, std::int64_t queries, std::int64_t keys,
                       std::int64_t element_bytes) {
  std::uint64_t count = 0;
  std::uint64_t size = 0;
  if (!__builtin_mul_overflow(queries, keys, &count) &&
      !__builtin_mul_overflow(count, element_bytes, &size) && node.TakeMemory(size)) {
    return;
  }
  node.RefuseAsUnsupported("it hides keys of " + std::to_string(keys) + " from " +
                           std::to_string(queries) +
                           " queries; that is too much for a mask that is a constant");
}

OutputSlot AddBoth(Node& node, OutputSlot a, OutputSlot b, const std::string& suffix) {
  LogicalBinaryDescriptor descriptor;
  descriptor.operation = LogicalOperation::kAnd;
  return node.AddLayer<LayerType::kLogicalBinary>(descriptor, {a, b}, suffix);
}

/// Comparisons of keys, of which all have to hold.
class KeyBounds {
 public:
  KeyBounds(Node& node, std::int64_t num_keys)
      : node_(node), keys_(AddCounting(node, 0, {num_keys}, "/keys")) {}

  void Add(ComparisonOperation operation, OutputSlot limit, const std::string& suffix) {
    const OutputSlot holds = AddComparison(node_, operation, keys_, limit, suffix);
    allowed_ = allowed_ ? AddBoth(node_, *allowed_, holds, suffix + "/allowed") : holds;
  }

  OutputSlot GetAllowed() const { return *allowed_; }

 private:
  Node& node_;
  OutputSlot keys_;
  std::optional<OutputSlot> allowed_;
};

// Of entries of the batch with different numbers of keys: [batch, 1, 1 or queries, keys].
OutputSlot AddComputedWindow(Node& node, const AttentionWindow& window, const TensorShape& scores) {
  const std::int64_t queries = scores[2];
  CheckWindowMemory(node, 1, scores[3], sizeof(std::int64_t));
  CheckWindowMemory(node, queries, 1, sizeof(std::int64_t));
  const OutputSlot num_keys = node.AddReshape(*window.num_keys, {scores[0], 1, 1, 1}, "/num_keys");
  KeyBounds bounds(node, scores[3]);
  // The last query is the last key: what ends there ends before the padding.
  if (!window.right || *window.right > 0) {
    bounds.Add(ComparisonOperation::kLess, num_keys, "/is_there");
  }
  if (!IsBounded(window)) return bounds.GetAllowed();
  const OutputSlot from_last = AddCounting(node, -queries, {queries, 1}, "/from_last");
  const OutputSlot places = AddBinary(node, BinaryOperation::kAdd, num_keys, from_last, "/places");
  const auto add_limit = [&](std::int64_t distance, const std::string& suffix) {
    const auto number = static_cast<double>(distance);
    return AddNumber(node, BinaryOperation::kAdd, places, number, suffix);
  };
  if (window.left) {
    bounds.Add(ComparisonOperation::kGreaterOrEqual, add_limit(-*window.left, "/left/limit"),
               "/left");
  }
  if (window.right) {
    bounds.Add(ComparisonOperation::kLessOrEqual, add_limit(*window.right, "/right/limit"),
               "/right");
  }
  return bounds.GetAllowed();
}

// A mask for fewer keys hides the others.
OutputSlot AddMissingKeys(Node& node, OutputSlot mask, std::int64_t num_keys) {
  TensorShape shape = node.GetInfo(mask).shape;
  const std::uint32_t last = shape.rank - 1;
  if (shape[last] >= num_keys) return mask;
  shape[last] = num_keys - shape[last];
  const DataType type = node.GetInfo(mask).data_type;
  const double hidden = type == DataType::kBool ? 0.0 : kHidden;
  const OutputSlot value = node.AddScalar(hidden, type, "/mask/hidden");
  return AddConcat(node, {mask, AddExpand(node, value, shape, "/mask/missing")}, last, "/mask/all");
}

OutputSlot GetMask(Node& node, std::size_t index, const TensorShape& scores, DataType type) {
  const TensorShape& found = node.GetInputShape(index);
  OutputSlot mask = node.GetInput(index);
  if (found.rank > 0) {
    if (node.GetInputInfo(index).data_type != DataType::kBool) {
      mask = AddCast(node, mask, type, "/mask/cast");
    }
    mask = AddMissingKeys(node, mask, scores[3]);
    if (BroadcastsTo(node.GetInfo(mask).shape, scores)) return mask;
  }
  node.RefuseAsInvalid("its mask is " + ToText(found) + "; a shape that broadcasts to " +
                       ToText(scores) + " is expected");
}

OutputSlot AddGreatestOfKeys(Node& node, OutputSlot mask, const std::string& suffix) {
  ReduceDescriptor descriptor;
  descriptor.operation = ReduceOperation::kMaximum;
  descriptor.keep_dims = 1;
  descriptor.num_axes = 1;
  descriptor.axes[0] = node.GetInfo(mask).shape.rank - 1;
  return node.AddLayer<LayerType::kReduce>(descriptor, {mask}, suffix);
}

OutputSlot AddSeesAny(Node& node, const AttentionMask& mask) {
  if (mask.allowed) {
    const OutputSlot numbers = AddCast(node, *mask.allowed, DataType::kFloat32, "/seen");
    const OutputSlot greatest = AddGreatestOfKeys(node, numbers, "/seen/greatest");
    return AddCast(node, greatest, DataType::kBool, "/sees_any");
  }
  const OutputSlot greatest = AddGreatestOfKeys(node, *mask.added, "/seen/greatest");
  const OutputSlot hidden =
      node.AddScalar(kHidden, node.GetInfo(greatest).data_type, "/seen/hidden");
  return AddComparison(node, ComparisonOperation::kGreater, greatest, hidden, "/sees_any");
}

// The window of the node; nothing when it hides no key. Sets whether a query may see none.
std::optional<OutputSlot> AddWindow(Node& node, const AttentionWindow& window,
                                    const TensorShape& scores, bool* may_hide_all) {
  if (window.num_keys) {
    *may_hide_all = true;
    return AddComputedWindow(node, window, scores);
  }
  if (!IsBounded(window)) return {};
  CheckWindowMemory(node, scores[2], scores[3], 1);
  const KnownWindow known = ComputeWindow(window, scores[2], scores[3]);
  if (!known.hides_some) return {};
  *may_hide_all = known.hides_all;
  return node.AddConstant({{scores[2], scores[3]}, DataType::kBool}, known.allowed.data(),
                          "/window");
}

OutputSlot AddChoice(Node& node, OutputSlot condition, OutputSlot value, double otherwise,
                     const std::string& suffix) {
  const OutputSlot other =
      node.AddScalar(otherwise, node.GetInfo(value).data_type, suffix + "/otherwise");
  return node.AddLayer<LayerType::kWhere>({}, {condition, value, other}, suffix);
}

}  // namespace

AttentionMask AddAttentionMask(Node& node, std::size_t index, const AttentionWindow& window,
                               const TensorShape& scores, DataType type) {
  AttentionMask mask;
  bool may_hide_all = false;
  mask.allowed = AddWindow(node, window, scores, &may_hide_all);
  if (node.HasInput(index)) {
    may_hide_all = true;
    const OutputSlot stated = GetMask(node, index, scores, type);
    if (node.GetInfo(stated).data_type != DataType::kBool) {
      mask.added = mask.allowed ? AddChoice(node, *mask.allowed, stated, kHidden, "/mask") : stated;
      mask.allowed.reset();
    } else if (mask.allowed) {
      mask.allowed = AddBoth(node, stated, *mask.allowed, "/mask");
    } else {
      mask.allowed = stated;
    }
  }
  if (may_hide_all) mask.sees_any = AddSeesAny(node, mask);
  return mask;
}

OutputSlot ApplyMask(Node& node, const AttentionMask& mask, OutputSlot scores) {
  if (mask.added) {
    return AddBinary(node, BinaryOperation::kAdd, scores, *mask.added, "/masked");
  }
  return mask.allowed ? AddChoice(node, *mask.allowed, scores, kHidden, "/masked") : scores;
}

OutputSlot ClearUnseeing(Node& node, const AttentionMask& mask, OutputSlot result,
                         const std::string& suffix) {
  return mask.sees_any ? AddChoice(node, *mask.sees_any, result, 0.0, suffix) : result;
}

}  // namespace backplane::onnx
