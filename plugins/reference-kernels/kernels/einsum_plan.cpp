#include "kernels/einsum_plan.hpp"

#include <algorithm>
#include <utility>

namespace backplane {
namespace reference {
namespace {

using Labels = std::vector<std::uint8_t>;

struct LabelledAxis {
  std::uint8_t label;
  std::int64_t extent;
  std::int64_t step;
};

/// A tensor with an index for each axis; none has extent 1, and no label is there twice.
struct LabelledTensor {
  const LabelledAxis* Find(std::uint8_t label) const {
    const auto found = std::find_if(axes.begin(), axes.end(), [label](const LabelledAxis& axis) {
      return axis.label == label;
    });
    return found == axes.end() ? nullptr : &*found;
  }
  bool Has(std::uint8_t label) const { return Find(label) != nullptr; }

  EinsumPlace place;
  std::vector<LabelledAxis> axes;
};

/// Axes of extent 1 are left out: their index is always 0, so that nothing needs to broadcast. Axes
/// with one label become the diagonal.
LabelledTensor MakeOperand(const EinsumLabels& labels, std::size_t number,
                           const TensorShape& shape) {
  LabelledTensor tensor;
  tensor.place = {EinsumPlace::Kind::kInput, static_cast<std::int64_t>(number)};
  std::int64_t step = 1;
  for (std::uint32_t axis = shape.rank; axis-- > 0; step *= shape[axis]) {
    if (shape[axis] == 1) continue;
    const std::uint8_t label = labels.operands[number][axis];
    const auto same = std::find_if(tensor.axes.begin(), tensor.axes.end(),
                                   [&](const LabelledAxis& other) { return other.label == label; });
    if (same != tensor.axes.end()) {
      same->step += step;
    } else {
      tensor.axes.insert(tensor.axes.begin(), {label, shape[axis], step});
    }
  }
  return tensor;
}

/// The one step with which all combinations of these indices are passed; nothing when there is
/// none.
std::optional<std::int64_t> FindStep(const LabelledTensor& tensor, const Labels& labels) {
  std::optional<std::int64_t> step;
  std::int64_t span = 1;
  for (std::size_t i = labels.size(); i-- > 0;) {
    const LabelledAxis& axis = *tensor.Find(labels[i]);
    if (!step) {
      step = axis.step;
    } else if (axis.step != *step * span) {
      return {};
    }
    span *= axis.extent;
  }
  return step.value_or(0);
}

std::int64_t CountLabelled(const LabelledTensor& tensor, const Labels& labels) {
  std::int64_t count = 1;
  for (const std::uint8_t label : labels) count *= tensor.Find(label)->extent;
  return count;
}

Labels Join(const Labels& a, const Labels& b, const Labels& c) {
  Labels all = a;
  all.insert(all.end(), b.begin(), b.end());
  all.insert(all.end(), c.begin(), c.end());
  return all;
}

class Planner {
 public:
  Planner(const EinsumLabels& labels, const std::vector<TensorShape>& shapes) : labels_(labels) {
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      operands_.push_back(MakeOperand(labels, i, shapes[i]));
    }
  }

  std::optional<EinsumPlan> Make() {
    LabelledTensor result = operands_[0];
    for (std::size_t next = 1; next < operands_.size() && fits_; ++next) {
      SumUp(result, operands_[next], next);
      SumUp(operands_[next], result, next);
      result = Multiply(result, operands_[next], next);
    }
    if (fits_ && result.place.kind != EinsumPlace::Kind::kOutput) {
      const EinsumPlace output = {EinsumPlace::Kind::kOutput, 0};
      AddSum(result, GetOutputLabels(result), output);
    }
    if (!fits_) return {};
    return std::move(plan_);
  }

 private:
  /// Whether the index is in the output or in an operand behind `next`.
  bool IsNeeded(std::uint8_t label, std::size_t next) const {
    return label < labels_.output_rank ||
           std::any_of(operands_.begin() + static_cast<std::ptrdiff_t>(next) + 1, operands_.end(),
                       [label](const LabelledTensor& operand) { return operand.Has(label); });
  }

  Labels GetOutputLabels(const LabelledTensor& result) const {
    Labels labels;
    for (const LabelledAxis& axis : result.axes) {
      if (axis.label < labels_.output_rank) labels.push_back(axis.label);
    }
    std::sort(labels.begin(), labels.end());
    return labels;
  }

  /// Takes the indices out of `tensor` that nothing else has.
  void SumUp(LabelledTensor& tensor, const LabelledTensor& other, std::size_t next) {
    Labels kept;
    for (const LabelledAxis& axis : tensor.axes) {
      if (other.Has(axis.label) || IsNeeded(axis.label, next)) kept.push_back(axis.label);
    }
    if (kept.size() < tensor.axes.size()) tensor = AddSum(tensor, kept, {});
  }

