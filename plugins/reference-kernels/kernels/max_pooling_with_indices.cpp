#include "cpu_layers/pooling_window.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/extremes.hpp"
#include "kernels/window_elements.hpp"

#include <backplane/api/descriptors/max_pooling_with_indices.hpp>

#include <limits>

namespace backplane {
namespace reference {
namespace {

/// Of a window that lies in the padding alone.
constexpr std::int64_t kNoIndex = -1;

/// Of equal elements, and of those that are NaN, the first in memory is taken.
template <typename Number>
class MaxPoolingWithIndicesKernel : public Kernel {
 public:
  explicit MaxPoolingWithIndicesKernel(const Layer& layer)
      : index_order_(layer.GetDescriptor<MaxPoolingWithIndicesDescriptor>().index_order),
        window_(MakePoolingWindow(layer, layer.GetDescriptor<MaxPoolingWithIndicesDescriptor>())),
        num_planes_(layer.Input(0).shape[0] * layer.Input(0).shape[1]) {}

  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    Number* maxima = tensors.Output<Number>(0);
    auto* indices = tensors.Output<std::int64_t>(1);
    VisitOutputs(window_, num_planes_,
                 [&](std::int64_t plane, std::int64_t d, std::int64_t h, std::int64_t w) {
                   const std::int64_t place = FindGreatest(input + plane, d, h, w);
                   const bool is_none = place == kNoIndex;
                   *maxima++ = is_none ? kLeast : input[plane + place];
                   *indices++ = is_none ? kNoIndex : plane + NumberElement(place);
                 });
  }

 private:
  static constexpr Number kLeast = std::numeric_limits<Number>::has_infinity
                                       ? -std::numeric_limits<Number>::infinity()
                                       : std::numeric_limits<Number>::lowest();

  std::int64_t FindGreatest(const Number* plane, std::int64_t d, std::int64_t h,
                            std::int64_t w) const {
    std::int64_t place = kNoIndex;
    VisitElementsUnder(window_, d, h, w, [&](std::int64_t element) {
      if (place == kNoIndex || IsGreaterOrNaN()(plane[element], plane[place])) place = element;
    });
    return place;
  }

  std::int64_t NumberElement(std::int64_t place) const {
    if (index_order_ == IndexOrder::kRowMajor) return place;
    const std::int64_t w = place % window_[2].input;
    const std::int64_t row = place / window_[2].input;
    const std::int64_t h = row % window_[1].input;
    const std::int64_t d = row / window_[1].input;
    return (w * window_[1].input + h) * window_[0].input + d;
  }

  const IndexOrder index_order_;
  const Window window_;
  const std::int64_t num_planes_;
};

}  // namespace

std::string FindRefusalOfMaxPoolingWithIndices(const Layer& layer) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<MaxPoolingWithIndicesDescriptor>();
  RequireNumbers(layer, refusal, {{}, {TensorRole::kValue, TensorRole::kInt64}});
  if (descriptor.index_order != IndexOrder::kRowMajor &&
      descriptor.index_order != IndexOrder::kColumnMajor) {
    refusal.Add("index order ", static_cast<std::uint32_t>(descriptor.index_order),
                " is not supported, only RowMajor (1) and ColumnMajor (2)");
  }
  CheckPooling(layer, descriptor, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeMaxPoolingWithIndices(const Layer& layer) {
  return MakeNumberKernel<MaxPoolingWithIndicesKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
