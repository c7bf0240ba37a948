/// However the process of an isolated backend lies, its host goes on. Each kind of lie at several
/// times, and a fixed number of mixtures; fuzz_worker takes more.

#include "run_script.hpp"
#include "seed_scripts.hpp"

#include <gtest/gtest.h>

#include <random>

namespace backplane::fuzz {
namespace {

constexpr int kNumMixtures = 150;

TEST(HostileWorkers, MayTellOneLieOfEachKind) {
  for (const std::string& script : MakeScripts()) {
    ASSERT_EQ(RunScript(script), "") << ::testing::PrintToString(script);
  }
}

TEST(HostileWorkers, MayTellAnyLies) {
  std::mt19937 random(7);
  for (int i = 0; i < kNumMixtures; ++i) {
    std::string script(4 + 8 * (1 + random() % 6), '\0');
    for (char& byte : script) byte = static_cast<char>(random());
    ASSERT_EQ(RunScript(script), "") << i << ": " << ::testing::PrintToString(script);
  }
}

}  // namespace
}  // namespace backplane::fuzz
