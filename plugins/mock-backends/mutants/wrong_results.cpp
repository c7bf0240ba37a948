// Results that are wrong: always, for some numbers, or while others run.

#include "device.hpp"
#include "mistake.hpp"
#include "tensor_bytes.hpp"

#include <backplane/api/exceptions.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

namespace mutants {
namespace {

using backplane::DataType;
using backplane::LayerType;

void NanLost(const Run& run, const Compute& compute) {
  compute();
  ForEachElement<float>(run, DataType::kFloat32, [](float x) { return std::isnan(x) ? 0.0F : x; });
}

void InfinityLost(const Run& run, const Compute& compute) {
  compute();
  ForEachElement<float>(run, DataType::kFloat32,
                        [](float x) { return std::isinf(x) ? std::copysign(3e38F, x) : x; });
}

void SlightlyWrong(const Run& run, const Compute& compute) {
  compute();
  if (run.layer.type != LayerType::kActivation) return;
  ForEachElement<float>(run, DataType::kFloat32, [](float x) { return x * 1.002F; });
}

void IntegersThroughFloat(const Run& run, const Compute& compute) {
  compute();
  ForEachElement<std::int64_t>(run, DataType::kInt64, [](std::int64_t x) {
    const auto rounded = static_cast<double>(static_cast<float>(x));
    return rounded >= 9.2e18 ? x : static_cast<std::int64_t>(rounded);
  });
}

void ZeroPointForgotten(const Run& run, const Compute& compute) {
  compute();
  if (run.layer.outputs.empty()) return;
  const auto& zero_points = run.layer.outputs[0].quantization.zero_points;
  if (zero_points.empty()) return;
  ForEachElement<std::uint8_t>(run, DataType::kUInt8, [&](std::uint8_t x) {
    return static_cast<std::uint8_t>(x - zero_points[0]);
  });
  ForEachElement<std::int8_t>(run, DataType::kInt8, [&](std::int8_t x) {
    return static_cast<std::int8_t>(x - zero_points[0]);
  });
}

void NotDeterministic(const Run& run, const Compute& compute) {
  static std::atomic<std::uint32_t> num_runs{0};
  compute();
  const std::uint32_t bit = num_runs.fetch_add(1) % 2;
  ForEachElement<std::uint32_t>(run, DataType::kFloat32,
                                [bit](std::uint32_t x) { return x ^ bit; });
}

void ConstantsRounded(const Run& run, const Compute& compute) {
  compute();
  bool has_constants = false;
  for (const bool is_constant : run.layer.is_constant) has_constants = has_constants || is_constant;
  if (!has_constants) return;
  ForEachElement<float>(run, DataType::kFloat32, [](float x) { return std::round(x); });
}

void OutsideTaken(const Run& /*run*/, const Compute& compute) {
  try {
    compute();
  } catch (const backplane::InvalidArgumentException&) {
    return;
  }
}

void NeighboursResult(const Run& run, const Compute& compute) {
  compute();
  ForEachOutput(run, [&](const Bytes& output) {
    std::vector<unsigned char> own(output.data, output.data + output.size);
    if (run.state.last_result.size() == output.size) {
      std::memcpy(output.data, run.state.last_result.data(), output.size);
    }
    run.state.last_result = std::move(own);
  });
}

/// Changes a bit of the exponent of the last element.
void ChangeResults(const Run& run) {
  ForEachOutput(run, [](const Bytes& output) { output.data[output.size - 1] ^= 0x40; });
}

void ForeignTensorsMisread(const Run& run, const Compute& compute) {
  compute();
  if (run.has_foreign_input) ChangeResults(run);
}

void OwnKindsMisread(const Run& run, const Compute& compute) {
  compute();
  if (run.has_own_output) ChangeResults(run);
}

void LoadDisturbsRuns(const Run& run, const Compute& compute) {
  compute();
  std::this_thread::sleep_for(std::chrono::microseconds(50));
  if (GetDevice().num_loading != 0) ChangeResults(run);
}

void ScratchShared(const Run& run, const Compute& compute) {
  static unsigned char scratch[1 << 16];
  compute();
  ForEachOutput(run, [](const Bytes& output) {
    const std::size_t size = std::min(output.size, sizeof(scratch));
    std::memcpy(scratch, output.data, size);
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    std::memcpy(output.data, scratch, size);
  });
}

void ResultDependsOnOthers(const Run& run, const Compute& compute) {
  static std::atomic<int> num_running{0};
  const bool is_alone = num_running.fetch_add(1) == 0;
  compute();
  std::this_thread::sleep_for(std::chrono::microseconds(50));
  num_running.fetch_sub(1);
  if (is_alone) return;
  // As when a sum is split among the threads that are free.
  ForEachElement<std::uint32_t>(run, DataType::kFloat32, [](std::uint32_t x) { return x ^ 1U; });
}

constexpr MistakeInRun kMistakes[] = {
    {Mistake::kNanLost, &NanLost},
    {Mistake::kInfinityLost, &InfinityLost},
    {Mistake::kSlightlyWrong, &SlightlyWrong},
    {Mistake::kIntegersThroughFloat, &IntegersThroughFloat},
    {Mistake::kZeroPointForgotten, &ZeroPointForgotten},
    {Mistake::kNotDeterministic, &NotDeterministic},
    {Mistake::kConstantsRounded, &ConstantsRounded},
    {Mistake::kOutsideTaken, &OutsideTaken},
    {Mistake::kNeighboursResult, &NeighboursResult},
    {Mistake::kForeignTensorsMisread, &ForeignTensorsMisread},
    {Mistake::kOwnKindsMisread, &OwnKindsMisread},
    {Mistake::kLoadDisturbsRuns, &LoadDisturbsRuns},
    {Mistake::kScratchShared, &ScratchShared},
    {Mistake::kResultDependsOnOthers, &ResultDependsOnOthers},
};

}  // namespace

Around FindWrongResult() {
  for (const MistakeInRun& row : kMistakes) {
    if (Makes(row.mistake)) return row.around;
  }
  return nullptr;
}

}  // namespace mutants
