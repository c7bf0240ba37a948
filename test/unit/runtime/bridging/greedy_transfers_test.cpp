#include "support/greedy_transfers.hpp"

#include <gtest/gtest.h>

namespace backplane::test {
namespace {

constexpr MemorySourceFlags kMalloc = ToFlags(MemorySource::kMalloc);
constexpr MemorySourceFlags kDmaBuf = ToFlags(MemorySource::kDmaBuf);
constexpr GreedyOptions kEnabled = {true, true};

using Transfers = std::vector<GreedyTransfer>;
constexpr GreedyTransfer kDirect = GreedyTransfer::kDirect;
constexpr GreedyTransfer kGreedyTransfersCopy = GreedyTransfer::kCopy;
constexpr GreedyTransfer kGreedyTransfersImport = GreedyTransfer::kImport;

/// Layers are added with the tensors they read; each makes one, and gives its number.
class GreedyTransfersTest : public testing::Test {
 protected:
  std::uint32_t AddFactory(bool maps, MemorySourceFlags imports, MemorySourceFlags exports) {
    network_.factories.push_back({maps, imports, exports});
    return static_cast<std::uint32_t>(network_.factories.size() - 1);
  }

  std::uint32_t AddBackend(const std::vector<std::uint32_t>& preferences) {
    network_.backends.push_back({preferences});
    return static_cast<std::uint32_t>(network_.backends.size() - 1);
  }

  std::uint32_t AddInput() { return Add(GreedyRole::kInput, 0, {}); }
  std::uint32_t AddLayer(std::uint32_t backend, const std::vector<std::uint32_t>& inputs) {
    return Add(GreedyRole::kOther, backend, inputs);
  }
  void AddOutput(std::uint32_t backend, std::uint32_t tensor) {
    Add(GreedyRole::kOutput, backend, {tensor});
  }

  GreedyNetwork network_;

 private:
  static constexpr std::uint64_t kSizeBytes = 100;

  std::uint32_t Add(GreedyRole role, std::uint32_t backend,
                    const std::vector<std::uint32_t>& inputs) {
    const auto layer = static_cast<std::uint32_t>(network_.layers.size());
    network_.layers.push_back({role, backend});
    for (const std::uint32_t tensor : inputs) network_.edges.push_back({tensor, layer});
    if (role != GreedyRole::kOutput) network_.tensors.push_back({layer, kSizeBytes});
    return static_cast<std::uint32_t>(network_.tensors.size() - 1);
  }
};

/// The documented example: four backends in a chain, which the application may import into.
class GreedyChainTest : public GreedyTransfersTest {
 protected:
  void SetUp() override {
    const std::uint32_t a = AddBackend({a1_, a2_, b1_, d1_});
    const std::uint32_t b = AddBackend({b1_});
    const std::uint32_t c = AddBackend({c1_});
    const std::uint32_t d = AddBackend({d1_});
    AddOutput(a, AddLayer(d, {AddLayer(c, {AddLayer(b, {AddLayer(a, {AddInput()})})})}));
  }

