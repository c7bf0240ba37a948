// What a backend leaves behind, and what it changes in the process.

#include "harness/descriptor_text.hpp"
#include "harness/host_tensors.hpp"
#include "harness/run_code.hpp"
#include "harness/samples.hpp"
#include "harness/session.hpp"
#include "harness/usage.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/host/thread_state.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace backplane::check_backend {
namespace {

constexpr std::size_t kNumLayers = 10;

/// What each of some rounds left behind, at least: the first ones fill caches and pools.
std::int64_t MeasureGrowth(Resource resource, int num_repeats,
                           const std::function<void()>& repeat) {
  constexpr int kWarmRounds = 3;
  constexpr int kRounds = 4;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t before = 0;
  for (int round = 0; round < kWarmRounds + kRounds && least > 0; ++round) {
    for (int i = 0; i < num_repeats; ++i) repeat();
    const std::int64_t now = CountResource(resource);
    if (round >= kWarmRounds) least = std::min(least, now - before);
    before = now;
  }
  return least;
}

/// True: it grows with each repetition, and that was reported.
bool ReportGrowth(Session& session, Resource resource, int num_repeats, const char* what,
                  const std::function<void()>& repeat) {
  // Less than that is not one for each.
  const std::int64_t per_repeat = resource == Resource::kHeapBytes     ? 8
                                  : resource == Resource::kMappedBytes ? 4096
                                                                       : 1;
  if (MeasureGrowth(resource, num_repeats, repeat) < per_repeat * num_repeats) return false;
  // Caches of allocators, of which each thread has one, fill slowly.
  constexpr int kLonger = 4;
  session.ShowLife();
  const std::int64_t growth = MeasureGrowth(resource, num_repeats * kLonger, repeat) / kLonger;
  if (growth < per_repeat * num_repeats) return false;
  session.Report(std::to_string(growth) + " " + GetResourceText(resource) + " more after every " +
                     std::to_string(num_repeats) + " " + what + ", without an end",
                 "as many as before");
  return true;
}

/// Runs workloads again and again.
void CheckGrowthOfRuns(Session& session, Resource resource) {
  constexpr int kRepeats = 16;
  for (const Sample& sample : MakeFewSamples(session, kNumLayers)) {
    if (!session.Begin("runs " + DescribeLayer(sample.made) + " again and again")) continue;
    SetRunCode(session, sample, "  for (int i = 0; i < 1000; ++i) run();\n");
    const Running running = MakeRunning(session.GetPlugin(), sample.made);
    const HostTensors tensors(sample, GuardedSide::kBehind, 0);
    const auto run = [&] { static_cast<void>(RunOn(running, tensors)); };
    if (ReportGrowth(session, resource, kRepeats, "runs", run)) return;  // it is in every layer
  }
}

constexpr Resource kResources[] = {Resource::kHeapBytes, Resource::kDescriptors, Resource::kThreads,
                                   Resource::kMappings, Resource::kMappedBytes};

void CheckAllGrowth(Session& session, int num_repeats, const char* what,
                    const std::function<void()>& repeat) {
  for (const Resource resource : kResources) {
    ReportGrowth(session, resource, num_repeats, what, repeat);
    session.ShowLife();
  }
}

/// Blocks of a size that the heap gives its own mappings.
void CheckGrowthOfBlocks(Session& session, IMemoryManager& manager) {
  if (!session.Begin(
          "acquires and releases a block of 1 MiB of a registered memory manager again and "
          "again")) {
    return;
  }
  const auto use_block = [&] {
    MemoryBlock block;
    MemoryRequirements requirements;
    requirements.size_bytes = std::uint64_t{1} << 20U;
    requirements.alignment_bytes = 64;
    if (manager.Acquire(requirements, &block) == Status::kSuccess) manager.Release(block);
  };
  for (const Resource resource : {Resource::kMappedBytes, Resource::kHeapBytes}) {
    if (ReportGrowth(session, resource, 8, "blocks", use_block)) return;
  }
}

/// What the calling thread has after a call that it did not have before.
void ExpectSameThread(Session& session, const ThreadState& before, const char* call) {
  if (before.IsCurrent()) return;
  for (const ThreadStateChange& change : before.Restore()) {
    session.Report(std::string(GetThreadStateText(change.part)) + " are changed by " + call + ": " +
                       change.before + " before, " + change.after + " after it; " +
                       GetThreadStateConsequence(change.part),
                   "that the calling thread is left as it was");
  }
}

/// Standard output or error of this process, for as long as the object lives, as a file of memory.
class Captured {
 public:
  explicit Captured(int descriptor)
      : descriptor_(descriptor),
        kept_(dup(descriptor)),
        file_(memfd_create("captured", MFD_CLOEXEC)) {
    std::fflush(nullptr);
    dup2(file_, descriptor_);
  }
  ~Captured() {
    std::fflush(nullptr);
    dup2(kept_, descriptor_);
    close(kept_);
    close(file_);
  }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;

