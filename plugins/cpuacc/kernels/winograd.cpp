#include "kernels/winograd.hpp"

#include "cpu_layers/refusal.hpp"
#include "decisions/decisions.hpp"
#include "library/engine.hpp"
#include "memory/aligned_memory.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

namespace backplane {
namespace cpuacc {
namespace {

using cpu_layers::Text;
using dnnl::memory;

/// Numbers from -1 to 1 without a pattern.
void FillWithNoise(float* values, std::int64_t count) {
  std::uint32_t state = 12345;
  for (std::int64_t i = 0; i < count; ++i) {
    state = state * 1664525U + 1013904223U;
    values[i] = static_cast<float>(state >> 8) * 0x1p-23F - 1.0F;
  }
}

/// One of the two, with memory to run it.
class Trial {
 public:
  Trial(KernelMaker& maker, const ConvolutionDesc& desc, const memory::desc& plain_weights)
      : desc_(desc),
        convolution_(desc),
        weights_(maker.Pack(1, plain_weights, desc.weights_desc())),
        input_(AllocateAligned(desc.src_desc().get_size())),
        output_(AllocateAligned(desc.dst_desc().get_size())),
        scratch_(AllocateAligned(desc.scratchpad_desc().get_size())),
        bias_(AllocateAligned(desc.bias_desc().get_size())) {
    std::fill_n(static_cast<float*>(bias_.get()), desc.bias_desc().get_size() / sizeof(float),
                0.0F);
    Add(DNNL_ARG_SRC, desc.src_desc(), input_.get());
    Add(DNNL_ARG_WEIGHTS, desc.weights_desc(), const_cast<void*>(weights_.get()));
    Add(DNNL_ARG_DST, desc.dst_desc(), output_.get());
    Add(DNNL_ARG_SCRATCHPAD, desc.scratchpad_desc(), scratch_.get());
    if (desc.bias_desc().get_size() > 0) Add(DNNL_ARG_BIAS, desc.bias_desc(), bias_.get());
    FillInput();
  }

  double MeasureSeconds() {
    const auto begin = std::chrono::steady_clock::now();
    convolution_.execute(stream_, arguments_);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  /// The output of the last run, with its elements one after the other.
  std::shared_ptr<float> CopyOutput() {
    const memory::desc plain = DescribePlain(desc_.dst_desc().dims(), DataType::kFloat32);
    std::shared_ptr<void> content = AllocateAligned(plain.get_size());
    Reorder(arguments_[DNNL_ARG_DST], memory(plain, GetEngine(), content.get()));
    return std::static_pointer_cast<float>(content);
  }

 private:
  void Add(int id, const memory::desc& desc, void* content) {
    arguments_.emplace(id, memory(desc, GetEngine(), content));
  }

  void Reorder(memory from, memory to) {
    dnnl::reorder(from, to).execute(stream_, from, to);
    stream_.wait();
  }

  void FillInput() {
    const memory::desc plain = DescribePlain(desc_.src_desc().dims(), DataType::kFloat32);
    const std::shared_ptr<void> content = AllocateAligned(plain.get_size());
    FillWithNoise(static_cast<float*>(content.get()),
                  static_cast<std::int64_t>(plain.get_size() / sizeof(float)));
    Reorder(memory(plain, GetEngine(), content.get()), arguments_[DNNL_ARG_SRC]);
  }

  ConvolutionDesc desc_;
  dnnl::convolution_forward convolution_;
  std::shared_ptr<const void> weights_;
  std::shared_ptr<void> input_;
  std::shared_ptr<void> output_;
  std::shared_ptr<void> scratch_;
  std::shared_ptr<void> bias_;
  std::unordered_map<int, memory> arguments_;
  dnnl::stream stream_{GetEngine()};
};

/// Errors of layers add up, so that each may have a tenth of what a network may.
bool IsSmallError(Trial& direct, Trial& winograd, std::int64_t count) {
  constexpr float kMostError = 1e-5F;
  const std::shared_ptr<float> expected = direct.CopyOutput();
  const std::shared_ptr<float> found = winograd.CopyOutput();
  float error = 0.0F;
  float largest = 0.0F;
  for (std::int64_t i = 0; i < count; ++i) {
    error = std::max(error, std::fabs(found.get()[i] - expected.get()[i]));
    largest = std::max(largest, std::fabs(expected.get()[i]));
  }
  return error <= kMostError * largest;
}

/// The best of some runs each, in turns; few when it is clear or takes long. What else runs on the
/// machine can make each of them slower, but none faster.
bool IsFaster(Trial& direct, Trial& winograd) {
  constexpr int kFewestRounds = 3;
  constexpr int kMostRounds = 30;
  constexpr double kMostSeconds = 0.02;
  constexpr double kClearly = 1.5;
  double of_direct = std::numeric_limits<double>::infinity();
  double of_winograd = of_direct;
  double spent = 0.0;
  for (int round = 0; round < kMostRounds; ++round) {
    const double direct_now = direct.MeasureSeconds();
    const double winograd_now = winograd.MeasureSeconds();
    of_direct = std::min(of_direct, direct_now);
    of_winograd = std::min(of_winograd, winograd_now);
    spent += direct_now + winograd_now;
    const double ratio = of_direct / of_winograd;
    const bool is_clear = ratio > kClearly || ratio < 1 / kClearly;
    if (round + 1 >= kFewestRounds && (is_clear || spent > kMostSeconds)) break;
  }
  return of_winograd < of_direct;
}

std::string NameShapes(const ConvolutionDesc& winograd) {
  std::string name = winograd.impl_info_str();
  for (const memory::desc& desc :
       {winograd.src_desc(), winograd.weights_desc(), winograd.dst_desc()}) {
    name += " ";
    for (const std::int64_t extent : desc.dims()) name += std::to_string(extent) + "x";
  }
  return name;
}

/// Tells weights of the same shape apart.
std::uint64_t Digest(const GraphTensor& weights) {
  const auto* words = static_cast<const std::uint32_t*>(weights.content.get());
  std::uint64_t digest = 1469598103934665603U;
  for (std::uint64_t i = 0; i < weights.info.GetSizeBytes() / sizeof(std::uint32_t); ++i) {
    digest = (digest ^ words[i]) * 1099511628211U;
  }
  return digest;
}

}  // namespace

bool PrefersWinograd(KernelMaker& maker, const ConvolutionDesc& direct,
                     const ConvolutionDesc& winograd, const dnnl::memory::desc& plain_weights) {
  std::optional<Trial> direct_trial;
  std::optional<Trial> winograd_trial;
  const auto prepare = [&] {
    if (direct_trial) return;
    direct_trial.emplace(maker, direct, plain_weights);
    winograd_trial.emplace(maker, winograd, plain_weights);
  };
  const std::string shapes = NameShapes(winograd);
  const std::string speed = Text("faster: ", shapes, " threads ", maker.GetNumThreads());
  const std::string error = Text("exact: ", shapes, " weights ", Digest(maker.GetInput(1)));
  const bool is_faster =
      maker.GetOptions().winograd == Winograd::kOn || GetDecisions().Get(speed, [&] {
        prepare();
        return IsFaster(*direct_trial, *winograd_trial);
      });
  return is_faster && GetDecisions().Get(error, [&] {
    prepare();
    direct_trial->MeasureSeconds();
    winograd_trial->MeasureSeconds();
    return IsSmallError(*direct_trial, *winograd_trial,
                        maker.GetOutput().info.shape.GetNumElements());
  });
}

}  // namespace cpuacc
}  // namespace backplane
