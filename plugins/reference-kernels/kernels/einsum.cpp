#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/einsum_plan.hpp"

#include <algorithm>

namespace backplane {
namespace reference {
namespace {

std::vector<TensorShape> GetShapes(const Layer& layer) {
  std::vector<TensorShape> shapes;
  for (std::uint32_t i = 0; i < layer.num_inputs; ++i) shapes.push_back(layer.Input(i).shape);
  return shapes;
}

/// Null: no problem.
const char* ParseLabels(const Layer& layer, EinsumLabels& labels) {
  std::vector<std::uint32_t> ranks;
  for (std::uint32_t i = 0; i < layer.num_inputs; ++i) ranks.push_back(layer.Input(i).shape.rank);
  EinsumParser parser;
  const char* problem =
      parser.Parse(layer.GetDescriptor<EinsumDescriptor>(), ranks.data(), layer.num_inputs);
  labels = parser.GetLabels();
  return problem;
}

EinsumPlan PlanLayer(const Layer& layer) {
  EinsumLabels labels;
  ParseLabels(layer, labels);
  return *MakeEinsumPlan(labels, GetShapes(layer));
}

template <typename Number>
class EinsumKernel : public Kernel {
 public:
  explicit EinsumKernel(const Layer& layer) : plan_(PlanLayer(layer)) {}

  std::uint64_t GetScratchBytes() const override {
    return static_cast<std::uint64_t>(plan_.scratch_elements) * sizeof(Number);
  }

  void Run(const RunTensors& tensors) const override {
    for (const EinsumStep& step : plan_.steps) {
      if (const auto* sum = std::get_if<EinsumSum>(&step)) {
        SumUp(*sum, GetSource(sum->source, tensors), GetTarget(sum->target, tensors));
      } else {
        const auto& product = std::get<EinsumProduct>(step);
        Multiply(product, GetSource(product.a, tensors), GetSource(product.b, tensors),
                 GetTarget(product.result, tensors));
      }
    }
  }

 private:
  static const Number* GetSource(const EinsumPlace& place, const RunTensors& tensors) {
    if (place.kind == EinsumPlace::Kind::kInput) {
      return tensors.Input<Number>(static_cast<std::uint32_t>(place.position));
    }
    return GetTarget(place, tensors);
  }

  static Number* GetTarget(const EinsumPlace& place, const RunTensors& tensors) {
    if (place.kind == EinsumPlace::Kind::kOutput) return tensors.Output<Number>();
    return tensors.GetScratch<Number>() + place.position;
  }

  static void SumUp(const EinsumSum& sum, const Number* source, Number* target) {
    const EinsumLoop& row = sum.kept.back();
    // Whichever of the innermost loops is contiguous becomes the inner one.
    const bool sums_rows = sum.summed.empty() || sum.summed.back().step_a != 1;
    VisitLoops(sum.kept.data(), sum.kept.size() - 1, [&](std::int64_t begin, std::int64_t) {
      if (sums_rows) {
        AddRows(sum, source + begin, target);
      } else {
        for (std::int64_t i = 0; i < row.extent; ++i) {
          target[i] = GetSum(sum, source + begin + i * row.step_a);
        }
      }
      target += row.extent;
    });
  }

  static void AddRows(const EinsumSum& sum, const Number* source, Number* __restrict target) {
    const EinsumLoop& row = sum.kept.back();
    std::fill_n(target, row.extent, Number{});
    VisitLoops(sum.summed.data(), sum.summed.size(), [&](std::int64_t begin, std::int64_t) {
      const Number* __restrict from = source + begin;
      if (row.step_a == 1) {
        for (std::int64_t i = 0; i < row.extent; ++i) target[i] += from[i];
      } else {
        for (std::int64_t i = 0; i < row.extent; ++i) target[i] += from[i * row.step_a];
      }
    });
  }

  static Number GetSum(const EinsumSum& sum, const Number* source) {
    Number total{};
    const std::int64_t length = sum.summed.back().extent;
    VisitLoops(sum.summed.data(), sum.summed.size() - 1, [&](std::int64_t begin, std::int64_t) {
      for (std::int64_t i = 0; i < length; ++i) total += source[begin + i];
    });
    return total;
  }

  static void Multiply(const EinsumProduct& step, const Number* a, const Number* b,
                       Number* result) {
    const std::int64_t count = step.product.rows * step.product.columns;
    VisitLoops(step.batches.data(), step.batches.size(),
               [&](std::int64_t begin_a, std::int64_t begin_b) {
                 std::fill_n(result, count, Number{});
                 AddMatrixProduct(step.product, a + begin_a, b + begin_b, result);
                 result += count;
               });
  }

  const EinsumPlan plan_;
};

/// Extents of axes that run together must be equal or, in different operands, 1.
void CheckExtents(const Layer& layer, const EinsumLabels& labels, Refusal& refusal) {
  std::vector<std::int64_t> extents(labels.num_labels, 1);
  for (std::uint32_t i = 0; i < layer.num_inputs; ++i) {
    const TensorShape& shape = layer.Input(i).shape;
    std::vector<std::int64_t> own(labels.num_labels, -1);
    for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
      const std::uint8_t label = labels.operands[i][axis];
      const std::int64_t extent = shape[axis];
      const bool fits = (own[label] == -1 || own[label] == extent) &&
                        (extent == 1 || extents[label] == 1 || extents[label] == extent);
      if (!fits) {
        refusal.Add("axis ", axis, " of input ", i, " has extent ", extent,
                    ", which differs from another axis with the same letter");
        return;
      }
      own[label] = extent;
      if (extent != 1) extents[label] = extent;
    }
  }
  TensorShape expected;
  for (std::uint32_t axis = 0; axis < labels.output_rank; ++axis) expected.Append(extents[axis]);
  RequireOutputShape(layer, expected, refusal);
}

}  // namespace

std::string FindRefusalOfEinsum(const Layer& layer) {
  Refusal refusal;
  RequireNumbers(layer, refusal);
  EinsumLabels labels;
  if (const char* problem = ParseLabels(layer, labels)) refusal.Add("the equation ", problem);
  if (!refusal.IsEmpty()) return refusal.GetReason();
  CheckExtents(layer, labels, refusal);
  if (refusal.IsEmpty() && !MakeEinsumPlan(labels, GetShapes(layer))) {
    refusal.Add("an intermediate result has too many elements");
  }
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeEinsum(const Layer& layer) {
  return MakeRingKernel<EinsumKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
