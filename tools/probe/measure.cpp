/// backplane-measure: times one backend, watched, for libbackplane-host. Not called by hand.

#include "measured_networks.hpp"

#include <backplane/host/backend_registry.hpp>
#include <backplane/host/dynamic_backend.hpp>
#include <backplane/host/probe_program.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace backplane::measuring {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLeastRuns = 3;
constexpr std::chrono::milliseconds kEnough{15};  // for a backend that is quick
constexpr std::chrono::milliseconds kMost{60};    // for one that is slow

/// Errors: DiagnosticException when a run fails.
template <typename Run>
std::chrono::nanoseconds FindShortest(const Run& run) {
  run();
  std::chrono::nanoseconds shortest = std::chrono::hours(1);
  const Clock::time_point begin = Clock::now();
  Clock::time_point now = begin;
  for (int i = 0; now - begin < (i < kLeastRuns ? kMost : kEnough); ++i) {
    const Clock::time_point start = now;
    run();
    now = Clock::now();
    shortest = std::min<std::chrono::nanoseconds>(shortest, now - start);
  }
  return std::max(shortest, std::chrono::nanoseconds(1));
}

std::chrono::nanoseconds TimeNetwork(IRuntime& runtime, const INetwork& network) {
  const NetworkId id = runtime.LoadNetwork(Optimize(network, {}, runtime.GetDeviceSpec()));
  const TensorInfo input = network.GetInputs().front().info;
  const std::vector<float> x(static_cast<std::size_t>(input.shape.GetNumElements()), 0.5F);
  const std::uint64_t bytes = network.GetOutputs().front().info.GetSizeBytes();
  std::vector<float> y(bytes / sizeof(float));
  return FindShortest([&] {
    std::optional<Diagnostic> failure;
    const Status status =
        runtime.EnqueueWorkload(id, {{0, {input, x.data()}}}, {{0, y.data(), bytes}}, &failure);
    if (status != Status::kSuccess) throw DiagnosticException(*failure);
  });
}

/// Layers are refused one by one; the words of the first say enough.
std::string DescribeRefusal(const Diagnostic& refusal) {
  const Diagnostic* reason = &refusal;
  while (!reason->causes.empty()) reason = &reason->causes.front();
  return reason->what + (reason->why.empty() ? "" : ": " + reason->why);
}

/// Times the measured networks on a backend, in a runtime that has no other: each runs once to warm
/// up, then for some hundredths of a second. Of one that the backend does not run, it says why.
/// Errors: DiagnosticException when no runtime can be made with the backend.
std::vector<NetworkTime> MeasureNetworks(const DynamicBackend& backend, const BeginNetwork& begin) {
  BackendRegistry::GetProcessRegistry().Register(backend.GetRegistration());
  CreationOptions options;
  options.dynamic_backends_path = "/dev/null";  // no directory: nothing else is loaded
  const std::unique_ptr<IRuntime> runtime = IRuntime::Create(options);
  std::vector<NetworkTime> times;
  for (const MeasuredNetwork& measured : MakeMeasuredNetworks()) {
    begin(measured.name);
    NetworkTime& time = times.emplace_back();
    time.network = measured.name;
    try {
      time.time = TimeNetwork(*runtime, *measured.network);
    } catch (const DiagnosticException& exception) {
      time.refusal = DescribeRefusal(exception.GetDiagnostic());
    }
  }
  return times;
}

}  // namespace
}  // namespace backplane::measuring

int main(int argc, char** argv) {
  return backplane::RunProbeProgram(argc, argv, backplane::measuring::MeasureNetworks);
}
