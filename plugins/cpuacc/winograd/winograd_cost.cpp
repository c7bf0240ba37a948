#include "winograd/winograd_cost.hpp"

#include "cpu_layers/divide_up.hpp"
#include "winograd/tile_groups.hpp"

#include <algorithm>

namespace backplane {
namespace cpuacc {
namespace {

using cpu_layers::DivideUp;

/// Measured with 260 shapes of 1 to 6000 million operations, of 16 to 1024 channels, by least
/// squares of relative errors (docs/cpuacc.md).
struct Rates {
  double direct_input;   // of each element of the input
  double tiles_product;  // of each multiplication
  double tiles_read;     // of each element at a point that is read
  double tiles_write;    // of each element at a point from which results are made
};

constexpr Rates kRatesOfAvx512 = {9.0, 0.97, 5.6, 14.2};
constexpr Rates kRatesOfAvx2 = {41.0, 1.08, 9.5, 9.6};
constexpr std::int64_t kAvx512Block = 16;

double Multiply(std::int64_t a, std::int64_t b) {
  return static_cast<double>(a) * static_cast<double>(b);
}

double EstimateDirect(const ImageProblem& problem, const Rates& rates, int num_threads) {
  constexpr std::int64_t kWindowSize = kImageWindow * kImageWindow;
  const std::int64_t places = problem.batches * problem.output_height * problem.output_width;
  const double inputs = Multiply(places, problem.CountChannelBlocks() * problem.GetBlock());
  const double filters = Multiply(kWindowSize, problem.CountFilterBlocks() * problem.GetBlock());
  return (inputs * filters + rates.direct_input * inputs) / num_threads;
}

/// Only threads that have something to do count. Products are made for pairs of blocks at once.
double EstimateTiles(const ImageProblem& problem, const Rates& rates, int num_threads) {
  const std::int64_t block = problem.GetBlock();
  const std::int64_t num_points = problem.transforms->CountPoints();
  const std::int64_t num_tiles = problem.CountTiles();
  const TileGroups groups(num_tiles, num_threads);
  const std::int64_t rows = DivideUp(num_tiles, groups.size) *
                            DivideUp(groups.size, TileGroups::kRows) * TileGroups::kRows;
  const double products = Multiply(num_points * rows, problem.channels) *
                          Multiply(DivideUp(problem.filters, 2 * block), 2 * block);
  const double read = Multiply(num_points * num_tiles, problem.CountChannelBlocks() * block);
  const double written = Multiply(num_points * num_tiles, problem.CountFilterBlocks() * block);
  const auto share = [&](std::int64_t num_pieces) {
    const std::int64_t threads = groups.has_one_thread ? num_threads : num_pieces;
    return static_cast<double>(std::min<std::int64_t>(threads, num_threads));
  };
  return rates.tiles_read * read / share(problem.CountChannelBlocks()) +
         (rates.tiles_product * products + rates.tiles_write * written) /
             share(DivideUp(problem.filters, problem.GetColumns()));
}

}  // namespace

WinogradCost EstimateCost(const ImageProblem& problem, int num_threads) {
  const Rates& rates = problem.GetBlock() == kAvx512Block ? kRatesOfAvx512 : kRatesOfAvx2;
  return {EstimateDirect(problem, rates, num_threads), EstimateTiles(problem, rates, num_threads)};
}

Judgement Judge(const WinogradCost& cost) {
  constexpr double kClearly = 1.25;
  if (cost.direct > kClearly * cost.tiles) return Judgement::kTilesAreFaster;
  if (cost.tiles > kClearly * cost.direct) return Judgement::kDirectIsFaster;
  return Judgement::kIsClose;
}

}  // namespace cpuacc
}  // namespace backplane
