#include "placement/keeping_backend.hpp"
#include "runtime/runtime_fixture.hpp"
#include "support/temporary_directory.hpp"

#include <gmock/gmock.h>

#include <filesystem>

namespace backplane {
namespace {

namespace fs = std::filesystem;

/// Each network is optimised by a runtime of its own, as in a process of its own.
class CompiledNetworks : public testing::Test {
 protected:
  CompiledNetworks() { options_.compiled_cache = MakeCompiledNetworkCache(path_); }

  /// Optimises a chain and runs it; gives what came out for {0, 1, 2, 3}.
  std::vector<float> Run(const INetwork& network) {
    auto registry = std::make_shared<BackendRegistry>();
    registry->Register(MakeRegistration(backend_));
    const auto runtime = CreateRuntime({registry, {}, {}}, {});
    const auto optimized = Optimize(network, {"K"}, runtime->GetDeviceSpec(), options_);
    warnings_ = optimized->GetPlacement().warnings;
    uses_ = optimized->GetPlacement().cache_uses;
    text_ = ToText(optimized->GetPlacement());
    std::vector<float> output(4);
    EXPECT_EQ(runtime->EnqueueWorkload(runtime->LoadNetwork(optimized),
                                       {MakeInput(0, {0, 1, 2, 3})}, {MakeOutput(0, output)}),
              Status::kSuccess);
    return output;
  }
  std::vector<float> RunChain() { return Run(*MakeChain({"a", "b", "c"})); }

  void ExpectCounts(int num_compiled, int num_loaded) const {
    EXPECT_EQ(backend_->num_compiled, num_compiled);
    EXPECT_EQ(backend_->num_loaded, num_loaded);
  }

  const test::TemporaryDirectory directory_;
  const std::string path_ = directory_ / "cache";
  const std::shared_ptr<KeepingBackend> backend_ = std::make_shared<KeepingBackend>();
  OptimizerOptions options_;
  std::vector<Diagnostic> warnings_;
  std::vector<PlacedCacheUse> uses_;
  std::string text_;
};

const std::vector<float> kAddedThree{3, 4, 5, 6};

TEST_F(CompiledNetworks, AreCompiledOnce) {
  EXPECT_EQ(RunChain(), kAddedThree);
  ExpectCounts(1, 0);
  EXPECT_EQ(RunChain(), kAddedThree);
  EXPECT_EQ(Run(*MakeChain({"other", "names", "here"})), kAddedThree);
  ExpectCounts(1, 2);
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(CompiledNetworks, TellWhatTheyHadOfTheCache) {
  RunChain();
  ASSERT_EQ(uses_.size(), 1U);
  EXPECT_EQ(uses_[0].backend_id, "K");
  EXPECT_EQ(uses_[0].num_layers, 3U);
  EXPECT_EQ(uses_[0].num_hits, 0U);
  EXPECT_EQ(uses_[0].num_misses, 1U);
  EXPECT_EQ(uses_[0].num_kept, 1U);
  EXPECT_GT(uses_[0].kept_bytes, 0U);
  EXPECT_GE(uses_[0].offer_ms, uses_[0].cache_ms);
  EXPECT_THAT(text_, testing::HasSubstr("compiled cache: K found 0 of 1 there (0 bytes), kept 1"));
  const std::uint64_t kept_bytes = uses_[0].kept_bytes;
  RunChain();
  EXPECT_EQ(uses_.at(0).num_hits, 1U);
  EXPECT_EQ(uses_[0].num_misses + uses_[0].num_kept, 0U);
  EXPECT_EQ(uses_[0].hit_bytes, kept_bytes);
}

TEST_F(CompiledNetworks, AreCompiledEachTimeWithoutCache) {
  options_.compiled_cache = nullptr;
  EXPECT_EQ(RunChain(), kAddedThree);
  EXPECT_TRUE(uses_.empty());
  EXPECT_EQ(RunChain(), kAddedThree);
  ExpectCounts(2, 0);
}

TEST_F(CompiledNetworks, AreToldApartByAllThatTheyDependOn) {
  RunChain();
  EXPECT_EQ(Run(*MakeChain({"a", "b"})), (std::vector<float>{2, 3, 4, 5}));
  ExpectCounts(2, 0);
  options_.model_options = {{"K", {{"Fast", true}}}};
  RunChain();
  ExpectCounts(3, 0);
  options_.model_options = {{"K", {{"Fast", false}}}};
  RunChain();
  ExpectCounts(4, 0);
  backend_->key = "compiler 2";
  RunChain();
  ExpectCounts(5, 0);
  RunChain();
  ExpectCounts(5, 1);
}

TEST_F(CompiledNetworks, AreCompiledAnewWhenTheirFileIsDamaged) {
  RunChain();
  for (const auto& file : fs::directory_iterator(path_)) {
    fs::resize_file(file.path(), fs::file_size(file.path()) - 1);
  }
  EXPECT_EQ(RunChain(), kAddedThree);
  ExpectCounts(2, 0);
  ASSERT_EQ(warnings_.size(), 1U);
  ExpectDiagnostic(warnings_[0], DiagnosticCode::kCompiledEntryRefused, "chain",
                   "found 0 bytes of content", "expected 1");
  EXPECT_EQ(RunChain(), kAddedThree);
  ExpectCounts(2, 1);
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(CompiledNetworks, RunWhenTheyCannotBeKept) {
  fs::remove_all(path_);
  EXPECT_EQ(RunChain(), kAddedThree);
  ASSERT_EQ(warnings_.size(), 1U);
  ExpectDiagnostic(warnings_[0], DiagnosticCode::kCompiledCacheUnusable, "chain", "No such file",
                   "cannot be written");
}

}  // namespace
}  // namespace backplane
