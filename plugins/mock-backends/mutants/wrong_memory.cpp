// Memory that is touched, or not written, against the contract.

#include "mistake.hpp"
#include "tensor_bytes.hpp"

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace mutants {
namespace {

using backplane::DataType;
using backplane::LayerType;

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

constexpr MistakeInRun kMistakes[] = {
    {Mistake::kInputOverwritten, &InputOverwritten},
    {Mistake::kInputPutBack, &InputPutBack},
    {Mistake::kConstantsOverwritten, &ConstantsOverwritten},
    {Mistake::kWritesBehindOutput, &WritesBehindOutput},
    {Mistake::kWritesBeforeOutput, &WritesBeforeOutput},
    {Mistake::kReadsBehindInput, &ReadsBehindInput},
    {Mistake::kOutputHalfWritten, &OutputHalfWritten},
    {Mistake::kOutputAddedTo, &OutputAddedTo},
    {Mistake::kWrongInPlaceClaim, &WrongInPlaceClaim},
    {Mistake::kCopiesHalf, &CopiesHalf},
    {Mistake::kWrongInPlaceOfKinds, &WrongInPlaceOfKinds},
    {Mistake::kConstantsAligned, &ConstantsAligned},
    {Mistake::kInputsOfPages, &InputsOfPages},
};

}  // namespace

Around FindWrongMemory() {
  for (const MistakeInRun& row : kMistakes) {
    if (Makes(row.mistake)) return row.around;
  }
  return nullptr;
}

}  // namespace mutants