  /// The beginning of what was written.
  std::string Read() const {
    std::fflush(nullptr);
    std::array<char, 300> text{};
    const ssize_t count = pread(file_, text.data(), text.size(), 0);
    return std::string(text.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
  }

 private:
  int descriptor_;
  int kept_;
  int file_;
};

/// Opens the library, runs the layers, and closes it.
void RunAndClose(Session& session, const std::vector<Sample>& samples) {
  for (const Sample& sample : samples) {
    const Running running = MakeRunning(session.GetPlugin(), sample.made);
    const HostTensors tensors(sample, GuardedSide::kBehind, 0);
    static_cast<void>(RunOn(running, tensors));
  }
  session.ClosePlugin();
}

/// The whole life of the backend, from opening to closing, with all that is asked for layers.
void LiveOnce(Session& session) {
  session.ClosePlugin();
  RunAndClose(session, MakeFewSamples(session, kNumLayers));
}

void CheckSilence(Session& session, int descriptor, const char* name) {
  if (!session.Begin(std::string("opens the backend, runs layers and closes it, and reads ") +
                     name)) {
    return;
  }
  std::string printed;
  {
    const Captured captured(descriptor);
    LiveOnce(session);
    printed = captured.Read();
  }
  session.Expect(printed.empty(), "\"" + EscapeForDisplay(printed) + "\" on " + name,
                 std::string("nothing: ") + name +
                     " belongs to the application, whose results may stand there; ILogger is for "
                     "what a backend has to say");
}

}  // namespace

void CheckRunsKeepNoMemory(Session& session) {
  CheckGrowthOfRuns(session, Resource::kHeapBytes);
}

void CheckRunsKeepNoDescriptors(Session& session) {
  CheckGrowthOfRuns(session, Resource::kDescriptors);
}

void CheckRunsKeepNoThreads(Session& session) {
  CheckGrowthOfRuns(session, Resource::kThreads);
}

void CheckRunsKeepNoMappings(Session& session) {
  CheckGrowthOfRuns(session, Resource::kMappings);
  CheckGrowthOfRuns(session, Resource::kMappedBytes);
  const RegisteredMemory memory = session.GetPlugin().RegisterMemory();
  for (const auto& manager : memory.memory_managers) {
    CheckGrowthOfBlocks(session, *manager.Share());
  }
}

void CheckNetworksKeepNothing(Session& session) {
  for (const Sample& sample : MakeFewSamples(session, 4)) {
    if (!session.Begin("makes the workload of " + DescribeLayer(sample.made) +
                       " with its factory and state, runs and destroys it, again and again")) {
      continue;
    }
    const HostTensors tensors(sample, GuardedSide::kBehind, 0);
    CheckAllGrowth(session, 8, "networks", [&] {
      const Running running = MakeRunning(session.GetPlugin(), sample.made);
      static_cast<void>(RunOn(running, tensors));
    });
  }
}

void CheckContextsKeepNothing(Session& session) {
  if (!session.Begin("makes and destroys a context again and again")) return;
  Plugin& plugin = session.GetPlugin();
  const BackendContextArgs args = plugin.MakeContextArgs();
  CheckAllGrowth(session, 8, "contexts",
                 [&] { const auto context = plugin.GetBackend().CreateBackendContext(args); });
}

void CheckOpeningsKeepNothing(Session& session) {
  if (!session.Begin("opens the library, runs layers and closes it again and again")) return;
  const int num_repeats = 4;
  const std::vector<Sample> samples = MakeFewSamples(session, kNumLayers);
  for (const Resource resource :
       {Resource::kDescriptors, Resource::kThreads, Resource::kMappings}) {
    ReportGrowth(session, resource, num_repeats, "openings", [&] {
      session.ShowLife();
      session.ClosePlugin();
      session.GetPlugin();
      RunAndClose(session, samples);
    });
  }
}

void CheckThreadsAreLeftAlone(Session& session) {
  for (const Sample& sample : MakeFewSamples(session, kNumLayers * 2)) {
    if (!session.Begin("looks at the calling thread before and after calls for " +
                       DescribeLayer(sample.made))) {
      continue;
    }
    SetRunCode(session, sample,
               "  // #include <cfenv>\n  std::printf(\"rounding %d\\n\", std::fegetround());\n  "
               "run();\n  std::printf(\"rounding %d\\n\", std::fegetround());\n");
    session.ClosePlugin();
    const ThreadState before = ThreadState::Read();
    Plugin& plugin = session.GetPlugin();
    ExpectSameThread(session, before, "opening the library and making its context");
    const auto support = plugin.GetSupport();
    ExpectSameThread(session, before, "GetLayerSupport");
    AskWhetherSupported(*support, sample.made);
    ExpectSameThread(session, before, "IsLayerSupported");
    Running running;
    running.factory = plugin.MakeFactory();
    ExpectSameThread(session, before, "CreateWorkloadFactory");
    running.workload = conformance::MakeWorkload(*running.factory, sample.made);
    ExpectSameThread(session, before, "CreateWorkload");
    running.state = running.factory->CreateExecutionState();
    ExpectSameThread(session, before, "CreateExecutionState");
    const HostTensors tensors(sample, GuardedSide::kBehind, 0);
    static_cast<void>(RunOn(running, tensors));
    ExpectSameThread(session, before, "Execute");
  }
}

void CheckProcessIsLeftAlone(Session& session) {
  if (!session.Begin(
          "looks at the process before the backend is opened, and after layers have run")) {
    return;
  }
  session.ClosePlugin();
  const ProcessState before = ReadProcessState();
  LiveOnce(session);
  for (const std::string& change : DescribeChanges(before, ReadProcessState())) {
    session.Report(change, "that the process, which is the application's, is left as it was");
  }
}

void CheckOutputIsLeftAlone(Session& session) {
  CheckSilence(session, STDOUT_FILENO, "standard output");
}

void CheckErrorsAreLeftAlone(Session& session) {
  CheckSilence(session, STDERR_FILENO, "standard error");
}

}  // namespace backplane::check_backend
