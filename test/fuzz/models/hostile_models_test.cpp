/// Whatever is done to a model, importing it ends with a network or with a diagnostic, in bounded
/// memory and time.

#include "guarded_process.hpp"
#include "model_mutations.hpp"
#include "seed_models.hpp"
#include "temporary_directory.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/onnx/import_model.hpp>

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <stdexcept>
#include <utility>

namespace backplane::fuzz {
namespace {

namespace fs = std::filesystem;

// Under sanitizers address space is no measure.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t kMoreBytes = 0;
#else
constexpr std::uint64_t kMoreBytes = std::uint64_t{1} << 30U;
#endif

constexpr unsigned kSecondsPerItem = 20;

struct Mutant {
  std::string name;
  std::string bytes;
};

/// A folder with what external data may be looked for in.
class HostileModels : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.Write("secret.bin", std::string(kExternalBytes, 's'));
    fs::create_directories(fs::path(folder_ / "models/folder"));
    folder_.Write("models/weights.bin", std::string(kExternalBytes, '\0'));
    folder_.Link("models/link.bin", "../secret.bin");
    mkfifo((folder_ / "models/pipe.bin").c_str(), S_IRUSR | S_IWUSR);
  }

  /// Whether it is accepted. Throws when neither a network nor words come of it.
  bool Import(const Mutant& mutant) const {
    const std::string path = folder_.Write("models/model.onnx", mutant.bytes);
    bool is_accepted = true;
    try {
      if (onnx::ImportModel(path).network == nullptr) throw std::runtime_error("no network");
    } catch (const DiagnosticException& exception) {
      const Diagnostic& diagnostic = exception.GetDiagnostic();
      if (diagnostic.what.empty() || diagnostic.fix.empty()) {
        throw std::runtime_error("no words: " + ToText(diagnostic));
      }
      is_accepted = false;
    }
    fs::remove(path);  // a new file is written faster than an old one is replaced
    return is_accepted;
  }

  /// Imports what `make` makes of the numbers up to `count`, and gives how many are accepted.
  std::size_t ImportAll(std::size_t count, const std::function<Mutant(std::size_t)>& make) const {
    const GuardedRun run = RunGuarded(count, {kMoreBytes, kSecondsPerItem},
                                      [&](std::size_t item) { return Import(make(item)); });
    for (const Death& death : run.deaths)
      ADD_FAILURE() << make(death.item).name << ": " << death.how;
    return run.num_true;
  }

  test::TemporaryDirectory folder_;
};

// Small models with every operator, as far as they are installed.
std::vector<SeedModel> ReadOperatorTests() {
  constexpr std::uintmax_t kMaxBytes = 20000;
  std::vector<SeedModel> models;
  std::error_code error;
  for (fs::directory_iterator entry(fs::path(BACKPLANE_ONNX_TESTDATA) / "node", error), end;
       !error && entry != end; entry.increment(error)) {
    const fs::path path = entry->path() / "model.onnx";
    if (!fs::exists(path) || fs::file_size(path) > kMaxBytes) continue;
    SeedModel model{entry->path().filename(), {}};
    std::ifstream file(path, std::ios::binary);
    if (model.model.ParseFromIstream(&file)) models.push_back(std::move(model));
  }
  std::sort(models.begin(), models.end(),
            [](const SeedModel& a, const SeedModel& b) { return a.name < b.name; });
  return models;
}

Mutant Apply(const ModelMutation& mutation, const SeedModel& model) {
  ::onnx::ModelProto changed = model.model;
  mutation.apply(changed);
  return {model.name + ", " + mutation.name, changed.SerializeAsString()};
}

Mutant FlipBytes(const SeedModel& model, std::size_t seed) {
  std::mt19937 engine(static_cast<unsigned>(seed));
  Mutant mutant{model.name + ", seed " + std::to_string(seed), model.model.SerializeAsString()};
  const std::size_t num_changes = 1 + engine() % 4;
  for (std::size_t change = 0; change < num_changes; ++change) {
    char& byte = mutant.bytes[engine() % mutant.bytes.size()];
    byte = static_cast<char>(engine() % 2 == 0 ? byte ^ (1 << engine() % 8) : engine());
  }
  return mutant;
}

TEST_F(HostileModels, AreGoodBeforeTheyAreDamaged) {
  for (const SeedModel& seed : MakeSeedModels()) {
    const std::string path = folder_.Write("models/model.onnx", seed.model.SerializeAsString());
    EXPECT_NO_THROW(onnx::ImportModel(path)) << seed.name;
  }
}

TEST_F(HostileModels, MayEndAnywhere) {
  for (const SeedModel& seed : MakeSeedModels()) {
    const std::string bytes = seed.model.SerializeAsString();
    const std::size_t num_accepted = ImportAll(bytes.size(), [&](std::size_t size) -> Mutant {
      return {seed.name + " cut at " + std::to_string(size), bytes.substr(0, size)};
    });
    // What stands at the end of a model can be left out.
    EXPECT_LT(num_accepted, bytes.size() / 20) << seed.name;
  }
}

TEST_F(HostileModels, MayHaveAnyNamesAndNumbers) {
  for (const SeedModel& seed : MakeSeedModels()) {
    const std::vector<ModelMutation> mutations = MakeMutations(seed.model);
    EXPECT_GT(mutations.size(), 100U) << seed.name;
    const std::size_t num_accepted =
        ImportAll(mutations.size(), [&](std::size_t item) { return Apply(mutations[item], seed); });
    EXPECT_GT(num_accepted, 0U) << seed.name;
    EXPECT_LT(num_accepted, mutations.size() / 2) << seed.name;
  }
}

TEST_F(HostileModels, MayHaveAnyBytesChanged) {
  constexpr std::size_t kRounds = 400;
  for (const SeedModel& seed : MakeSeedModels()) {
    const std::size_t num_accepted =
        ImportAll(kRounds, [&](std::size_t round) { return FlipBytes(seed, round); });
    EXPECT_GT(num_accepted, 0U) << seed.name;
    EXPECT_LT(num_accepted, kRounds) << seed.name;
  }
}

// Those of every operator are too many for each run; these are the same in each.
TEST_F(HostileModels, OfEveryOperatorMayHaveAnyNamesAndNumbers) {
  constexpr std::size_t kOfEach = 4;
  const std::vector<SeedModel> models = ReadOperatorTests();
  if (models.empty()) GTEST_SKIP() << "install libonnx-testdata";
  ImportAll(models.size() * kOfEach, [&](std::size_t item) -> Mutant {
    const SeedModel& model = models[item / kOfEach];
    const std::vector<ModelMutation> mutations = MakeMutations(model.model);
    std::mt19937 engine(static_cast<unsigned>(item));
    if (mutations.empty()) return {model.name, model.model.SerializeAsString()};
    return Apply(mutations[engine() % mutations.size()], model);
  });
}

TEST_F(HostileModels, OfEveryOperatorMayHaveAnyBytesChanged) {
  constexpr std::size_t kOfEach = 10;
  const std::vector<SeedModel> models = ReadOperatorTests();
  if (models.empty()) GTEST_SKIP() << "install libonnx-testdata";
  ImportAll(models.size() * kOfEach,
            [&](std::size_t item) { return FlipBytes(models[item / kOfEach], item % kOfEach); });
}

}  // namespace
}  // namespace backplane::fuzz
