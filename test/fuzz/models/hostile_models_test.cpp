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
#include <iterator>
#include <random>
#include <stdexcept>
#include <utility>

namespace backplane::fuzz {
namespace {

namespace fs = std::filesystem;

// Under sanitizers address space is no measure.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t kAddressSpaceBytes = 0;
#else
constexpr std::uint64_t kAddressSpaceBytes = std::uint64_t{2} << 30U;
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

  /// Gives how many are accepted.
  std::size_t ImportAll(const std::vector<Mutant>& mutants) const {
    const GuardedRun run = RunGuarded(mutants.size(), {kAddressSpaceBytes, kSecondsPerItem},
                                      [&](std::size_t item) { return Import(mutants[item]); });
    for (const Death& death : run.deaths) {
      ADD_FAILURE() << mutants[death.item].name << ": " << death.how;
    }
    return run.num_true;
  }

  test::TemporaryDirectory folder_;
};

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Small models with every operator, as far as they are installed.
std::vector<Mutant> ReadOperatorTests() {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator entry(fs::path(BACKPLANE_ONNX_TESTDATA) / "node", error), end;
       !error && entry != end; entry.increment(error)) {
    const fs::path path = entry->path() / "model.onnx";
    if (fs::exists(path) && fs::file_size(path) < 20000) paths.push_back(path);
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Mutant> models;
  for (const fs::path& path : paths) {
    models.push_back({path.parent_path().filename(), ReadFile(path)});
  }
  return models;
}

Mutant FlipBytes(const Mutant& model, unsigned seed) {
  std::mt19937 engine(seed);
  Mutant mutant{model.name + ", seed " + std::to_string(seed), model.bytes};
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
  std::vector<Mutant> mutants;
  for (const SeedModel& seed : MakeSeedModels()) {
    const std::string bytes = seed.model.SerializeAsString();
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      mutants.push_back({seed.name + " cut at " + std::to_string(size), bytes.substr(0, size)});
    }
  }
  // Behind the graph stands only the operator set.
  EXPECT_LT(ImportAll(mutants), mutants.size() / 50);
}

TEST_F(HostileModels, MayHaveAnyNamesAndNumbers) {
  std::vector<Mutant> mutants;
  for (const SeedModel& seed : MakeSeedModels()) {
    for (const ModelMutation& mutation : MakeMutations(seed.model)) {
      ::onnx::ModelProto model = seed.model;
      mutation.apply(model);
      mutants.push_back({seed.name + ", " + mutation.name, model.SerializeAsString()});
    }
  }
  EXPECT_GT(mutants.size(), 1000U);
  const std::size_t num_accepted = ImportAll(mutants);
  EXPECT_GT(num_accepted, mutants.size() / 50);
  EXPECT_LT(num_accepted, mutants.size() / 2);
}

TEST_F(HostileModels, MayHaveAnyBytesChanged) {
  constexpr unsigned kRounds = 400;
  std::vector<Mutant> mutants;
  for (const SeedModel& seed : MakeSeedModels()) {
    const Mutant model{seed.name, seed.model.SerializeAsString()};
    for (unsigned round = 0; round < kRounds; ++round) mutants.push_back(FlipBytes(model, round));
  }
  const std::size_t num_accepted = ImportAll(mutants);
  EXPECT_GT(num_accepted, mutants.size() / 50);
  EXPECT_LT(num_accepted, mutants.size());
}

// Those of every operator are too many for each run; these are the same in each.
std::vector<Mutant> MutateSome(const Mutant& model, std::size_t count, std::mt19937& engine) {
  ::onnx::ModelProto proto;
  if (!proto.ParseFromString(model.bytes)) return {};
  const std::vector<ModelMutation> mutations = MakeMutations(proto);
  std::vector<Mutant> mutants;
  for (std::size_t i = 0; i < count && !mutations.empty(); ++i) {
    const ModelMutation& mutation = mutations[engine() % mutations.size()];
    ::onnx::ModelProto changed = proto;
    mutation.apply(changed);
    mutants.push_back({model.name + ", " + mutation.name, changed.SerializeAsString()});
  }
  return mutants;
}

TEST_F(HostileModels, OfEveryOperatorMayHaveAnyNamesAndNumbers) {
  constexpr std::size_t kMutationsOfEach = 4;
  std::mt19937 engine(11);
  const std::vector<Mutant> models = ReadOperatorTests();
  if (models.empty()) GTEST_SKIP() << "install libonnx-testdata";
  std::vector<Mutant> mutants;
  for (const Mutant& model : models) {
    for (Mutant& mutant : MutateSome(model, kMutationsOfEach, engine)) {
      mutants.push_back(std::move(mutant));
    }
  }
  ImportAll(mutants);
}

TEST_F(HostileModels, OfEveryOperatorMayHaveAnyBytesChanged) {
  constexpr unsigned kRounds = 10;
  std::vector<Mutant> mutants;
  for (const Mutant& model : ReadOperatorTests()) {
    for (unsigned round = 0; round < kRounds; ++round) mutants.push_back(FlipBytes(model, round));
  }
  if (mutants.empty()) GTEST_SKIP() << "install libonnx-testdata";
  ImportAll(mutants);
}

}  // namespace
}  // namespace backplane::fuzz
