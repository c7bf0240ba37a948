#include "winograd/winograd_line_kernel.hpp"

#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

/// Channels of the output that are computed together, while their products stay in the cache.
constexpr std::int64_t kColumns = 64;
/// Tiles that are computed together, so that the weights are not read too often.
constexpr std::int64_t kMostTiles = 252;

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
    const Threads threads = run.threads.AtMost(num_threads_);
    for (std::int64_t first = 0; first < num_tiles_ && !threads.AreStopped();
         first += most_tiles_) {
      const std::int64_t count = std::min(most_tiles_, num_tiles_ - first);
      ParallelFor(threads, count, 8, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t tile = begin; tile < end; ++tile) {
          ReadTile(run, first + tile, run.GetScratch<float>() + tile * problem_.inputs);
        }
      });
      const std::int64_t num_blocks = (problem_.outputs + kColumns - 1) / kColumns;
      ParallelForPieces(
          threads, num_blocks, 1, [&](std::int64_t piece, std::int64_t begin, std::int64_t end) {
            float* products = run.GetScratch<float>() + GetPointsSize() + piece * GetProductsSize();
            for (std::int64_t block = begin; block < end; ++block) {
              RunBlock(run, first, count, block * kColumns, products);
            }
          });
    }
  }

 private:
  /// The place of a tile.
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
                std::int64_t first, float* products) const {
    const std::int64_t columns = std::min(kColumns, problem_.outputs - first);
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
    const float* const weights =
        static_cast<const float*>(weights_.get()) + first_panel * product.b_panel_step;
    product.b = weights;
    product.b_last = weights + columns / kPanelColumns * product.b_panel_step;
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

}  // namespace

std::unique_ptr<const Kernel> MakeWinogradLineKernel(const LineProblem& problem,
                                                     std::shared_ptr<const void> weights,
                                                     bool has_bias, int num_threads) {
  return std::make_unique<WinogradLineKernel>(problem, std::move(weights), has_bias, num_threads);
}

}  // namespace cpuacc
}  // namespace backplane
