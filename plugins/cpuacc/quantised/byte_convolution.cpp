#include "quantised/byte_convolution.hpp"

#include "memory/aligned_memory.hpp"
#include "quantised/byte_geometry.hpp"
#include "quantised/quantised_types.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// Panels of filters, of all groups in a row.
struct PanelRange {
  std::int64_t begin;
  std::int64_t end;
};

class ByteConvolutionKernel : public Kernel {
 public:
  /// Null: `packed`, when the weights are known only in the run.
  ByteConvolutionKernel(const KernelMaker& maker, QuantisedConvolution convolution,
                        cpu_layers::Requantisation requantisation,
                        std::optional<ZeroPointInputs> unknown, std::shared_ptr<const void> packed)
      : convolution_(std::move(convolution)),
        requantisation_(std::move(requantisation)),
        geometry_(convolution_.dims),
        unknown_(std::move(unknown)),
        packed_(std::move(packed)),
        has_bias_(HasBias(maker.GetNode())),
        num_threads_(maker.GetNumThreads()),
        input_{GetSignBit(maker.GetInput(0).info), requantisation_.input_zero_point},
        least_(-GetSignBit(maker.GetOutput().info)),
        multipliers_(FillUpPanels(requantisation_.multipliers)) {}

  std::uint64_t GetScratchBytes() const override {
    const std::uint64_t strips = static_cast<std::uint64_t>(num_threads_) * GetStripBytes();
    return GetBiasBytes() + (packed_ ? 0 : GetZeroPointBytes() + GetWeightBytes()) + strips;
  }

  void Run(const KernelRun& run) const override {
    auto* scratch = run.GetScratch<unsigned char>();
    Task task;
    task.run = &run;
    task.input = input_;
    if (unknown_) task.input.zero_point = unknown_->elements.Read(run, 0);
    task.bias = PrepareBias(run, reinterpret_cast<std::int32_t*>(scratch));
    scratch += GetBiasBytes();
    task.weights = static_cast<const std::int16_t*>(packed_.get());
    if (!packed_) {
      const std::int32_t* zero_points =
          FindZeroPoints(run, reinterpret_cast<std::int32_t*>(scratch));
      scratch += GetZeroPointBytes();
      auto* weights = reinterpret_cast<std::int16_t*>(scratch);
      PackByteWeights(convolution_, geometry_, zero_points, run.inputs[1], weights);
      task.weights = weights;
      scratch += GetWeightBytes();
    }
    const Threads threads = run.threads.AtMost(num_threads_);
    const std::int64_t pieces = CountPieces(threads.GetCount());
    ParallelForPieces(threads, geometry_.CountStrips() * pieces, 1,
                      [&](std::int64_t slot, std::int64_t begin, std::int64_t end) {
                        auto* elements = reinterpret_cast<std::int16_t*>(
                            scratch + static_cast<std::uint64_t>(slot) * GetStripBytes());
                        for (auto index = begin; index < end && !threads.AreStopped(); ++index) {
                          const std::int64_t panels = geometry_.CountPanels();
                          const std::int64_t piece = index % pieces;
                          RunStrip(task, geometry_.FindStrip(index / pieces),
                                   {panels * piece / pieces, panels * (piece + 1) / pieces},
                                   elements);
                        }
                      });
  }

 private:
  /// All strips of a run have this in common.
  struct Task {
    const KernelRun* run;
    ByteType input;
    const std::int32_t* bias;
    const std::int16_t* weights;
  };

  std::int64_t CountFilters() const { return geometry_.groups * geometry_.filters; }

  // Panels of each group are filled up, and read so.

  std::int64_t FindFirstOfPanel(std::int64_t panel) const {
    if (geometry_.has_own_channels) return panel * kByteFilters;
    return panel / geometry_.panels * geometry_.filters + panel % geometry_.panels * kByteFilters;
  }
  std::size_t CountFilledUp() const {
    return static_cast<std::size_t>(CountFilters() + kByteFilters);
  }
  std::vector<float> FillUpPanels(std::vector<float> values) const {
    values.resize(CountFilledUp(), 1.0F);
    return values;
  }

