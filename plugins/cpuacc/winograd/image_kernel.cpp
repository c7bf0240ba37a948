#include "winograd/image_kernel.hpp"

#include "cpu_layers/divide_up.hpp"
#include "threads/parallel.hpp"
#include "winograd/tile_groups.hpp"

#include <algorithm>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

using cpu_layers::DivideUp;

/// Keeps points apart that would meet in the same lines of the cache.
constexpr std::int64_t kGap = 16;

class ImageKernel : public Kernel {
 public:
  ImageKernel(const ImageProblem& problem, const ImageOps& ops, std::shared_ptr<const void> weights,
              bool has_bias, int num_threads)
      : problem_(problem),
        transforms_(*problem.transforms),
        groups_(problem.CountTiles(), num_threads),
        ops_(ops),
        weights_(std::move(weights)),
        has_bias_(has_bias),
        num_threads_(num_threads) {}

  std::uint64_t GetScratchBytes() const override {
    const std::int64_t num_points = groups_.has_one_thread ? num_threads_ : 1;
    const std::int64_t elements =
        GetBiasSize() + num_points * GetPointsSize() + num_threads_ * GetProductsSize();
    return static_cast<std::uint64_t>(elements) * sizeof(float);
  }

  void Run(const KernelRun& run) const override {
    PrepareBias(run);
    const Threads threads = run.threads.AtMost(num_threads_);
    const std::int64_t num_tiles = problem_.CountTiles();
    const std::int64_t num_groups = DivideUp(num_tiles, groups_.size);
    const auto find_tiles = [&](std::int64_t group) {
      const std::int64_t first = group * groups_.size;
      return Tiles{first, std::min(first + groups_.size, num_tiles)};
    };
    if (!groups_.has_one_thread) {
      for (std::int64_t group = 0; group < num_groups && !threads.AreStopped(); ++group) {
        RunGroupTogether(run, find_tiles(group), threads);
      }
      return;
    }
    ParallelForPieces(threads, num_groups, 1,
                      [&](std::int64_t slot, std::int64_t begin, std::int64_t end) {
                        for (; begin < end && !threads.AreStopped(); ++begin) {
                          RunGroup(run, find_tiles(begin), slot);
                        }
                      });
  }

 private:
  struct Tiles {
    std::int64_t begin;
    std::int64_t end;
  };

  /// The place of a tile of results.
  struct Tile {
    std::int64_t batch;
    std::int64_t row;
    std::int64_t column;
  };

  std::int64_t GetBlock() const { return problem_.GetBlock(); }
  std::int64_t GetBiasSize() const { return problem_.CountFilterBlocks() * GetBlock() + kGap; }
  std::int64_t CountColumns() const { return DivideUp(problem_.filters, problem_.GetColumns()); }
  /// The step from one tile to the next.
  std::int64_t GetTileStep() const { return problem_.CountChannelBlocks() * GetBlock(); }
  std::int64_t GetPointStep() const { return groups_.size * GetTileStep() + kGap; }
  std::int64_t GetProductStep() const { return groups_.size * problem_.GetColumns() + kGap; }
  std::int64_t GetPointsSize() const { return transforms_.CountPoints() * GetPointStep(); }
  std::int64_t GetProductsSize() const { return transforms_.CountPoints() * GetProductStep(); }

  /// The bias, with zeros up to the last block.
  void PrepareBias(const KernelRun& run) const {
    auto* bias = run.GetScratch<float>();
    std::fill_n(bias, GetBiasSize(), 0.0F);
    if (has_bias_) std::copy_n(run.Input<float>(2), problem_.filters, bias);
  }

  Tile FindTile(std::int64_t index) const {
    const std::int64_t row = index / problem_.tile_columns;
    return {row / problem_.tile_rows, row % problem_.tile_rows * transforms_.results,
            index % problem_.tile_columns * transforms_.results};
  }

  float* GetProducts(const KernelRun& run, std::int64_t slot) const {
    return run.GetScratch<float>() + GetBiasSize() + slot * GetProductsSize();
  }
  float* GetPoints(const KernelRun& run, std::int64_t slot) const {
    return GetProducts(run, num_threads_) + slot * GetPointsSize();
  }

  void RunGroup(const KernelRun& run, Tiles tiles, std::int64_t slot) const {
    float* points = GetPoints(run, slot);
    ReadBlocks(run, tiles, 0, problem_.CountChannelBlocks(), points);
    RunColumns(run, tiles, 0, CountColumns(), points, GetProducts(run, slot));
  }

