#include "run.hpp"

#include "device.hpp"
#include "mistake.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <thread>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace mutants {
namespace {

using backplane::DataType;
using backplane::LayerType;
using Compute = std::function<void()>;

/// A tensor as it lies in memory. Without bytes when it is not dense.
struct Bytes {
  unsigned char* data = nullptr;
  std::size_t size = 0;
};

Bytes GetBytes(const memory_mock::Elements& elements) {
  unsigned char* const data = elements.FindDense();
  if (data == nullptr) return {};
  return {data, static_cast<std::size_t>(elements.CountBytes())};
}

/// Calls `change(value)` for each element of the outputs that have this type.
template <typename Element, typename Change>
void ForEachElement(const Run& run, DataType type, const Change& change) {
  for (std::size_t i = 0; i < run.outputs.size(); ++i) {
    if (run.layer.outputs[i].data_type != type) continue;
    const Bytes bytes = GetBytes(run.outputs[i]);
    for (std::size_t at = 0; at + sizeof(Element) <= bytes.size; at += sizeof(Element)) {
      Element value{};
      std::memcpy(&value, bytes.data + at, sizeof(value));
      const Element changed = change(value);
      std::memcpy(bytes.data + at, &changed, sizeof(changed));
    }
  }
}

/// Calls `use(bytes)` for each input with bytes that is, or is not, a constant.
template <typename Use>
void ForEachInput(const Run& run, bool is_constant, const Use& use) {
  for (std::size_t i = 0; i < run.inputs.size(); ++i) {
    const Bytes bytes = GetBytes(run.inputs[i]);
    if (bytes.size != 0 && run.layer.is_constant[i] == is_constant) use(bytes);
  }
}

/// Calls `use(bytes)` for each output with bytes.
template <typename Use>
void ForEachOutput(const Run& run, const Use& use) {
  for (const memory_mock::Elements& output : run.outputs) {
    const Bytes bytes = GetBytes(output);
    if (bytes.size != 0) use(bytes);
  }
}

// ---- answers

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

void LoadDisturbsRuns(const Run& run, const Compute& compute) {
  compute();
  std::this_thread::sleep_for(std::chrono::microseconds(50));
  if (GetDevice().num_loading != 0) ChangeResults(run);
}

// ---- memory

void InputOverwritten(const Run& run, const Compute& compute) {
  compute();
  ForEachInput(run, false, [](const Bytes& input) { input.data[0] = 0; });
}

void InputPutBack(const Run& run, const Compute& compute) {
  ForEachInput(run, false, [](const Bytes& input) { input.data[0] ^= 1; });
  ForEachInput(run, false, [](const Bytes& input) { input.data[0] ^= 1; });
  compute();
}

void ConstantsOverwritten(const Run& run, const Compute& compute) {
  compute();
  ForEachInput(run, true, [](const Bytes& input) { input.data[0] = 0; });
}

void WritesBehindOutput(const Run& run, const Compute& compute) {
  compute();
  ForEachOutput(run, [](const Bytes& output) { output.data[output.size] = 0; });
}

void WritesBeforeOutput(const Run& run, const Compute& compute) {
  compute();
  ForEachOutput(run, [](const Bytes& output) { *(output.data - 1) = 0; });
}

void ReadsBehindInput(const Run& run, const Compute& compute) {
  compute();
  // As a loop over whole lines of the cache does, one line too far.
  ForEachInput(run, false, [](const Bytes& input) {
    const volatile unsigned char* behind = input.data + (input.size + 63) / 64 * 64;
    static_cast<void>(*behind);
  });
}

void OutputHalfWritten(const Run& run, const Compute& compute) {
  std::vector<std::vector<unsigned char>> before;
  ForEachOutput(run, [&](const Bytes& output) {
    before.emplace_back(output.data, output.data + output.size);
  });
  compute();
  std::size_t next = 0;
  ForEachOutput(run, [&](const Bytes& output) {
    const std::size_t half = output.size / 2;
    std::memcpy(output.data + half, before[next++].data() + half, output.size - half);
  });
}

void OutputAddedTo(const Run& run, const Compute& compute) {
  std::vector<float> before;
  const auto keep = [&](float x) {
    before.push_back(x);
    return x;
  };
  ForEachElement<float>(run, DataType::kFloat32, keep);
  compute();
  std::size_t next = 0;
  ForEachElement<float>(run, DataType::kFloat32, [&](float x) { return x + before[next++]; });
}

void WrongInPlaceClaim(const Run& run, const Compute& compute) {
  // Clears the output first, which is the input in place.
  ForEachOutput(run, [&](const Bytes& output) {
    ForEachInput(run, false, [&](const Bytes& input) {
      if (input.data == output.data) std::memset(output.data, 0, output.size);
    });
  });
  compute();
}

void OwnKindsMisread(const Run& run, const Compute& compute) {
  compute();
  if (run.has_own_output) ChangeResults(run);
}

void CopiesHalf(const Run& run, const Compute& compute) {
  if (run.layer.type != LayerType::kCopy) return compute();
  OutputHalfWritten(run, compute);
}

void WrongInPlaceOfKinds(const Run& run, const Compute& compute) {
  if (!run.has_own_output) return compute();
  WrongInPlaceClaim(run, compute);
}

bool IsAligned(const Bytes& bytes, std::uintptr_t alignment) {
  return reinterpret_cast<std::uintptr_t>(bytes.data) % alignment == 0;
}

void ConstantsAligned(const Run& run, const Compute& compute) {
  ForEachInput(run, true, [](const Bytes& constant) {
    if (!IsAligned(constant, 64)) throw std::invalid_argument("a constant is not aligned");
  });
  compute();
}

void InputsOfPages(const Run& run, const Compute& compute) {
  ForEachInput(run, false, [](const Bytes& input) {
    if (!IsAligned(input, 128)) throw std::invalid_argument("an input is not aligned");
  });
  compute();
}

// ---- threads

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

// ---- cost

void LeakPerRun(const Run& /*run*/, const Compute& compute) {
  constexpr std::size_t kMebibyte = std::size_t{1} << 20;
  static std::atomic<void*> last{nullptr};
  void* memory = std::malloc(kMebibyte);
  if (memory != nullptr) std::memset(memory, 1, kMebibyte);
  last.store(memory);
  compute();
}

void SmallLeakPerRun(const Run& /*run*/, const Compute& compute) {
  static std::atomic<void*> last{nullptr};
  void* memory = std::malloc(256);
  if (memory != nullptr) std::memset(memory, 1, 256);
  last.store(memory);
  compute();
}

void DescriptorPerRun(const Run& /*run*/, const Compute& compute) {
  static_cast<void>(open("/dev/null", O_RDONLY | O_CLOEXEC));
  compute();
}

void ThreadPerRun(const Run& /*run*/, const Compute& compute) {
  std::thread([] {
    for (;;) pause();
  }).detach();
  compute();
}

void MappingPerRun(const Run& /*run*/, const Compute& compute) {
  // A page that may be read, beside one that may not: neighbours do not become one.
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* pages = mmap(nullptr, 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages != MAP_FAILED) mprotect(pages, page, PROT_READ);
  compute();
}

void RoundingModeLeft(const Run& /*run*/, const Compute& compute) {
  compute();
  std::fesetround(FE_UPWARD);
}

void DenormalsLeftOff(const Run& /*run*/, const Compute& compute) {
  compute();
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8040);  // flush to zero, denormals are zero
#endif
}