  /// A dense tensor with these indices, in this order; in scratch memory unless `target` is
  /// the output.
  LabelledTensor AddSum(const LabelledTensor& tensor, const Labels& kept, EinsumPlace target) {
    EinsumSum sum;
    sum.source = tensor.place;
    for (const LabelledAxis& axis : tensor.axes) {
      if (!IsOneOf(axis.label, kept)) sum.summed.push_back({axis.extent, axis.step, 0});
    }
    for (const std::uint8_t label : kept) {
      const LabelledAxis& axis = *tensor.Find(label);
      sum.kept.push_back({axis.extent, axis.step, 0});
    }
    if (sum.kept.empty()) sum.kept.push_back({1, 0, 0});
    const LabelledTensor result = MakeDense(sum.kept, kept, target);
    sum.target = result.place;
    plan_.steps.emplace_back(std::move(sum));
    return result;
  }

  /// What the indices of two operands are to their product.
  struct Roles {
    Labels batch;
    Labels rows;
    Labels inner;
    Labels columns;
  };

  Roles FindRoles(const LabelledTensor& a, const LabelledTensor& b, std::size_t next) const {
    Roles roles;
    for (const LabelledAxis& axis : a.axes) {
      if (!b.Has(axis.label)) {
        roles.rows.push_back(axis.label);
      } else {
        (IsNeeded(axis.label, next) ? roles.batch : roles.inner).push_back(axis.label);
      }
    }
    for (const LabelledAxis& axis : b.axes) {
      if (!a.Has(axis.label)) roles.columns.push_back(axis.label);
    }
    return roles;
  }

  /// The product with the next operand. Operands whose matrices have no steps of their own are
  /// copied first.
  LabelledTensor Multiply(LabelledTensor a, LabelledTensor b, std::size_t next) {
    const Roles roles = FindRoles(a, b, next);
    if (!FindStep(a, roles.rows) || !FindStep(a, roles.inner)) {
      a = AddSum(a, Join(roles.batch, roles.rows, roles.inner), {});
    }
    if (!FindStep(b, roles.inner) || !FindStep(b, roles.columns)) {
      b = AddSum(b, Join(roles.batch, roles.inner, roles.columns), {});
    }
    const bool is_last = next + 1 == operands_.size();
    return AddProduct(a, b, roles, is_last);
  }

  LabelledTensor AddProduct(const LabelledTensor& a, const LabelledTensor& b, const Roles& roles,
                            bool is_last) {
    EinsumProduct step;
    step.a = a.place;
    step.b = b.place;
    step.product.rows = CountLabelled(a, roles.rows);
    step.product.inner = CountLabelled(a, roles.inner);
    step.product.columns = CountLabelled(b, roles.columns);
    step.product.a = {GetStep(a, roles.rows), GetStep(a, roles.inner)};
    step.product.b = {GetStep(b, roles.inner), GetStep(b, roles.columns)};
    for (const std::uint8_t label : roles.batch) {
      step.batches.push_back({a.Find(label)->extent, a.Find(label)->step, b.Find(label)->step});
    }
    EinsumLoops loops = step.batches;
    for (const std::uint8_t label : roles.rows) loops.push_back({a.Find(label)->extent, 0, 0});
    for (const std::uint8_t label : roles.columns) loops.push_back({b.Find(label)->extent, 0, 0});
    const Labels order = Join(roles.batch, roles.rows, roles.columns);
    EinsumPlace place;
    if (is_last && std::is_sorted(order.begin(), order.end())) {
      place.kind = EinsumPlace::Kind::kOutput;
    }
    const LabelledTensor result = MakeDense(loops, order, place);
    step.result = result.place;
    plan_.steps.emplace_back(std::move(step));
    return result;
  }

  /// 0 in a plan that has been given up.
  static std::int64_t GetStep(const LabelledTensor& tensor, const Labels& labels) {
    return FindStep(tensor, labels).value_or(0);
  }

  /// With the extents of the loops; reserves scratch memory unless it is the output.
  LabelledTensor MakeDense(const EinsumLoops& loops, const Labels& labels, EinsumPlace place) {
    LabelledTensor tensor;
    std::int64_t count = 1;
    for (std::size_t i = labels.size(); i-- > 0;) {
      tensor.axes.insert(tensor.axes.begin(), {labels[i], loops[i].extent, count});
      // Far below what could overflow once it is multiplied by the size of an element.
      constexpr std::int64_t kMost = std::int64_t{1} << 50U;
      if (__builtin_mul_overflow(count, loops[i].extent, &count) || count > kMost) {
        fits_ = false;
        count = 0;
      }
    }
    if (place.kind != EinsumPlace::Kind::kOutput) {
      place = {EinsumPlace::Kind::kScratch, plan_.scratch_elements};
      plan_.scratch_elements += count;
    }
    tensor.place = place;
    return tensor;
  }

  static bool IsOneOf(std::uint8_t label, const Labels& labels) {
    return std::find(labels.begin(), labels.end(), label) != labels.end();
  }

  const EinsumLabels& labels_;
  std::vector<LabelledTensor> operands_;
  EinsumPlan plan_;
  bool fits_ = true;
};

}  // namespace

std::optional<EinsumPlan> MakeEinsumPlan(const EinsumLabels& labels,
                                         const std::vector<TensorShape>& operands) {
  return Planner(labels, operands).Make();
}

}  // namespace reference
}  // namespace backplane