  std::uint64_t GetBiasBytes() const { return RoundUp(CountFilledUp() * sizeof(std::int32_t)); }
  std::uint64_t GetZeroPointBytes() const {
    return RoundUp(static_cast<std::uint64_t>(CountFilters()) * sizeof(std::int32_t));
  }
  std::uint64_t GetWeightBytes() const {
    return RoundUp(static_cast<std::uint64_t>(geometry_.CountWeights()) * sizeof(std::int16_t));
  }
  std::uint64_t GetStripBytes() const {
    return RoundUp(static_cast<std::uint64_t>(geometry_.CountElementsOfStrip()) *
                   sizeof(std::int16_t));
  }

  const std::int32_t* FindZeroPoints(const KernelRun& run, std::int32_t* scratch) const {
    if (!unknown_) return requantisation_.zero_points.data();
    for (std::int64_t i = 0; i < CountFilters(); ++i) scratch[i] = unknown_->weights.Read(run, i);
    return scratch;
  }

  const std::int32_t* PrepareBias(const KernelRun& run, std::int32_t* bias) const {
    std::fill_n(bias, CountFilledUp(), 0);
    if (has_bias_) {
      std::memcpy(bias, run.inputs[2],
                  static_cast<std::size_t>(CountFilters()) * sizeof(std::int32_t));
    }
    return bias;
  }

  /// The filters are cut into so many pieces that all threads have something to do.
  std::int64_t CountPieces(int num_threads) const {
    const std::int64_t strips = std::max<std::int64_t>(1, geometry_.CountStrips());
    return strips >= num_threads
               ? 1
               : std::min((num_threads + strips - 1) / strips, geometry_.CountPanels());
  }

  void RunStrip(const Task& task, const ByteStrip& strip, PanelRange panels,
                std::int16_t* elements) const {
    PrepareStrip(geometry_, strip, task.input, task.run->Input<unsigned char>(0), elements);
    BytePlaces places;
    places.elements = elements;
    places.num_lines = strip.num_lines;
    places.num_places = geometry_.axes[2].output;
    places.line_step = geometry_.axes[1].stride * geometry_.line_step;
    places.place_step = geometry_.axes[2].stride * geometry_.place_step;
    if (geometry_.has_own_channels) {
      MultiplyChannels(task, strip, panels, places);
    } else {
      Multiply(task, strip, panels, places);
    }
  }

  void MultiplyChannels(const Task& task, const ByteStrip& strip, PanelRange panels,
                        const BytePlaces& places) const {
    const std::int64_t first = panels.begin * kByteFilters;
    ByteChannels product;
    product.places = places;
    product.places.elements += first;
    product.taps = geometry_.runs.data();
    product.num_taps = static_cast<std::int64_t>(geometry_.runs.size());
    product.weights = task.weights + first;
    product.weight_step = geometry_.place_step;
    product.result =
        MakeResult(task, strip, first, std::min(CountFilters(), panels.end * kByteFilters) - first);
    functions_.multiply_channels(product);
  }

  void Multiply(const Task& task, const ByteStrip& strip, PanelRange panels,
                const BytePlaces& places) const {
    ByteProduct product;
    product.runs = geometry_.runs.data();
    product.num_runs = static_cast<std::int64_t>(geometry_.runs.size());
    product.num_pairs = geometry_.run_size / 2;
    const std::int64_t of_panel = kByteFilters * product.num_runs * geometry_.run_size;
    while (panels.begin < panels.end) {
      const std::int64_t group = panels.begin / geometry_.panels;
      const std::int64_t end = std::min(panels.end, (group + 1) * geometry_.panels);
      const std::int64_t first = FindFirstOfPanel(panels.begin);
      const std::int64_t wanted = (end - panels.begin) * kByteFilters;
      product.places = places;
      product.places.elements += group * geometry_.group_step;
      product.weights = task.weights + panels.begin * of_panel;
      product.result =
          MakeResult(task, strip, first, std::min(wanted, (group + 1) * geometry_.filters - first));
      functions_.multiply(product);
      panels.begin = end;
    }
  }