void SignalLeftBlocked(const Run& /*run*/, const Compute& compute) {
  compute();
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

void DirectoryChanged(const Run& /*run*/, const Compute& compute) {
  compute();
  static_cast<void>(chdir("/proc/self") == 0);
}

void HandlerLeft(const Run& /*run*/, const Compute& compute) {
  compute();
  std::signal(SIGUSR2, SIG_IGN);
}

void VariableLeft(const Run& /*run*/, const Compute& compute) {
  compute();
  setenv("OMP_NUM_THREADS", "1", 1);
}

void Prints(const Run& /*run*/, const Compute& compute) {
  compute();
  std::printf("layer done\n");
  std::fflush(stdout);
}

void PrintsErrors(const Run& /*run*/, const Compute& compute) {
  compute();
  std::fprintf(stderr, "layer done\n");
}

using Around = void (*)(const Run& run, const Compute& compute);
struct Row {
  Mistake mistake;
  Around around;
};

constexpr Row kRows[] = {
    {Mistake::kNanLost, &NanLost},
    {Mistake::kInfinityLost, &InfinityLost},
    {Mistake::kSlightlyWrong, &SlightlyWrong},
    {Mistake::kIntegersThroughFloat, &IntegersThroughFloat},
    {Mistake::kZeroPointForgotten, &ZeroPointForgotten},
    {Mistake::kNotDeterministic, &NotDeterministic},
    {Mistake::kConstantsRounded, &ConstantsRounded},
    {Mistake::kNeighboursResult, &NeighboursResult},
    {Mistake::kForeignTensorsMisread, &ForeignTensorsMisread},
    {Mistake::kLoadDisturbsRuns, &LoadDisturbsRuns},
    {Mistake::kInputOverwritten, &InputOverwritten},
    {Mistake::kInputPutBack, &InputPutBack},
    {Mistake::kConstantsOverwritten, &ConstantsOverwritten},
    {Mistake::kWritesBehindOutput, &WritesBehindOutput},
    {Mistake::kWritesBeforeOutput, &WritesBeforeOutput},
    {Mistake::kReadsBehindInput, &ReadsBehindInput},
    {Mistake::kOutputHalfWritten, &OutputHalfWritten},
    {Mistake::kOutputAddedTo, &OutputAddedTo},
    {Mistake::kWrongInPlaceClaim, &WrongInPlaceClaim},
    {Mistake::kOwnKindsMisread, &OwnKindsMisread},
    {Mistake::kCopiesHalf, &CopiesHalf},
    {Mistake::kWrongInPlaceOfKinds, &WrongInPlaceOfKinds},
    {Mistake::kConstantsAligned, &ConstantsAligned},
    {Mistake::kInputsOfPages, &InputsOfPages},
    {Mistake::kScratchShared, &ScratchShared},
    {Mistake::kResultDependsOnOthers, &ResultDependsOnOthers},
    {Mistake::kLeakPerRun, &LeakPerRun},
    {Mistake::kSmallLeakPerRun, &SmallLeakPerRun},
    {Mistake::kDescriptorPerRun, &DescriptorPerRun},
    {Mistake::kThreadPerRun, &ThreadPerRun},
    {Mistake::kMappingPerRun, &MappingPerRun},
    {Mistake::kRoundingModeLeft, &RoundingModeLeft},
    {Mistake::kDenormalsLeftOff, &DenormalsLeftOff},
    {Mistake::kSignalLeftBlocked, &SignalLeftBlocked},
    {Mistake::kDirectoryChanged, &DirectoryChanged},
    {Mistake::kHandlerLeft, &HandlerLeft},
    {Mistake::kVariableLeft, &VariableLeft},
    {Mistake::kPrints, &Prints},
    {Mistake::kPrintsErrors, &PrintsErrors},
};

}  // namespace

void ComputeMistaken(const Run& run, const std::function<void()>& compute) {
  for (const Row& row : kRows) {
    if (Makes(row.mistake)) return row.around(run, compute);
  }
  compute();
}

}  // namespace mutants
