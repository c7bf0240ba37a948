#include "kernels/winograd_line.hpp"

#include "layout/layout_axes.hpp"
#include "memory/aligned_memory.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <backplane/api/descriptors/convolution.hpp>

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

using dnnl::memory;

/// Channels of the output that are computed together, while their products stay in the cache.
constexpr std::int64_t kColumns = 64;
/// Tiles that are computed together, so that the weights are not read too often.
constexpr std::int64_t kMostTiles = 252;

/// A tensor as lines of places, each of which is a row of channels.
struct Lines {
  std::int64_t size = 0;  // places of a line
  std::int64_t place_step = 0;
  std::int64_t line_step = 0;
  std::int64_t batch_step = 0;
};

struct LineProblem {
  std::int64_t CountTiles() const { return (output.size + results - 1) / results; }
  std::int64_t CountPanels() const { return (outputs + kPanelColumns - 1) / kPanelColumns; }

  std::int64_t batches = 0;
  std::int64_t lines = 1;  // of each batch
  std::int64_t inputs = 0;
  std::int64_t outputs = 0;
  std::int64_t window = 0;
  std::int64_t results = 0;  // of a tile
  std::int64_t pad = 0;      // in front of a line
  Lines input;
  Lines output;
};

/// The factor of number `index` of a window at a point. The last point is infinity.
double GetFactor(std::int64_t point, std::int64_t index, std::int64_t window) {
  constexpr double kPoints[] = {0, 1, -1, 2, -2, 0.5, -0.5};
  constexpr double kScales[] = {1, -2.0 / 9, -2.0 / 9, 1.0 / 90, 1.0 / 90, 32.0 / 45, 32.0 / 45};
  if (point == kTilePoints - 1) return index == window - 1 ? 1.0 : 0.0;
  double factor = kScales[point];
  for (std::int64_t i = 0; i < index; ++i) factor *= kPoints[point];
  return factor;
}

/// [points, panels, inputs, kPanelColumns], from [outputs, inputs, window].
std::shared_ptr<const void> TransformWeights(const LineProblem& problem, const float* weights) {
  const std::int64_t padded = problem.CountPanels() * kPanelColumns;
  const auto count = static_cast<std::uint64_t>(kTilePoints * problem.inputs * padded);
  const std::shared_ptr<void> content = AllocateAligned(count * sizeof(float));
  auto* to = static_cast<float*>(content.get());
  for (std::int64_t point = 0; point < kTilePoints; ++point) {
    double factors[kTilePoints];
    for (std::int64_t i = 0; i < problem.window; ++i) {
      factors[i] = GetFactor(point, i, problem.window);
    }
    for (std::int64_t first = 0; first < padded; first += kPanelColumns) {
      for (std::int64_t input = 0; input < problem.inputs; ++input) {
        for (std::int64_t o = first; o < first + kPanelColumns; ++o) {
          double sum = 0.0;
          const float* window = weights + (o * problem.inputs + input) * problem.window;
          for (std::int64_t i = 0; i < problem.window && o < problem.outputs; ++i) {
            sum += factors[i] * static_cast<double>(window[i]);
          }
          *to++ = static_cast<float>(sum);
        }
      }
    }
  }
  return content;
}

class WinogradLineKernel : public Kernel {
 public:
  WinogradLineKernel(const LineProblem& problem, std::shared_ptr<const void> weights, bool has_bias,
                     int num_threads)
      : problem_(problem),
        weights_(std::move(weights)),
        zeros_(static_cast<std::size_t>(problem.inputs), 0.0F),
        num_tiles_(problem.batches * problem.lines * problem.CountTiles()),
        most_tiles_(std::min(num_tiles_, kMostTiles)),
        has_bias_(has_bias),
        num_threads_(num_threads) {}

  std::uint64_t GetScratchBytes() const override {
    const std::int64_t elements = GetPointsSize() + num_threads_ * GetProductsSize();
    return static_cast<std::uint64_t>(elements) * sizeof(float);
  }