  ByteResult MakeResult(const Task& task, const ByteStrip& strip, std::int64_t first_filter,
                        std::int64_t num_filters) const {
    const auto& axes = geometry_.axes;
    const std::int64_t line =
        (strip.image * axes[0].output + strip.slice) * axes[1].output + strip.first_line;
    ByteResult result;
    result.bias = task.bias + first_filter;
    result.multipliers = multipliers_.data() + first_filter;
    result.zero_point = requantisation_.output_zero_point;
    result.least = static_cast<float>(least_ - result.zero_point);
    result.most = static_cast<float>(least_ + 255 - result.zero_point);
    result.place_step = CountFilters();
    const std::int64_t first = line * axes[2].output * result.place_step + first_filter;
    if (convolution_.output_type == DataType::kInt32) {
      result.sums = task.run->Output<std::int32_t>() + first;
    } else if (convolution_.output_type != DataType::kFloat32) {
      result.bytes = task.run->Output<unsigned char>() + first;
    } else {
      result.reals = task.run->Output<float>() + first;
    }
    result.num_filters = num_filters;
    return result;
  }

  const QuantisedConvolution convolution_;
  const cpu_layers::Requantisation requantisation_;
  const ByteGeometry geometry_;
  const std::optional<ZeroPointInputs> unknown_;
  const std::shared_ptr<const void> packed_;
  const bool has_bias_;
  const int num_threads_;
  const ByteType input_;
  const std::int32_t least_;  // that the output can be
  const std::vector<float> multipliers_;
  const ByteProductFunctions& functions_ = GetSimdFunctions().byte_products;
};

template <typename Number>
std::string Join(const std::vector<Number>& numbers) {
  std::string text;
  for (const Number number : numbers) text += " " + std::to_string(number);
  return text;
}

/// Whether the weights can be packed before the run, and are all that input 1 has.
bool CanPack(const KernelMaker& maker, const QuantisedConvolution& convolution,
             const std::optional<ZeroPointInputs>& unknown) {
  std::int64_t num_weights = 1;
  for (const std::int64_t extent : convolution.dims.weights) num_weights *= extent;
  const GraphTensor& weights = maker.GetInput(1);
  return weights.IsConstant() && weights.info.shape.GetNumElements() == num_weights &&
         (!unknown || unknown->weights.AreKnown());
}

}  // namespace

std::unique_ptr<const Kernel> MakeByteConvolution(KernelMaker& maker,
                                                  const QuantisedConvolution& convolution,
                                                  cpu_layers::Requantisation requantisation,
                                                  std::optional<ZeroPointInputs> unknown) {
  std::shared_ptr<const void> packed;
  if (CanPack(maker, convolution, unknown)) {
    const ByteGeometry geometry(convolution.dims);
    const std::string purpose = "pairs of bytes," + Join(convolution.weights.dims()) +
                                ", zero points" + Join(requantisation.zero_points);
    packed = maker.PackTogether({1}, purpose, [&] {
      const auto count = static_cast<std::uint64_t>(geometry.CountWeights());
      std::shared_ptr<void> content = AllocateAligned(count * sizeof(std::int16_t));
      PackByteWeights(convolution, geometry, requantisation.zero_points.data(),
                      maker.GetInput(1).content.get(), static_cast<std::int16_t*>(content.get()));
      return content;
    });
  } else {
    maker.WantPlain(1);
  }
  if (HasBias(maker.GetNode())) maker.WantPlain(2);
  return std::make_unique<ByteConvolutionKernel>(maker, convolution, std::move(requantisation),
                                                 std::move(unknown), std::move(packed));
}

}  // namespace cpuacc
}  // namespace backplane
