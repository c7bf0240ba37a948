/// Processes of backends that say what is not true, and hosts that do: none hurts the other side.

#include "isolated_runtime.hpp"
#include "support/build_tree.hpp"
#include "support/temporary_directory.hpp"

#include <unistd.h>

#include <gmock/gmock.h>

#include <chrono>
#include <cstdlib>

namespace backplane::test {
namespace {

/// How many seeds are tried; more where somebody has the time.
int GetNumSeeds() {
  const char* const wished = std::getenv("BACKPLANE_LIES_SEEDS");
  return wished != nullptr ? std::atoi(wished) : 5;
}

class IsolatedLies : public ::testing::Test {
 protected:
  IsolatedLies() {
    const std::string probe = InBuildTree(BACKPLANE_PROBE);
    const std::string folder = probe.substr(0, probe.find_last_of('/'));
    EXPECT_EQ(symlink(probe.c_str(), (directory_ / "backplane-probe").c_str()), 0);
    EXPECT_EQ(symlink(MEDDLING_WORKER, (directory_ / "backplane-worker").c_str()), 0);
    setenv("BACKPLANE_REAL_WORKER", (folder + "/backplane-worker").c_str(), 1);
  }
  ~IsolatedLies() override {
    unsetenv("BACKPLANE_REAL_WORKER");
    unsetenv("BACKPLANE_LIES");
  }

  TemporaryDirectory directory_;
};

// What fails, fails with words; what comes of it may be wrong, for the memory is written to.
TEST_F(IsolatedLies, HurtNeitherSide) {
  int num_runs = 0;
  std::string last;
  // Some seeds lie so early that nothing is ever run.
  constexpr int kMostSeeds = 200;
  for (int seed = 0; seed < GetNumSeeds() || (num_runs == 0 && seed < kMostSeeds); ++seed) {
    setenv("BACKPLANE_LIES", std::to_string(seed * 1000).c_str(), 1);
    IsolationSettings settings;
    settings.max_deaths = 1'000'000;
    settings.environment = {"BACKPLANE_*"};
    settings.call_timeout = std::chrono::milliseconds(300);
    try {
      IsolatedRuntime runtime(settings, "Misbehaves", directory_ / "backplane-probe");
      for (int round = 0; round < 4; ++round) {
        try {
          const NetworkId network = runtime.Load({"a", "b", "c"});
          RunOptions options;
          options.timeout = std::chrono::milliseconds(300);
          for (int i = 0; i < 5; ++i) {
            const IsolatedRun run = runtime.Run(network, 7, &options);
            EXPECT_EQ(run.status == Status::kSuccess, !run.failure.has_value());
            ++num_runs;
          }
        } catch (const DiagnosticException& exception) {
          last = ToText(exception.GetDiagnostic());
          EXPECT_FALSE(last.empty());
        }
      }
    } catch (const DiagnosticException& exception) {
      last = ToText(exception.GetDiagnostic());
      EXPECT_FALSE(last.empty());
    }
  }
  EXPECT_GT(num_runs, 0) << last;
}

}  // namespace
}  // namespace backplane::test