  void Run(const KernelRun& run) const override {
    const int num_threads = std::min(run.num_threads, num_threads_);
    for (std::int64_t first = 0; first < num_tiles_; first += most_tiles_) {
      const std::int64_t count = std::min(most_tiles_, num_tiles_ - first);
      ParallelFor(num_threads, count, 8, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t tile = begin; tile < end; ++tile) {
          ReadTile(run, first + tile, run.GetScratch<float>() + tile * problem_.inputs);
        }
      });
      const std::int64_t num_blocks = (problem_.outputs + kColumns - 1) / kColumns;
      ParallelFor(num_threads, num_blocks, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t block = begin; block < end; ++block) {
          RunBlock(run, first, count, block * kColumns);
        }
      });
    }
  }

 private:
  /// Where a tile lies.
  struct Tile {
    std::int64_t batch;
    std::int64_t line;
    std::int64_t place;  // its first result
  };

  std::int64_t GetPointStep() const { return most_tiles_ * problem_.inputs; }
  std::int64_t GetPointsSize() const { return kTilePoints * GetPointStep(); }
  std::int64_t GetProductsSize() const { return kTilePoints * most_tiles_ * kColumns; }

  Tile FindTile(std::int64_t index) const {
    const std::int64_t tiles = problem_.CountTiles();
    const std::int64_t line = index / tiles;
    return {line / problem_.lines, line % problem_.lines, index % tiles * problem_.results};
  }

  void ReadTile(const KernelRun& run, std::int64_t index, float* points) const {
    const Tile tile = FindTile(index);
    const float* line = run.Input<float>(0) + tile.batch * problem_.input.batch_step +
                        tile.line * problem_.input.line_step;
    const float* rows[kTilePoints];
    for (std::int64_t i = 0; i < kTilePoints; ++i) {
      const std::int64_t place = tile.place - problem_.pad + i;
      const bool is_inside = place >= 0 && place < problem_.input.size;
      rows[i] = is_inside ? line + place * problem_.input.place_step : zeros_.data();
    }
    functions_.winograd.transform_input(rows, problem_.inputs, points, GetPointStep());
  }

  /// kColumns channels of some tiles.
  void RunBlock(const KernelRun& run, std::int64_t first_tile, std::int64_t num_tiles,
                std::int64_t first) const {
    const std::int64_t columns = std::min(kColumns, problem_.outputs - first);
    float* products =
        run.GetScratch<float>() + GetPointsSize() + omp_get_thread_num() * GetProductsSize();
    for (std::int64_t point = 0; point < kTilePoints; ++point) {
      functions_.products.multiply(MakeProduct(run, point, num_tiles, first, columns, products));
    }
    const float* bias = has_bias_ ? run.Input<float>(2) + first : nullptr;
    for (std::int64_t tile = 0; tile < num_tiles; ++tile) {
      WriteTile(run, FindTile(first_tile + tile), products + tile * kColumns, first, columns, bias);
    }
  }

  Product MakeProduct(const KernelRun& run, std::int64_t point, std::int64_t num_tiles,
                      std::int64_t first, std::int64_t columns, float* products) const {
    Product product;
    product.rows = num_tiles;
    product.inner = problem_.inputs;
    product.columns = columns;
    product.a = run.GetScratch<float>() + point * GetPointStep();
    product.a_row_step = problem_.inputs;
    product.a_inner_step = 1;
    product.b_inner_step = kPanelColumns;
    product.b_panel_step = problem_.inputs * kPanelColumns;
    const std::int64_t first_panel = point * problem_.CountPanels() + first / kPanelColumns;
    product.b = static_cast<const float*>(weights_.get()) + first_panel * product.b_panel_step;
    product.b_last = product.b + columns / kPanelColumns * product.b_panel_step;
    product.result = products + point * most_tiles_ * kColumns;
    product.result_row_step = kColumns;
    return product;
  }

  /// Only the results of a tile that lie in the line.
  void WriteTile(const KernelRun& run, const Tile& tile, const float* products, std::int64_t first,
                 std::int64_t columns, const float* bias) const {
    const std::int64_t point_step = most_tiles_ * kColumns;
    const auto transform = functions_.winograd.GetOutput(problem_.results);
    const Lines& lines = problem_.output;
    float* to = run.Output<float>() + tile.batch * lines.batch_step + tile.line * lines.line_step +
                tile.place * lines.place_step + first;
    const std::int64_t count = std::min(problem_.results, lines.size - tile.place);
    if (count == problem_.results) {
      return transform(products, point_step, columns, bias, to, lines.place_step);
    }
    float results[kMostTileResults * kColumns];
    transform(products, point_step, columns, bias, results, kColumns);
    for (std::int64_t i = 0; i < count; ++i) {
      std::copy_n(results + i * kColumns, columns, to + i * lines.place_step);
    }
  }

  const LineProblem problem_;
  const std::shared_ptr<const void> weights_;
  const std::vector<float> zeros_;
  const std::int64_t num_tiles_;
  const std::int64_t most_tiles_;
  const bool has_bias_;
  const int num_threads_;
  const SimdFunctions& functions_ = GetSimdFunctions();
};

