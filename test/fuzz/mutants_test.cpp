/// Whatever is done to a backend, inspecting it ends and every refusal has words. A fixed number of
/// mutants; run_all.py takes many more through the whole command.

#include "mutants.hpp"
#include "inspection/inspect_file.hpp"
#include "libraries/dependency_inspector.hpp"
#include "support/build_tree.hpp"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <set>

namespace backplane::fuzz {
namespace {

constexpr std::uint64_t kNumCorruptions = 600;

void ExpectWords(const inspection::StageOutcome& outcome) {
  for (const Diagnostic& diagnostic : outcome.diagnostics) {
    EXPECT_FALSE(diagnostic.what.empty());
    EXPECT_FALSE(diagnostic.why.empty());
    EXPECT_FALSE(diagnostic.fix.empty());
  }
}

class Mutants : public ::testing::Test {
 protected:
  // Whether the format was accepted without a word.
  bool Inspect(const std::string& bytes) {
    const int descriptor = memfd_create("mutant", MFD_CLOEXEC);
    EXPECT_EQ(write(descriptor, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    const char* const path = "/fuzz/Fuzz_Mutant_backend.so";
    const inspection::InspectedFile file = inspection::InspectFile(descriptor, path);
    for (const inspection::StageOutcome& outcome : file.stages) ExpectWords(outcome);
    ExpectWords(inspector_.Inspect(descriptor, path, path));
    close(descriptor);
    return file.stages.front().diagnostics.empty();
  }

  const std::string good_ = ReadFile(test::InBuildTree(BACKPLANE_GOOD_BACKEND));
  libraries::DependencyInspector inspector_{libraries::IsDefinedInProcess()};
};

TEST_F(Mutants, OfTheGoodBackendHaveAllRegions) {
  EXPECT_TRUE(Inspect(good_));
  std::set<std::string> names;
  for (const Region& region : FindRegions(good_)) {
    names.insert(region.name);
    EXPECT_LE(region.offset + region.size_bytes, good_.size()) << region.name;
  }
  for (const char* name : {"header", "program headers", "dynamic section", "symbols", "strings",
                           "hash table", "symbol versions", "needed versions", "relocations"}) {
    EXPECT_EQ(names.count(name), 1U) << name;
  }
}

TEST_F(Mutants, AreTheSameForTheSameSeedAndNeverTheGoodBackend) {
  const std::vector<Region> regions = FindRegions(good_);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const std::string mutant = Corrupt(good_, regions, seed);
    EXPECT_EQ(mutant, Corrupt(good_, regions, seed));
    EXPECT_NE(mutant, good_);
    EXPECT_EQ(mutant.size(), good_.size());
  }
}

TEST_F(Mutants, ThatAreCutAreRefused) {
  const std::vector<std::uint64_t> lengths = GetTruncations(good_);
  // All of them are tried on the smaller backend of the inspection tests.
  for (std::size_t i = 0; i < lengths.size(); i += 4) {
    EXPECT_FALSE(Inspect(good_.substr(0, lengths[i]))) << lengths[i];
  }
}

TEST_F(Mutants, ThatAreCorruptNeverCrashTheInspector) {
  const std::vector<Region> regions = FindRegions(good_);
  std::uint64_t num_accepted = 0;
  for (std::uint64_t seed = 0; seed < kNumCorruptions; ++seed) {
    SCOPED_TRACE(seed);
    if (Inspect(Corrupt(good_, regions, seed))) ++num_accepted;
  }
  EXPECT_GT(num_accepted, kNumCorruptions / 20);
  EXPECT_LT(num_accepted, kNumCorruptions * 19 / 20);
}

}  // namespace
}  // namespace backplane::fuzz