  const std::uint32_t a1_ = AddFactory(true, 0, kMalloc);
  const std::uint32_t a2_ = AddFactory(true, 0, kMalloc);
  const std::uint32_t b1_ = AddFactory(true, 0, kMalloc);
  const std::uint32_t c1_ = AddFactory(true, 0, kMalloc);
  const std::uint32_t d1_ = AddFactory(true, kMalloc, 0);
};

TEST_F(GreedyChainTest, IsAsDocumentedWhenImportsAreEnabled) {
  const GreedyPlan plan = PlanGreedily(network_, kEnabled);
  EXPECT_EQ(plan.factories, (std::vector<std::uint32_t>{d1_, b1_, b1_, c1_, d1_}));
  EXPECT_EQ(plan.transfers,
            Transfers({kDirect, kDirect, kGreedyTransfersCopy, kGreedyTransfersImport, kDirect}));
  EXPECT_EQ(plan.num_copies, 1U);
  EXPECT_EQ(plan.num_imports, 1U);
  EXPECT_EQ(plan.num_impossible, 0U);
  EXPECT_EQ(plan.copied_bytes, 100U);
  EXPECT_EQ(plan.num_application_copies, 0U);
}

TEST_F(GreedyChainTest, CopiesWhereItCouldImportByDefault) {
  const GreedyPlan plan = PlanGreedily(network_);
  EXPECT_EQ(plan.factories, (std::vector<std::uint32_t>{a1_, b1_, b1_, c1_, d1_}));
  EXPECT_EQ(plan.transfers,
            Transfers({kDirect, kDirect, kGreedyTransfersCopy, kGreedyTransfersCopy, kDirect}));
  EXPECT_EQ(plan.copied_bytes, 200U);
  EXPECT_EQ(plan.num_application_copies, 2U);
  EXPECT_EQ(plan.application_copied_bytes, 200U);
}

TEST_F(GreedyTransfersTest, CopiesAlthoughALaterPreferenceIsShared) {
  const std::uint32_t first = AddFactory(true, 0, 0);
  const std::uint32_t shared = AddFactory(true, 0, 0);
  const std::uint32_t other = AddFactory(true, 0, 0);
  const std::uint32_t maker = AddBackend({first, shared});
  const std::uint32_t reader = AddBackend({shared, other});
  AddLayer(reader, {AddLayer(maker, {})});
  const GreedyPlan plan = PlanGreedily(network_);
  EXPECT_EQ(plan.factories.front(), first);
  EXPECT_EQ(plan.transfers, Transfers({kGreedyTransfersCopy}));
}

TEST_F(GreedyTransfersTest, CopiesOnceForEachReader) {
  const std::uint32_t maker = AddBackend({AddFactory(true, 0, 0)});
  const std::uint32_t reader = AddBackend({AddFactory(true, 0, 0)});
  const std::uint32_t tensor = AddLayer(maker, {});
  for (int i = 0; i < 3; ++i) AddLayer(reader, {tensor});
  const GreedyPlan plan = PlanGreedily(network_);
  EXPECT_EQ(plan.transfers,
            Transfers({kGreedyTransfersCopy, kGreedyTransfersCopy, kGreedyTransfersCopy}));
  EXPECT_EQ(plan.copied_bytes, 300U);
}

TEST_F(GreedyTransfersTest, IsImpossibleWhenNobodyMaps) {
  const std::uint32_t maker = AddBackend({AddFactory(true, 0, kDmaBuf)});
  const std::uint32_t reader = AddBackend({AddFactory(false, kDmaBuf, 0)});
  AddLayer(reader, {AddLayer(maker, {})});
  EXPECT_EQ(PlanGreedily(network_).num_impossible, 1U);
  EXPECT_EQ(PlanGreedily(network_, kEnabled).transfers, Transfers({kGreedyTransfersImport}));
}

TEST_F(GreedyTransfersTest, SharesWithinABackendWithoutFactoriesAndCopiesToOthers) {
  const std::uint32_t plain = AddBackend({});
  const std::uint32_t other = AddBackend({AddFactory(true, 0, 0)});
  const std::uint32_t tensor = AddLayer(plain, {});
  AddLayer(plain, {tensor});
  AddLayer(other, {tensor});
  const GreedyPlan plan = PlanGreedily(network_);
  EXPECT_EQ(plan.factories.front(), kNoGreedyFactory);
  EXPECT_EQ(plan.transfers, Transfers({kDirect, kGreedyTransfersCopy}));
}

TEST_F(GreedyTransfersTest, MakesInputsForMostReadersAndForTheFirstOfEquals) {
  const std::uint32_t x = AddFactory(true, 0, 0);
  const std::uint32_t y = AddFactory(true, 0, 0);
  const std::uint32_t first = AddBackend({x, y});
  const std::uint32_t second = AddBackend({y, x});
  const std::uint32_t third = AddBackend({y});
  const std::uint32_t equal = AddInput();
  AddLayer(first, {equal});
  const std::uint32_t unequal = AddInput();
  AddLayer(first, {unequal});
  AddLayer(second, {unequal});
  AddLayer(third, {unequal});
  const GreedyPlan plan = PlanGreedily(network_);
  EXPECT_EQ(plan.factories[equal], x);
  EXPECT_EQ(plan.factories[unequal], y);
}

TEST_F(GreedyTransfersTest, GivesAnInputTheBackendOfItsFirstReader) {
  const std::uint32_t with = AddBackend({AddFactory(true, 0, 0)});
  const std::uint32_t without = AddBackend({});
  const std::uint32_t x = AddInput();
  AddLayer(without, {x});
  AddLayer(with, {x});
  const GreedyPlan plan = PlanGreedily(network_);
  EXPECT_EQ(plan.factories[x], kNoGreedyFactory);
  EXPECT_EQ(plan.transfers, Transfers({kDirect, kGreedyTransfersCopy}));
}

TEST_F(GreedyTransfersTest, CopiesOutputsThatLayersReadTooOutOfTheNetwork) {
  const std::uint32_t backend = AddBackend({AddFactory(true, kMalloc, kMalloc)});
  const std::uint32_t tensor = AddLayer(backend, {AddInput()});
  AddOutput(backend, tensor);
  EXPECT_EQ(PlanGreedily(network_).num_application_copies, 2U);
  EXPECT_EQ(PlanGreedily(network_, kEnabled).num_application_copies, 0U);
  AddOutput(backend, AddLayer(backend, {tensor}));
  EXPECT_EQ(PlanGreedily(network_, kEnabled).num_application_copies, 1U);
}

}  // namespace
}  // namespace backplane::test
