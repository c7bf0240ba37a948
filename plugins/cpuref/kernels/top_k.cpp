#include "cpu_layers/axis_span.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/extremes.hpp"

#include <backplane/api/descriptors/top_k.hpp>

#include <utility>

namespace backplane {
namespace cpuref {
namespace {

/// A heap of indices at steps in memory, the one that comes last on top.
template <typename ComesBefore>
class IndexHeap {
 public:
  IndexHeap(std::int64_t* indices, std::int64_t step, ComesBefore comes_before)
      : indices_(indices), step_(step), comes_before_(comes_before) {}

  std::int64_t& operator[](std::int64_t position) const { return indices_[position * step_]; }

  /// Restores the heap of `size` indices in which only the one at `position` may come too early.
  void Sink(std::int64_t position, std::int64_t size) const {
    for (std::int64_t child = 2 * position + 1; child < size; child = 2 * position + 1) {
      if (child + 1 < size && comes_before_((*this)[child], (*this)[child + 1])) ++child;
      if (!comes_before_((*this)[position], (*this)[child])) return;
      std::swap((*this)[position], (*this)[child]);
      position = child;
    }
  }

  void Build(std::int64_t size) const {
    for (std::int64_t position = size / 2; position-- > 0;) Sink(position, size);
  }

  /// Afterwards the one that comes first is at 0.
  void Sort(std::int64_t size) const {
    for (std::int64_t last = size - 1; last > 0; --last) {
      std::swap((*this)[0], (*this)[last]);
      Sink(0, last);
    }
  }

 private:
  std::int64_t* const indices_;
  const std::int64_t step_;
  const ComesBefore comes_before_;
};

/// The k best so far are kept in the output itself. They are sorted whether asked for or not.
template <typename Number>
class TopKKernel : public Kernel {
 public:
  explicit TopKKernel(const Layer& layer)
      : descriptor_(layer.GetDescriptor<TopKDescriptor>()),
        span_(MakeAxisSpan(layer.Input(0).shape, descriptor_.axis)) {}

  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    Number* values = tensors.Output<Number>(0);
    auto* indices = tensors.Output<std::int64_t>(1);
    for (std::int64_t outer = 0; outer < span_.outer; ++outer) {
      for (std::int64_t inner = 0; inner < span_.inner; ++inner) {
        const std::int64_t first = outer * descriptor_.k * span_.inner + inner;
        Choose(input + outer * span_.extent * span_.inner + inner, values + first, indices + first);
      }
    }
  }

 private:
  void Choose(const Number* input, Number* values, std::int64_t* indices) const {
    if (descriptor_.largest != 0) {
      ChooseBy(input, values, indices, IsGreaterOrNaN());
    } else {
      ChooseBy(input, values, indices, [](Number a, Number b) { return IsGreaterOrNaN()(b, a); });
    }
  }

  template <typename IsBetter>
  void ChooseBy(const Number* input, Number* values, std::int64_t* indices,
                IsBetter is_better) const {
    const std::int64_t step = span_.inner;
    const auto comes_before = [&](std::int64_t a, std::int64_t b) {
      const Number value_a = input[a * step];
      const Number value_b = input[b * step];
      return is_better(value_a, value_b) || (a < b && !is_better(value_b, value_a));
    };
    const IndexHeap heap(indices, step, comes_before);
    const std::int64_t size = descriptor_.k;
    for (std::int64_t i = 0; i < size; ++i) heap[i] = i;
    heap.Build(size);
    for (std::int64_t i = size; i < span_.extent; ++i) {
      if (!comes_before(i, heap[0])) continue;
      heap[0] = i;
      heap.Sink(0, size);
    }
    heap.Sort(size);
    for (std::int64_t i = 0; i < size; ++i) values[i * step] = input[heap[i] * step];
  }

  const TopKDescriptor descriptor_;
  const AxisSpan span_;
};

}  // namespace

std::string FindRefusalOfTopK(const Layer& layer) {
  Refusal refusal;
  RequireNumbers(layer, refusal, {{}, {TensorRole::kValue, TensorRole::kInt64}});
  const auto descriptor = layer.GetDescriptor<TopKDescriptor>();
  TensorShape shape = layer.Input(0).shape;
  RequireAxis(layer, descriptor.axis, refusal);
  RequireFlag("largest", descriptor.largest, refusal);
  RequireFlag("is_sorted", descriptor.is_sorted, refusal);
  if (!refusal.IsEmpty()) return refusal.GetReason();
  std::int64_t& extent = shape[descriptor.axis];
  if (descriptor.k < 0 || descriptor.k > extent) {
    refusal.Add("k is ", descriptor.k, ", but must be 0 to ", extent, ", the extent of axis ",
                descriptor.axis);
  }
  extent = descriptor.k;
  RequireOutputShape(layer, shape, refusal, 0);
  RequireOutputShape(layer, shape, refusal, 1);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeTopK(const Layer& layer) {
  return MakeNumberKernel<TopKKernel>(layer);
}

}  // namespace cpuref
}  // namespace backplane
