#include "seed_scripts.hpp"

#include "lies.hpp"
#include "use_as_host.hpp"

namespace backplane::fuzz {
namespace {

using Part = HostPart;

/// The other parts are left out, so that an execution is short.
const std::vector<std::vector<Part>> kUses = {
    {Part::kContexts, Part::kQuestions, Part::kProfiling},
    {Part::kMemory, Part::kBlocks, Part::kMaps},
    {Part::kMemory, Part::kImports, Part::kExports},
    {Part::kOptimisation, Part::kRunsWithPrivateMemory},
    {Part::kMemory, Part::kRunsWithSharedMemory, Part::kRunsWithHandles},
};

std::uint32_t LeaveOutOthers(const std::vector<Part>& parts) {
  std::uint32_t left_out = (1U << kNumHostParts) - 1;
  for (const Part part : parts) left_out &= ~(1U << static_cast<std::uint32_t>(part));
  return left_out;
}

}  // namespace

std::vector<std::string> MakeScripts() {
  std::vector<std::string> scripts = {EncodeScript({})};
  constexpr std::size_t kNumKinds = static_cast<std::size_t>(LieKind::kEndInRun) + 1;
  constexpr std::uint8_t kDelays[] = {2, 7};
  for (std::size_t kind = 0; kind < kNumKinds; ++kind) {
    for (const auto& parts : kUses) {
      for (const std::uint8_t delay : kDelays) {
        const Lie lie{static_cast<LieKind>(kind), delay, static_cast<std::uint16_t>(8 + delay),
                      static_cast<std::uint32_t>(4 * delay)};
        scripts.push_back(EncodeScript({LeaveOutOthers(parts), {lie}}));
      }
    }
  }
  return scripts;
}

}  // namespace backplane::fuzz
