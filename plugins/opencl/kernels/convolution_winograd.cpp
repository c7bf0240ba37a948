#include "cpu_layers/divide_up.hpp"
#include "kernels/constants.hpp"
#include "kernels/convolutions.hpp"
#include "kernels/elements.hpp"
#include "kernels/winograd_source.hpp"
#include "pointwise/expression.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace backplane {
namespace opencl {
namespace {

constexpr std::int64_t kWindow = 3;
constexpr std::int64_t kOutputs = 4;  // of a tile, in each direction
constexpr std::int64_t kInputs = kOutputs + kWindow - 1;
constexpr std::int64_t kPoints = kInputs * kInputs;
constexpr std::int64_t kTilesOfStrip = 16;

/// Of the points beside 0 and infinity, with both signs: they are what leaves the smallest errors.
constexpr double kNearPoint = 0.625;
constexpr double kFarPoint = 1.5;

/// Tiles of an image, one row behind the other.
struct WinogradTiles {
  explicit WinogradTiles(const Window& window)
      : in_row(DivideUp(window[2].output, kOutputs)),
        count(in_row * DivideUp(window[1].output, kOutputs)) {}

  /// Columns of the products: whole strips, and whole vectors where there are several strips.
  std::int64_t GetColumns() const {
    const std::int64_t unit = count <= kTilesOfStrip ? kTilesOfStrip : 2 * kTilesOfStrip;
    return DivideUp(count, unit) * unit;
  }
  std::int64_t CountStrips() const { return GetColumns() / kTilesOfStrip; }

