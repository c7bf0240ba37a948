#include "winograd/winograd.hpp"

#include "cpu_layers/refusal.hpp"
#include "decisions/decisions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace backplane {
namespace cpuacc {
namespace {

using cpu_layers::Text;

/// Errors of layers add up, so that each may have a tenth of what a network may.
bool IsSmallError(Trial& direct, Trial& winograd, std::int64_t count) {
  constexpr float kMostError = 1e-5F;
  const std::shared_ptr<float> expected = direct.ComputeOutput();
  const std::shared_ptr<float> found = winograd.ComputeOutput();
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
  constexpr int kFewestRounds = 2;
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

std::string NameShapes(const KernelMaker& maker) {
  std::string name;
  for (const TensorInfo& info :
       {maker.GetInput(0).info, maker.GetInput(1).info, maker.GetOutput().info}) {
    name += " " + cpu_layers::DescribeShape(info.shape);
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

bool PrefersWinograd(const KernelMaker& maker, const Way& direct, const Way& rival,
                     const Way& winograd) {
  std::optional<Trial> direct_trial;
  std::optional<Trial> rival_trial;
  std::optional<Trial> winograd_trial;
  const auto prepare = [&](std::optional<Trial>& trial, const Way& way) -> Trial& {
    if (!trial) trial.emplace(maker, way);
    return *trial;
  };
  const bool has_rival = &rival != &direct;
  const std::string shapes = NameShapes(maker);
  const std::string speed = Text("faster: ", winograd.name, " than ", rival.name, shapes,
                                 " threads ", maker.GetNumThreads());
  const bool is_wanted = maker.GetOptions().winograd == Winograd::kOn && !has_rival;
  const bool is_faster = is_wanted || GetDecisions().Get(speed, [&] {
    return IsFaster(has_rival ? prepare(rival_trial, rival) : prepare(direct_trial, direct),
                    prepare(winograd_trial, winograd));
  });
  if (!is_faster) return false;
  const std::string error =
      Text("exact: ", winograd.name, shapes, " weights ", Digest(maker.GetInput(1)));
  return GetDecisions().Get(error, [&] {
    return IsSmallError(prepare(direct_trial, direct), prepare(winograd_trial, winograd),
                        maker.GetOutput().info.shape.GetNumElements());
  });
}

}  // namespace cpuacc
}  // namespace backplane