  void RunGroupTogether(const KernelRun& run, Tiles tiles, const Threads& threads) const {
    float* points = GetPoints(run, 0);
    ParallelFor(
        threads, problem_.CountChannelBlocks(), 1,
        [&](std::int64_t begin, std::int64_t end) { ReadBlocks(run, tiles, begin, end, points); });
    ParallelForPieces(threads, CountColumns(), 1,
                      [&](std::int64_t slot, std::int64_t begin, std::int64_t end) {
                        RunColumns(run, tiles, begin, end, points, GetProducts(run, slot));
                      });
  }

  void ReadBlocks(const KernelRun& run, Tiles tiles, std::int64_t begin, std::int64_t end,
                  float* points) const {
    for (std::int64_t block = begin; block < end; ++block) {
      ReadTiles(run, tiles, block, points + block * GetBlock());
    }
  }

  void RunColumns(const KernelRun& run, Tiles tiles, std::int64_t begin, std::int64_t end,
                  const float* points, float* products) const {
    for (std::int64_t index = begin; index < end; ++index) {
      const std::int64_t first = index * problem_.GetColumns();
      Multiply(points, tiles.end - tiles.begin, first, products);
      WriteFilters(run, tiles, first, products);
    }
  }

  /// One block of channels.
  void ReadTiles(const KernelRun& run, Tiles tiles, std::int64_t block, float* points) const {
    ImageTileInput input;
    input.height = problem_.height;
    input.width = problem_.width;
    const std::int64_t plane = problem_.height * problem_.width * GetBlock();
    for (std::int64_t index = tiles.begin; index < tiles.end; ++index) {
      const Tile tile = FindTile(index);
      input.image =
          run.Input<float>(0) + (tile.batch * problem_.CountChannelBlocks() + block) * plane;
      input.row = tile.row - problem_.pad_top;
      input.column = tile.column - problem_.pad_left;
      transforms_.read(input, points, GetPointStep());
      points += GetTileStep();
    }
  }

  void Multiply(const float* points, std::int64_t num_tiles, std::int64_t first,
                float* products) const {
    const std::int64_t num_points = transforms_.CountPoints();
    Product product;
    product.rows = num_tiles;
    product.inner = problem_.channels;
    product.columns = std::min(problem_.GetColumns(), problem_.CountPaddedFilters() - first);
    product.a = points;
    product.a_row_step = GetTileStep();
    product.a_inner_step = 1;
    const float* weights =
        static_cast<const float*>(weights_.get()) + first * num_points * product.inner;
    product.b_inner_step = kPanelColumns;
    product.b_panel_step = product.inner * kPanelColumns;
    product.result = products;
    product.result_row_step = problem_.GetColumns();
    for (std::int64_t point = 0; point < num_points; ++point) {
      product.b = weights;
      problem_.simd->products.multiply(product);
      product.a += GetPointStep();
      weights += product.columns * product.inner;
      product.result += GetProductStep();
    }
  }

  /// All blocks of the filters from `first` on whose products there are.
  void WriteFilters(const KernelRun& run, Tiles tiles, std::int64_t first,
                    const float* products) const {
    const std::int64_t last = std::min(first + problem_.GetColumns(), problem_.filters);
    for (std::int64_t filter = first; filter < last; filter += GetBlock()) {
      WriteTiles(run, tiles, filter, products + filter - first);
    }
  }

  /// One block of filters.
  void WriteTiles(const KernelRun& run, Tiles tiles, std::int64_t filter,
                  const float* products) const {
    ImageTileOutput output;
    output.bias = run.GetScratch<float>() + filter;
    output.row_step = problem_.output_width * GetBlock();
    output.low = ops_.low;
    output.high = ops_.high;
    for (std::int64_t index = tiles.begin; index < tiles.end; ++index) {
      const Tile tile = FindTile(index);
      const std::int64_t plane = tile.batch * problem_.CountFilterBlocks() + filter / GetBlock();
      const std::int64_t offset =
          ((plane * problem_.output_height + tile.row) * problem_.output_width + tile.column) *
          GetBlock();
      output.to = run.Output<float>() + offset;
      if (ops_.addend) output.addend = run.Input<float>(*ops_.addend) + offset;
      output.num_rows = problem_.output_height - tile.row;
      output.num_columns = problem_.output_width - tile.column;
      transforms_.write(products, GetProductStep(), output);
      products += problem_.GetColumns();
    }
  }

  const ImageProblem problem_;
  const ImageTileTransforms& transforms_;
  const TileGroups groups_;
  const ImageOps ops_;
  const std::shared_ptr<const void> weights_;
  const bool has_bias_;
  const int num_threads_;
};

}  // namespace

std::unique_ptr<const Kernel> MakeImageKernel(const ImageProblem& problem, const ImageOps& ops,
                                              std::shared_ptr<const void> weights, bool has_bias,
                                              int num_threads) {
  return std::make_unique<ImageKernel>(problem, ops, std::move(weights), has_bias, num_threads);
}

}  // namespace cpuacc
}  // namespace backplane
