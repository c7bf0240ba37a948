#include "conformance/guarded_memory.hpp"
#include "winograd/image_kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

using namespace cpuacc;
using conformance::GuardedMemory;

std::vector<float> MakeNoise(std::int64_t count) {
  std::mt19937 generator(static_cast<std::uint32_t>(count));
  std::uniform_real_distribution<float> noise(-1.0F, 1.0F);
  std::vector<float> numbers(static_cast<std::size_t>(count));
  for (float& number : numbers) number = noise(generator);
  return numbers;
}

/// [batches, channels, places] in blocks of channels, whose padding is 0; and back.
struct Blocks {
  std::int64_t Count() const { return (channels + block - 1) / block; }
  std::int64_t GetSize() const { return batches * Count() * places * block; }
  template <typename Body>
  void ForAll(const Body& body) const {
    for (std::int64_t index = 0; index < batches * channels * places; ++index) {
      const std::int64_t channel = index / places % channels;
      const std::int64_t plane = index / places / channels * Count() + channel / block;
      body(static_cast<std::size_t>(index),
           static_cast<std::size_t>((plane * places + index % places) * block + channel % block));
    }
  }

  std::int64_t batches;
  std::int64_t channels;
  std::int64_t places;
  std::int64_t block;
};

std::vector<float> ToBlocks(const std::vector<float>& plain, const Blocks& blocks) {
  std::vector<float> blocked(static_cast<std::size_t>(blocks.GetSize()), 0.0F);
  blocks.ForAll([&](std::size_t from, std::size_t to) { blocked[to] = plain[from]; });
  return blocked;
}

/// One kernel, beside sums in double.
class ImageCase {
 public:
  ImageCase(const SimdFunctions& simd, const ImageTileTransforms& transforms, ImageProblem problem,
            std::int64_t pads_end, int num_threads)
      : problem_(problem), num_threads_(num_threads) {
    problem_.simd = &simd;
    problem_.transforms = &transforms;
    problem_.output_height = problem.height + problem.pad_top + pads_end - 2;
    problem_.output_width = problem.width + problem.pad_left + pads_end - 2;
    const std::int64_t results = transforms.results;
    problem_.tile_rows = (problem_.output_height + results - 1) / results;
    problem_.tile_columns = (problem_.output_width + results - 1) / results;
  }

