#include "kernels/window_program.hpp"

#include "cpu_layers/divide_up.hpp"
#include "kernels/constants.hpp"
#include "kernels/elements.hpp"
#include "kernels/window_source.hpp"

#include <algorithm>

namespace backplane {
namespace opencl {
namespace {

constexpr std::int64_t kColumnsAtOnce = 64;  // of the kernel OnPlane

/// GRID_PARAMETERS. Without a grid, its extents are not looked at.
void AppendGrid(const Window& window, const WindowGrid& grid, std::vector<Argument>& arguments) {
  const auto append = [&](std::int64_t WindowAxis::*number) {
    AppendInts({window[0].*number, window[1].*number, window[2].*number}, arguments);
  };
  append(&WindowAxis::input);
  append(&WindowAxis::stride);
  append(&WindowAxis::pad_begin);
  AppendInts({grid.phases[0], grid.phases[1], grid.phases[2]}, arguments);
  AppendInts({grid.extents[0], grid.extents[1], grid.extents[2]}, arguments);
}

/// The kernels of the program.
enum class WindowKernel { kOnPlane, kOfPlane, kAtPosition };

std::string MakeOptions(const WindowLayer& layer, WindowKernel kernel) {
  std::string options;
  switch (kernel) {
    case WindowKernel::kOnPlane:
      options = "-DON_PLANE -DGRID_SPACE=__local";
      break;
    case WindowKernel::kOfPlane:
      options = "-DOF_PLANE -DGRID_SPACE=__global";
      break;
    case WindowKernel::kAtPosition:
      options = "-DAT_POSITION -DGRID_SPACE=__global";
      break;
  }
  switch (layer.function) {
    case WindowFunction::kMaximum:
      options += " -DMAXIMUM";
      break;
    case WindowFunction::kAverage:
      options += " -DAVERAGE";
      break;
    case WindowFunction::kPowers:
      options += " -DPOWERS";
      break;
    case WindowFunction::kProducts:
      options += " -DPRODUCTS";
      break;
  }
  if (layer.bias) options += " -DHAS_BIAS";
  if (layer.data_type == DataType::kFloat16) options += " -DSTORAGE_HALF";
  return options;
}

/// Weights, bias and counts.
void AppendOperands(const WindowLayer& layer, KernelPlan& plan, std::vector<Argument>& arguments) {
  if (layer.weights) arguments.emplace_back(*layer.weights);
  if (layer.bias) arguments.emplace_back(*layer.bias);
  if (layer.function == WindowFunction::kAverage) {
    arguments.emplace_back(AddConstant(layer.counts, plan));
  }
}

std::int64_t GetVolume(const Window& window, std::int64_t WindowAxis::*extent) {
  return window[0].*extent * window[1].*extent * window[2].*extent;
}

Launch MakeLaunch(const WindowLayer& layer, const Epilogue& epilogue, WindowKernel kernel) {
  Launch launch;
  launch.source = Text(kElementsSource, kBiasSource, kWindowGridSource,
                       MakeEpilogueSource(epilogue), kWindowSource);
  launch.options = MakeOptions(layer, kernel);
  launch.num_operations = 2.0 * static_cast<double>(layer.num_images * layer.filters) *
                          static_cast<double>(GetVolume(layer.window, &WindowAxis::output)) *
                          static_cast<double>(layer.group_channels) *
                          static_cast<double>(GetVolume(layer.window, &WindowAxis::kernel));
  return launch;
}

Launch MakeOnPlane(const WindowLayer& layer, const Epilogue& epilogue, KernelPlan& plan) {
  const Window& window = layer.window;
  const WindowGrid grid = MakeWindowGrid(window);
  const std::vector<std::int32_t> taps = GetTapOffsets(window, grid);
  const std::int64_t columns = grid.GetNumColumns();
  const std::int64_t results_begin = grid.GetPlaneElements() + kGridSlack;
  const std::int64_t results = DivideUp(columns, kColumnsAtOnce) * kColumnsAtOnce;
  Launch launch = MakeLaunch(layer, epilogue, WindowKernel::kOnPlane);
  launch.kernel = "OnPlane";
  launch.arguments = {layer.input, layer.output, AddConstant(taps, plan)};
  AppendOperands(layer, plan, launch.arguments);
  launch.arguments.emplace_back(
      LocalArgument{static_cast<std::size_t>(results_begin + results) * sizeof(float)});
  AppendInts({results_begin, static_cast<std::int64_t>(taps.size()), columns, window[0].output,
              window[1].output, window[2].output, layer.filters, layer.channels},
             launch.arguments);
  launch.arguments.emplace_back(layer.p);
  launch.arguments.emplace_back(1 / layer.p);
  AppendGrid(window, grid, launch.arguments);
  launch.global_size[0] = static_cast<std::size_t>(layer.num_images * layer.filters);
  launch.local_size = {1, 1, 1};
  return launch;
}

Launch MakeAtPosition(const WindowLayer& layer, const Epilogue& epilogue,
                      const DeviceLimits& limits, KernelPlan& plan) {
  const Window& window = layer.window;
  Launch launch = MakeLaunch(layer, epilogue, WindowKernel::kAtPosition);
  launch.kernel = "AtPosition";
  launch.arguments = {layer.input, layer.output};
  AppendOperands(layer, plan, launch.arguments);
  for (std::int64_t WindowAxis::*number :
       {&WindowAxis::kernel, &WindowAxis::dilation, &WindowAxis::output}) {
    AppendInts({window[0].*number, window[1].*number, window[2].*number}, launch.arguments);
  }
  AppendInts({layer.filters, layer.channels, layer.group_channels}, launch.arguments);
  launch.arguments.emplace_back(layer.p);
  launch.arguments.emplace_back(1 / layer.p);
  AppendGrid(window, WindowGrid(), launch.arguments);
  const std::size_t group = std::min<std::size_t>(64, limits.max_work_group_size);
  const auto positions = static_cast<std::size_t>(GetVolume(window, &WindowAxis::output));
  launch.num_dimensions = 2;
  launch.global_size = {(positions + group - 1) / group * group,
                        static_cast<std::size_t>(layer.num_images * layer.filters), 1};
  launch.local_size = {group, 1, 1};
  return launch;
}

Launch MakeOfPlane(const WindowLayer& layer, const Epilogue& epilogue, const DeviceLimits& limits) {
  const auto num_planes = static_cast<std::size_t>(layer.num_images * layer.channels);
  Launch launch = MakeLaunch(layer, epilogue, WindowKernel::kOfPlane);
  launch.kernel = "OfPlane";
  launch.arguments = {layer.input, layer.output};
  AppendInts({layer.num_images * layer.channels, GetVolume(layer.window, &WindowAxis::input)},
             launch.arguments);
  launch.arguments.emplace_back(layer.p);
  launch.arguments.emplace_back(1 / layer.p);
  const std::size_t group =
      limits.is_cpu ? 1 : std::min<std::size_t>(64, limits.max_work_group_size);
  launch.global_size[0] = (num_planes + group - 1) / group * group;
  launch.local_size = {group, 1, 1};
  return launch;
}

/// One window without padding that is as large as the plane.
bool IsOfPlane(const WindowLayer& layer) {
  if (layer.function == WindowFunction::kProducts) return false;
  const Window merged = MergeGlobalAxes(layer.window);
  const WindowAxis& all = merged[2];
  return merged[0].input == 1 && merged[1].input == 1 && merged[0].output == 1 &&
         merged[1].output == 1 && all.output == 1 && all.kernel == all.input && all.input > 0 &&
         all.pad_begin == 0 && all.pad_end == 0 && all.dilation == 1;
}

/// On a CPU local memory is a cache, and loops in a work-item become vectors.
bool RunsOnPlane(const WindowLayer& layer, const DeviceLimits& limits) {
  if (!limits.is_cpu || layer.group_channels != 1) return false;
  if (!CanLayOut(layer.window, layer.num_images * layer.channels)) return false;
  const WindowGrid grid = MakeWindowGrid(layer.window);
  const std::int64_t elements =
      grid.GetPlaneElements() + kGridSlack + grid.GetNumColumns() + kColumnsAtOnce;
  return static_cast<std::uint64_t>(elements) * sizeof(float) <= limits.local_memory_bytes;
}

Launch MakeWindowLaunch(const WindowLayer& layer, const Epilogue& epilogue,
                        const DeviceLimits& limits, KernelPlan& plan) {
  if (IsOfPlane(layer)) return MakeOfPlane(layer, epilogue, limits);
  if (RunsOnPlane(layer, limits)) return MakeOnPlane(layer, epilogue, plan);
  return MakeAtPosition(layer, epilogue, limits, plan);
}

}  // namespace

void AppendWindowLayer(const WindowLayer& layer, const Epilogue& epilogue,
                       const DeviceLimits& limits, KernelPlan& plan) {
  Launch launch = MakeWindowLaunch(layer, epilogue, limits, plan);
  AppendEpilogueArguments(epilogue, launch.arguments);
  plan.launches.push_back(std::move(launch));
}

BufferArgument AppendLayOut(const BufferArgument& input, const Window& window,
                            std::int64_t num_planes, DataType data_type, const DeviceLimits& limits,
                            KernelPlan& plan) {
  const WindowGrid grid = MakeWindowGrid(window);
  const std::int64_t elements = num_planes * grid.GetPlaneElements() + kGridSlack;
  plan.scratch_bytes.push_back(static_cast<std::uint64_t>(elements) * sizeof(float));
  const BufferArgument scratch = {BufferArgument::Kind::kScratch,
                                  static_cast<std::uint32_t>(plan.scratch_bytes.size() - 1)};
  const std::int64_t rows = grid.GetPlaneElements() / std::max<std::int64_t>(grid.extents[2], 1);
  // A work-item per row, but on a CPU, where few are enough, rather whole planes.
  const std::int64_t parts =
      limits.is_cpu
          ? std::max<std::int64_t>(1, std::min(rows, std::int64_t{limits.num_compute_units} * 4 /
                                                         std::max<std::int64_t>(num_planes, 1)))
          : rows;
  const std::int64_t rows_per_item = DivideUp(rows, parts);
  Launch launch;
  launch.source = Text(kElementsSource, kWindowGridSource);
  launch.options = Text("-DLAY_OUT -DGRID_SPACE=__global ", GetStorageOptions(data_type));
  launch.kernel = "LayOut";
  launch.arguments = {input, scratch};
  AppendInts({rows_per_item, num_planes}, launch.arguments);
  AppendGrid(window, grid, launch.arguments);
  launch.num_dimensions = 2;
  launch.global_size = {static_cast<std::size_t>(DivideUp(rows, rows_per_item)),
                        static_cast<std::size_t>(num_planes), 1};
  if (limits.is_cpu) launch.local_size = {1, 1, 1};
  plan.launches.push_back(std::move(launch));
  return scratch;
}

}  // namespace opencl
}  // namespace backplane
