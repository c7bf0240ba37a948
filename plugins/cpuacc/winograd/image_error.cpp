#include "winograd/image_error.hpp"

#include "cpu_layers/divide_up.hpp"
#include "kernel_builders/noise.hpp"
#include "memory/aligned_memory.hpp"
#include "winograd/image_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace backplane {
namespace cpuacc {
namespace {

using cpu_layers::DivideUp;

constexpr std::int64_t kMostFilters = 16;
constexpr std::int64_t kSide = 8;  // of the image of results: whole tiles
constexpr std::int64_t kInputSide = kSide + kImageWindow - 1;
constexpr std::int64_t kErrorTaps = kImageWindow * kImageWindow;

ImageProblem MakeSample(const ImageProblem& problem, std::int64_t num_filters) {
  ImageProblem sample = problem;
  sample.batches = 1;
  sample.filters = num_filters;
  sample.height = sample.width = kInputSide;
  sample.output_height = sample.output_width = kSide;
  sample.pad_top = sample.pad_left = 0;
  sample.tile_rows = sample.tile_columns = DivideUp(kSide, problem.transforms->results);
  return sample;
}

std::shared_ptr<float> AllocateFloats(std::int64_t count) {
  return std::static_pointer_cast<float>(
      AllocateAligned(static_cast<std::uint64_t>(count) * sizeof(float)));
}

/// [channels / block, places, block], with zeros up to the last block.
std::shared_ptr<float> ToBlocks(const ImageProblem& sample, const std::vector<float>& plain) {
  constexpr std::int64_t kPlaces = kInputSide * kInputSide;
  const std::int64_t block = sample.GetBlock();
  const std::int64_t count = sample.CountChannelBlocks() * kPlaces * block;
  std::shared_ptr<float> blocks = AllocateFloats(count);
  std::fill_n(blocks.get(), count, 0.0F);
  for (std::int64_t channel = 0; channel < sample.channels; ++channel) {
    for (std::int64_t place = 0; place < kPlaces; ++place) {
      blocks.get()[(channel / block * kPlaces + place) * block + channel % block] =
          plain[static_cast<std::size_t>(channel * kPlaces + place)];
    }
  }
  return blocks;
}

/// [filters / block, places, block].
std::shared_ptr<float> RunTiles(const ImageProblem& sample, const float* weights, float* image) {
  const auto kernel = MakeImageKernel(sample, ImageOps(),
                                      TransformImageWeights(sample, weights, Threads()), false, 1);
  std::shared_ptr<float> results =
      AllocateFloats(sample.CountFilterBlocks() * kSide * kSide * sample.GetBlock());
  const std::shared_ptr<void> scratch = AllocateAligned(kernel->GetScratchBytes());
  void* inputs[] = {image, nullptr};
  void* outputs[] = {results.get()};
  KernelRun run;
  run.inputs = inputs;
  run.outputs = outputs;
  run.scratch = scratch.get();
  kernel->Run(run);
  return results;
}

/// Adds to one row of results what one weight contributes.
void AddRow(double weight, const double* places, double* sums) {
  for (std::int64_t x = 0; x < kSide; ++x) sums[x] += weight * places[x];
}

/// The results of one filter.
std::vector<double> ComputeSums(const ImageProblem& sample, const float* weights,
                                const std::vector<double>& image) {
  std::vector<double> sums(kSide * kSide, 0.0);
  for (std::int64_t index = 0; index < sample.channels * kErrorTaps; ++index) {
    const std::int64_t tap = index % kErrorTaps;
    const double* places = image.data() + index / kErrorTaps * kInputSide * kInputSide +
                           tap / kImageWindow * kInputSide + tap % kImageWindow;
    for (std::int64_t y = 0; y < kSide; ++y) {
      AddRow(static_cast<double>(weights[index]), places + y * kInputSide, &sums[y * kSide]);
    }
  }
  return sums;
}

}  // namespace

SampledFilters SampleFilters(const ImageProblem& problem, const float* weights) {
  SampledFilters sampled;
  sampled.count = std::min(problem.filters, kMostFilters);
  const std::int64_t size = problem.channels * kErrorTaps;
  for (std::int64_t i = 0; i < sampled.count; ++i) {
    const float* filter = weights + i * problem.filters / sampled.count * size;
    sampled.weights.insert(sampled.weights.end(), filter, filter + size);
  }
  return sampled;
}

double MeasureImageError(const ImageProblem& problem, const SampledFilters& filters) {
  const ImageProblem sample = MakeSample(problem, filters.count);
  std::vector<float> image(static_cast<std::size_t>(sample.channels * kInputSide * kInputSide));
  FillWithNoise(image.data(), static_cast<std::int64_t>(image.size()));
  const std::vector<double> exact_image(image.begin(), image.end());
  const std::shared_ptr<float> results =
      RunTiles(sample, filters.weights.data(), ToBlocks(sample, image).get());
  const std::int64_t block = sample.GetBlock();
  double error = 0.0;
  double largest = 0.0;
  for (std::int64_t filter = 0; filter < sample.filters; ++filter) {
    const std::vector<double> sums = ComputeSums(
        sample, filters.weights.data() + filter * sample.channels * kErrorTaps, exact_image);
    const float* found = results.get() + filter / block * kSide * kSide * block + filter % block;
    for (const double sum : sums) {
      const double difference = std::fabs(static_cast<double>(*found) - sum);
      if (std::isnan(difference)) return std::numeric_limits<double>::quiet_NaN();
      error = std::max(error, difference);
      largest = std::max(largest, std::fabs(sum));
      found += block;
    }
  }
  return error == 0.0 ? 0.0 : error / largest;
}

}  // namespace cpuacc
}  // namespace backplane