  void Check() {
    std::vector<double> expected = Convolve();
    const double greatest =
        std::fabs(*std::max_element(expected.begin(), expected.end(), [](double a, double b) {
          return std::fabs(a) < std::fabs(b);
        }));
    ImageOps ops;
    ExpectNear(Run(ops), expected, greatest);
    ops.addend = 3;
    ops.low = -0.5F;
    ops.high = 2.0F;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      expected[i] = std::clamp(expected[i] + static_cast<double>(addend_[i]), -0.5, 2.0);
    }
    ExpectNear(Run(ops), expected, greatest);
  }

 private:
  Blocks GetOutputBlocks() const {
    return {problem_.batches, problem_.filters, problem_.output_height * problem_.output_width,
            problem_.GetBlock()};
  }

  float GetInput(std::int64_t batch, std::int64_t channel, std::int64_t y, std::int64_t x) const {
    if (y < 0 || y >= problem_.height || x < 0 || x >= problem_.width) return 0.0F;
    const std::int64_t plane = batch * problem_.channels + channel;
    return input_[static_cast<std::size_t>((plane * problem_.height + y) * problem_.width + x)];
  }

  std::vector<double> Convolve() const {
    std::vector<double> output;
    const std::int64_t places = problem_.output_height * problem_.output_width;
    for (std::int64_t index = 0; index < problem_.batches * problem_.filters * places; ++index) {
      const std::int64_t filter = index / places % problem_.filters;
      const std::int64_t y = index % places / problem_.output_width - problem_.pad_top;
      const std::int64_t x = index % problem_.output_width - problem_.pad_left;
      auto sum = static_cast<double>(bias_[static_cast<std::size_t>(filter)]);
      for (std::int64_t tap = 0; tap < problem_.channels * 9; ++tap) {
        const auto weight =
            weights_[static_cast<std::size_t>(filter * problem_.channels * 9 + tap)];
        sum += static_cast<double>(weight) *
               static_cast<double>(GetInput(index / places / problem_.filters, tap / 9,
                                            y + tap % 9 / 3, x + tap % 3));
      }
      output.push_back(sum);
    }
    return output;
  }

  /// What the kernel writes, with the padding of the blocks.
  std::vector<float> Run(const ImageOps& ops) const {
    using Side = GuardedMemory::Side;
    ThreadPool pool;
    const Threads threads(pool, num_threads_);
    const auto weights = TransformImageWeights(problem_, weights_.data(), threads);
    const auto kernel = MakeImageKernel(problem_, ops, weights, true, num_threads_);
    const Blocks inputs = {problem_.batches, problem_.channels, problem_.height * problem_.width,
                           problem_.GetBlock()};
    const std::vector<float> input = ToBlocks(input_, inputs);
    const std::vector<float> addend = ToBlocks(addend_, GetOutputBlocks());
    std::vector<float> output(addend.size(), 77.0F);
    const std::vector<unsigned char> scratch(kernel->GetScratchBytes(), 0xff);
    for (const Side side : {Side::kBehind, Side::kBefore}) {
      const auto guard = [side](const auto& content) {
        return GuardedMemory(content.data(), content.size() * sizeof(content[0]), side);
      };
      const GuardedMemory from = guard(input);
      const GuardedMemory other = guard(addend);
      const GuardedMemory bias = guard(bias_);
      const GuardedMemory to = guard(output);
      const GuardedMemory scratch_memory = guard(scratch);
      void* inputs_of_run[] = {from.GetBegin(), nullptr, bias.GetBegin(), other.GetBegin()};
      void* outputs_of_run[] = {to.GetBegin()};
      KernelRun run;
      run.inputs = inputs_of_run;
      run.outputs = outputs_of_run;
      run.scratch = scratch_memory.GetBegin();
      run.threads = threads;
      kernel->Run(run);
      std::memcpy(output.data(), to.GetBegin(), output.size() * sizeof(float));
    }
    return output;
  }

  void ExpectNear(const std::vector<float>& found, const std::vector<double>& expected,
                  double greatest) const {
    const std::vector<float> rounded(expected.begin(), expected.end());
    const std::vector<float> blocked = ToBlocks(rounded, GetOutputBlocks());
    for (std::size_t i = 0; i < blocked.size() && !testing::Test::HasFailure(); ++i) {
      EXPECT_NEAR(found[i], blocked[i], 1e-5 * greatest) << "element " << i;
    }
  }

  ImageProblem problem_;
  const int num_threads_;
  const std::vector<float> input_ =
      MakeNoise(problem_.batches * problem_.channels * problem_.height * problem_.width);
  const std::vector<float> weights_ = MakeNoise(problem_.filters * problem_.channels * 9);
  const std::vector<float> bias_ = MakeNoise(problem_.filters);
  const std::vector<float> addend_ =
      MakeNoise(problem_.batches * problem_.filters * (problem_.height + 4) * (problem_.width + 4));
};

struct Shape {
  std::int64_t batches;
  std::int64_t channels;
  std::int64_t filters;
  std::int64_t height;
  std::int64_t width;
  std::int64_t pad_top;
  std::int64_t pad_left;
  std::int64_t pads_end;
};

class WinogradImages : public testing::TestWithParam<Shape> {};

TEST_P(WinogradImages, AreWhatSumsAreWithEachInstructionSet) {
  const Shape& shape = GetParam();
  ImageProblem problem;
  problem.batches = shape.batches;
  problem.channels = shape.channels;
  problem.filters = shape.filters;
  problem.height = shape.height;
  problem.width = shape.width;
  problem.pad_top = shape.pad_top;
  problem.pad_left = shape.pad_left;
  for (const InstructionSet set :
       {InstructionSet::kBaseline, InstructionSet::kAvx2, InstructionSet::kAvx512}) {
    const SimdFunctions* simd = FindSimdFunctions(set);
    if (simd == nullptr) continue;
    for (const auto* transforms : {&simd->image_tiles.small, &simd->image_tiles.large}) {
      for (const int num_threads : {1, 2, 3}) {
        SCOPED_TRACE("instruction set " + std::to_string(static_cast<int>(set)) + ", tiles of " +
                     std::to_string(transforms->results) + ", " + std::to_string(num_threads) +
                     " threads");
        ImageCase(*simd, *transforms, problem, shape.pads_end, num_threads).Check();
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, WinogradImages,
    testing::Values(Shape{1, 16, 16, 3, 3, 0, 0, 0}, Shape{1, 16, 16, 1, 1, 1, 1, 1},
                    Shape{1, 17, 9, 5, 8, 1, 1, 1}, Shape{3, 3, 33, 7, 7, 1, 1, 1},
                    Shape{2, 40, 24, 9, 13, 2, 2, 2}, Shape{1, 20, 100, 12, 11, 0, 2, 1},
                    Shape{1, 8, 40, 2, 70, 2, 0, 1}, Shape{2, 16, 8, 31, 33, 1, 1, 1},
                    Shape{1, 130, 70, 14, 14, 1, 1, 1}));

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
