#include <backplane/host/probe_program.hpp>

#include "probing/probe_request.hpp"
#include "probing/serve_plugin.hpp"
#include "probing/supervise.hpp"
#include "wire/file_descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace backplane {
namespace {

constexpr int kPipe = 3;
constexpr int kExitUsage = 64;

/// What the loader and the plugin's process write there is collected elsewhere.
void SilenceErrors() {
  const wire::FileDescriptor nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (nowhere.IsOpen()) dup2(nowhere.Get(), STDERR_FILENO);
}

}  // namespace

int RunProbeProgram(int argc, const char* const* argv, MeasureBackend measure) {
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  auto request = probing::DecodeRequest(arguments);
  const bool is_able =
      request && (request->depth != probing::ProbeDepth::kMeasure || measure != nullptr);
  if (!is_able || fcntl(kPipe, F_GETFD) < 0) {
    std::fprintf(stderr,
                 "backplane-probe %s, protocol-%d, cannot do what it was asked for%s%s\n"
                 "It is started by libbackplane-host of its own version; to check a backend, run "
                 "list-backends.\n",
                 BACKPLANE_VERSION, probing::kProtocolVersion,
                 arguments.empty() ? "" : ", which begins with ",
                 arguments.empty() ? "" : arguments.front().c_str());
    return kExitUsage;
  }
  // The loader has read it; what the plugin starts should not.
  unsetenv("LD_DEBUG");
  SilenceErrors();
  for (int descriptor = kPipe; descriptor <= probing::kServeOutput; ++descriptor) {
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  }
  fcntl(probing::kServeOutput, F_SETFL, O_NONBLOCK);
  request->measure = measure;
  return probing::Supervise(*request, kPipe);
}

}  // namespace backplane