/// The spatial axis along which the window lies; none when it has another form.
std::optional<std::uint32_t> FindLineAxis(const KernelMaker& maker) {
  const auto descriptor = maker.GetNode().GetDescriptor<ConvolutionDescriptor>();
  if (descriptor.groups != 1 || descriptor.spatial_rank > 2) return {};
  std::optional<std::uint32_t> line;
  for (std::uint32_t axis = 0; axis < descriptor.spatial_rank; ++axis) {
    const std::int64_t extent = maker.GetInput(1).info.shape[axis + 2];
    if (descriptor.strides[axis] != 1 || descriptor.dilations[axis] != 1) return {};
    const bool is_window = extent >= kTilePoints + 1 - kMostTileResults &&
                           extent <= kTilePoints + 1 - kFewestTileResults && !line;
    if (is_window) {
      line = axis;
    } else if (extent != 1 || descriptor.pads_begin[axis] != 0 || descriptor.pads_end[axis] != 0) {
      return {};
    }
  }
  return line;
}

/// With fewer channels or tiles the transformations cost more than they save.
bool IsWorthWhile(const LineProblem& problem) {
  constexpr std::int64_t kFewestChannels = 64;
  constexpr std::int64_t kFewestTiles = 24;
  return problem.inputs >= kFewestChannels && problem.outputs >= kFewestChannels &&
         problem.batches * problem.lines * problem.CountTiles() >= kFewestTiles;
}

LineProblem MakeProblem(const KernelMaker& maker, std::uint32_t axis) {
  const TensorShape& input = maker.GetInput(0).info.shape;
  const TensorShape& output = maker.GetOutput().info.shape;
  LineProblem problem;
  problem.batches = input[0];
  problem.inputs = input[1];
  problem.outputs = output[1];
  problem.window = maker.GetInput(1).info.shape[axis + 2];
  problem.results = kTilePoints + 1 - problem.window;
  problem.pad = maker.GetNode().GetDescriptor<ConvolutionDescriptor>().pads_begin[axis];
  if (input.rank == 4) problem.lines = output[axis == 0 ? 3 : 2];
  problem.input.size = input[axis + 2];
  problem.output.size = output[axis + 2];
  return problem;
}

Layout MakeChannelsLast(const TensorInfo& info) {
  const auto tag = info.shape.rank == 4 ? memory::format_tag::nhwc : memory::format_tag::nwc;
  return Layout(memory::desc(ToDims(info.shape), memory::data_type::f32, tag), info);
}

/// Nothing when the channels do not lie one after the other.
bool SetSteps(const TensorInfo& info, const Layout& layout, std::uint32_t axis, Lines& lines) {
  const std::optional<LayoutAxes> axes = FindLayoutAxes(info, layout);
  if (!axes || axes->block != 1 || axes->steps[1] != 1) return false;
  lines.batch_step = axes->steps[0];
  lines.place_step = axes->steps[axis + 2];
  if (info.shape.rank == 4) lines.line_step = axes->steps[axis == 0 ? 3 : 2];
  return true;
}

}  // namespace

std::unique_ptr<const Kernel> MakeWinogradLine(KernelMaker& maker) {
  if (maker.GetOptions().winograd == cpuacc::Winograd::kOff || !maker.GetInput(1).IsConstant()) {
    return nullptr;
  }
  const std::optional<std::uint32_t> axis = FindLineAxis(maker);
  if (!axis) return nullptr;
  LineProblem problem = MakeProblem(maker, *axis);
  if (!IsWorthWhile(problem)) return nullptr;
  const TensorInfo& input = maker.GetInput(0).info;
  const TensorInfo& output = maker.GetOutput().info;
  if (!SetSteps(input, maker.GetLayout(0), *axis, problem.input)) {
    maker.WantInput(0, MakeChannelsLast(input));
    if (!SetSteps(input, MakeChannelsLast(input), *axis, problem.input)) return nullptr;
  }
  const Layout layout = MakeChannelsLast(output);
  if (!SetSteps(output, layout, *axis, problem.output)) return nullptr;
  maker.SetOutput(0, layout);
  const bool has_bias = CountLayerInputs(maker.GetNode()) > 2;
  if (has_bias) maker.WantPlain(2);
  const auto weights = maker.PackTogether({1}, "lines of Winograd's algorithm", [&] {
    return TransformWeights(problem, GetFloats(maker.GetInput(1)));
  });
  return std::make_unique<WinogradLineKernel>(problem, weights, has_bias, maker.GetNumThreads());
}

}  // namespace cpuacc
}  // namespace backplane
