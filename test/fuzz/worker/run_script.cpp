#include "run_script.hpp"

#include "honest_backend.hpp"
#include "lies.hpp"
#include "lying_worker.hpp"
#include "use_as_host.hpp"

#include <dirent.h>

#include <atomic>
#include <cstring>
#include <fstream>

namespace backplane::fuzz {
namespace {

using isolation::WorkerLife;

// Also a bit of what is left out.
constexpr std::uint32_t kFewDeathsBit = 1U << 31U;

/// Reads every line.
class ReadingLogger final : public ILogger {
 public:
  bool IsEnabled(LogLevel /*level*/) const override { return true; }
  Status Log(LogLevel /*level*/, const char* message) override {
    num_bytes_ += std::strlen(message);
    return Status::kSuccess;
  }

 private:
  std::atomic<std::uint64_t> num_bytes_{0};
};

std::shared_ptr<WorkerLife> MakeLife(Lies& lies, std::uint32_t max_deaths) {
  isolation::WorkerPlan plan;
  plan.backend_id = kBackendId;
  plan.settings.call_timeout = std::chrono::milliseconds(kPatienceMs);
  plan.settings.max_deaths = max_deaths;
  plan.logger = std::make_shared<ReadingLogger>();
  plan.starter = test::PlayInThread([&](test::WorkerEnds& ends) { PlayLyingWorker(ends, lies); });
  return std::make_shared<WorkerLife>(std::move(plan));
}

std::size_t CountDescriptors() {
  std::size_t count = 0;
  DIR* const stream = opendir("/proc/self/fd");
  while (readdir(stream) != nullptr) ++count;
  closedir(stream);
  return count;
}

/// Mappings of files in memory.
std::size_t CountMappings() {
  std::ifstream stream("/proc/self/maps");
  std::size_t count = 0;
  for (std::string line; std::getline(stream, line);) {
    if (line.find("/memfd:") != std::string::npos) ++count;
  }
  return count;
}

/// Whether a process works that does not lie.
bool WorksHonestly(const std::shared_ptr<WorkerLife>& life) {
  if (const auto worker = life->FindLast()) worker->End("the lies are over");
  // A machine that is busy may take longer than the host waits.
  constexpr int kMostTimes = 20;
  constexpr auto kRuns = static_cast<std::uint32_t>(HostPart::kRunsWithSharedMemory);
  for (int i = 0; i < kMostTimes; ++i) {
    const HostResult result = UseAsHost(life, ~(1U << kRuns));
    if (result.fault.empty() && result.is_right && result.num_failures == 0) return true;
  }
  return false;
}

std::string RunWithLies(const LieScript& script) {
  Lies lies(script.lies);
  const bool may_stay_out = (script.left_out & kFewDeathsBit) != 0;
  auto life = MakeLife(lies, may_stay_out ? 2 : 1000);
  const HostResult result = UseAsHost(life, script.left_out);
  lies.Stop();
  if (!result.fault.empty()) return result.fault;
  if (may_stay_out) life = MakeLife(lies, 1000);
  return WorksHonestly(life) ? "" : "no process works when the lies are over";
}

}  // namespace

std::string RunScript(std::string_view bytes) {
  const std::size_t num_descriptors = CountDescriptors();
  const std::string fault = RunWithLies(DecodeScript(bytes));
  if (!fault.empty()) return fault;
  if (CountDescriptors() != num_descriptors) return "descriptors are left";
  return CountMappings() == 0 ? "" : "shared memory is left";
}

}  // namespace backplane::fuzz