  std::int64_t in_row = 0;
  std::int64_t count = 0;
};

bool HasWindowOfThree(const WindowAxis& axis) {
  return axis.kernel == kWindow && axis.stride == 1 && axis.dilation == 1;
}

/// The weights at the points: G g G^T for each filter and channel.
std::vector<float> TransformWeights(const ConstantMatrix& weights, std::int64_t filters,
                                    std::int64_t channels) {
  constexpr double kNear = kNearPoint * kNearPoint;
  constexpr double kFar = kFarPoint * kFarPoint;
  constexpr double kNearScale = 1 / (2 * kNear * (kNear - kFar));
  constexpr double kFarScale = 1 / (2 * kFar * (kFar - kNear));
  constexpr double kG[kInputs][kWindow] = {
      {1 / (kNear * kFar), 0, 0},
      {kNearScale, kNearScale * kNearPoint, kNearScale * kNear},
      {kNearScale, -kNearScale * kNearPoint, kNearScale * kNear},
      {kFarScale, kFarScale * kFarPoint, kFarScale * kFar},
      {kFarScale, -kFarScale * kFarPoint, kFarScale * kFar},
      {0, 0, 1}};
  std::vector<float> points(static_cast<std::size_t>(kPoints * filters * channels));
  for (std::int64_t filter = 0; filter < filters; ++filter) {
    for (std::int64_t channel = 0; channel < channels; ++channel) {
      double half[kInputs][kWindow] = {};
      for (std::int64_t r = 0; r < kWindow; ++r) {
        for (std::int64_t c = 0; c < kWindow; ++c) {
          const double weight = weights.Get(filter, channel * kWindow * kWindow + r * kWindow + c);
          for (std::int64_t i = 0; i < kInputs; ++i) half[i][c] += kG[i][r] * weight;
        }
      }
      for (std::int64_t point = 0; point < kPoints; ++point) {
        const double* row = half[point / kInputs];
        const double* factors = kG[point % kInputs];
        const double sum = row[0] * factors[0] + row[1] * factors[1] + row[2] * factors[2];
        points[static_cast<std::size_t>((point * filters + filter) * channels + channel)] =
            static_cast<float>(sum);
      }
    }
  }
  return points;
}

/// What the source reads, and how the tensors of the layer are stored.
std::string MakeWinogradOptions(DataType data_type) {
  return Text("-DNEAR=", WriteFloat(static_cast<float>(kNearPoint)),
              " -DFAR=", WriteFloat(static_cast<float>(kFarPoint)), " ",
              GetStorageOptions(data_type));
}

BufferArgument AddScratch(std::int64_t num_floats, KernelPlan& plan) {
  plan.scratch_bytes.push_back(static_cast<std::uint64_t>(num_floats) * sizeof(float));
  return {BufferArgument::Kind::kScratch,
          static_cast<std::uint32_t>(plan.scratch_bytes.size() - 1)};
}

/// A product for each image and point.
Product MakeProduct(const PlannedLayer& layer, const ConvolutionGeometry& geometry,
                    std::int64_t columns, const DeviceLimits& limits, KernelPlan& plan) {
  const std::int64_t filters = geometry.group_filters;
  const std::int64_t channels = geometry.group_channels;
  Product product;
  product.tile = ChooseProductTile(filters, columns, limits);
  product.rows = filters;
  product.inner = channels;
  product.columns = columns;
  product.b_step = columns;
  product.c_is_float = true;
  product.a_is_packed = true;
  const ConstTensor& weights = *layer.GetConstant(1);
  const auto make = [&] {
    const std::vector<float> points =
        TransformWeights({weights.data, weights.info.data_type, geometry.inner}, filters, channels);
    Bytes panels;
    for (std::int64_t point = 0; point < kPoints; ++point) {
      AppendPanels({points.data() + point * filters * channels, DataType::kFloat32, channels},
                   filters, channels, product.tile.rows, panels);
    }
    return panels;
  };
  const std::string form =
      Text("points of ", filters, " filters of ", channels, " channels, ", geometry.inner,
           " elements each, in panels of ", product.tile.rows, " lines");
  product.a = AddMade(layer, 1, form, make, plan);
  product.batches.clear();
  const std::int64_t a_step = CountPanelElements(filters, channels, product.tile.rows);
  for (std::int64_t i = 0; i < geometry.num_images * kPoints; ++i) {
    product.batches.push_back({static_cast<std::int32_t>(i % kPoints * a_step),
                               static_cast<std::int32_t>(i * channels * columns), 0});
  }
  return product;
}

void SetItems(const WinogradTiles& tiles, std::int64_t planes, std::int64_t images,
              Launch& launch) {
  launch.num_dimensions = 3;
  launch.global_size = {static_cast<std::size_t>(tiles.CountStrips()),
                        static_cast<std::size_t>(planes), static_cast<std::size_t>(images)};
  launch.local_size = {1, 1, 1};
}

}  // namespace

bool PaysAsWinograd(const PlannedLayer& layer, const ConvolutionGeometry& geometry,
                    const DeviceLimits& limits) {
  // Transforming costs as many operations for each channel as some filters do.
  constexpr std::int64_t kLeastChannels = 32;
  constexpr double kLeastGain = 2;
  constexpr double kMostElements = 16e6;
  const Window& window = geometry.window;
  if (!limits.is_cpu || layer.GetConstant(1) == nullptr || geometry.groups != 1) return false;
  if (window[0].kernel != 1 || window[0].output != 1 || window[0].input != 1) return false;
  if (!HasWindowOfThree(window[1]) || !HasWindowOfThree(window[2])) return false;
  if (geometry.group_channels < kLeastChannels || geometry.group_filters < kLeastChannels) {
    return false;
  }
  const auto products =
      static_cast<double>(kPoints) * static_cast<double>(WinogradTiles(window).GetColumns());
  const double direct = static_cast<double>(kWindow * kWindow) *
                        static_cast<double>(window[1].output) *
                        static_cast<double>(window[2].output);
  const auto planes = static_cast<double>(
      geometry.num_images * std::max(geometry.group_channels, geometry.group_filters));
  return direct >= kLeastGain * products && products * planes <= kMostElements;
}

void AppendWinogradConvolution(const PlannedLayer& layer, const ConvolutionGeometry& geometry,
                               const DeviceLimits& limits, KernelPlan& plan) {
  const WinogradTiles tiles(geometry.window);
  const WindowAxis& rows = geometry.window[1];
  const WindowAxis& columns = geometry.window[2];
  const std::string options = MakeWinogradOptions(layer.Output().data_type);
  Product product = MakeProduct(layer, geometry, tiles.GetColumns(), limits, plan);
  const std::int64_t images = geometry.num_images;
  product.b = AddScratch(images * kPoints * product.inner * product.columns, plan);
  product.c = AddScratch(images * kPoints * product.rows * product.columns, plan);

  Launch to_points;
  to_points.source = Text(kElementsSource, kBiasSource, kWinogradSource);
  to_points.options = Text("-DTO_POINTS ", options);
  to_points.kernel = "ToPoints";
  to_points.arguments = {ReadInput(layer, 0), product.b};
  AppendInts({product.inner, rows.input, columns.input, rows.pad_begin, columns.pad_begin,
              tiles.in_row, tiles.count, product.columns},
             to_points.arguments);
  SetItems(tiles, product.inner, images, to_points);
  plan.launches.push_back(std::move(to_points));

  AppendProduct(product, {}, limits, plan);

  Launch from_points;
  from_points.source =
      Text(kElementsSource, kBiasSource, MakeEpilogueSource(layer.epilogue), kWinogradSource);
  from_points.options = Text(layer.num_inputs == 3 ? "-DHAS_BIAS " : "", options);
  from_points.kernel = "FromPoints";
  from_points.arguments = {product.c, WriteOutput(layer)};
  if (layer.num_inputs == 3) from_points.arguments.emplace_back(ReadInput(layer, 2));
  AppendInts(
      {product.rows, rows.output, columns.output, tiles.in_row, tiles.count, product.columns},
      from_points.arguments);
  AppendEpilogueArguments(layer.epilogue, from_points.arguments);
  SetItems(tiles, product.rows, images, from_points);
  plan.launches.push_back(std::move(from_points));
}

}  // namespace opencl
}  // namespace backplane
