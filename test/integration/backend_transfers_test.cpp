/// How tensors get from one backend to another: each strategy, and what it costs.

#include "backend_transfers_fixture.hpp"

#include <algorithm>

namespace backplane::test {
namespace {

TEST_F(BackendTransfers, NeedNothingOnOneBackend) {
  const OutputSlot a = network_.Relu(network_.Input({4}), "CpuRef");
  network_.Output(network_.Add(a, a, "CpuRef"));
  Load({});
  ExpectRightResults();
  EXPECT_EQ(Plan().copied_bytes, 0U);
  EXPECT_EQ(Plan().num_copies, 0U);
  EXPECT_EQ(CountBytesOfApplication(), 0U);
}

TEST_F(BackendTransfers, NeedNothingWhereBothUseOneKind) {
  const OutputSlot a = network_.Relu(network_.Input({4}), "UnifiedA");
  const OutputSlot b = network_.Add(a, a, "UnifiedB");
  network_.Output(network_.Relu(b, "UnifiedA"));
  Load({"UnifiedA", "UnifiedB"});
  const PlacedTransfer back = Find("UnifiedB", "UnifiedA");
  EXPECT_EQ(back.steps.size(), 0U);
  EXPECT_EQ(back.factory, "Mock/UnifiedA/Shared");
  EXPECT_EQ(back.copied_bytes, 0U);
  EXPECT_EQ(back.reason, "");
  EXPECT_EQ(GetStrategies(Find("UnifiedA", "UnifiedB")), Strategies{kImport})
      << "each prefers its own kind, and what one exports the other imports";
  ExpectRightResults();
  EXPECT_EQ(Plan().copied_bytes, 0U) << "the application's memory is imported by UnifiedB's kind";
  EXPECT_EQ(CountBytesOfApplication(), 0U);
}

TEST_F(BackendTransfers, ImportWhatTheOtherSideExports) {
  const OutputSlot a = network_.Relu(network_.Input({4}), "Exporter");
  network_.Output(network_.Add(a, a, "Importer"));
  Load({"Exporter", "Importer"});
  const PlacedTransfer transfer = Find("Exporter", "Importer");
  EXPECT_EQ(GetStrategies(transfer), Strategies{kImport});
  EXPECT_EQ(transfer.steps[0].from_factory, "Mock/Exporter/Shown");
  EXPECT_EQ(transfer.steps[0].to_factory, "Mock/Importer/Window");
  EXPECT_EQ(transfer.copied_bytes, 0U);
  EXPECT_EQ(transfer.factory, "Mock/Importer/Window");
  ExpectRightResults();
  EXPECT_GT(GetCount(**runtime_, "Exporter", "Exports"), 0);
}

TEST_F(BackendTransfers, ImportFilesThatTheOtherSideExports) {
  const OutputSlot constant = network_.Constant({4}, {-1, 2, -3, 4});
  const OutputSlot a = network_.Relu(constant, "FdExporter");
  network_.Output(network_.Add(a, network_.Input({4}), "Importer"));
  Load({"FdExporter", "Importer"});
  EXPECT_EQ(GetStrategies(Find("FdExporter", "Importer")), Strategies{kImport});
  EXPECT_EQ(Plan().copied_bytes, 0U);
  ExpectRightResults();
  EXPECT_EQ(CountBytesOfApplication(), 0U);
  EXPECT_EQ(GetCount(**runtime_, "FdExporter", "Exports"), 1)
      << "memory that stays where it is, is imported once";
}

// What others read lies where they can read it, the rest where the backend likes it best.
TEST_F(BackendTransfers, UseStagingMemoryOnlyAtTheBorder) {
  const OutputSlot a = network_.Relu(network_.Input({4}), "Discrete");
  const OutputSlot b = network_.Add(a, a, "Discrete");
  network_.Output(network_.Relu(b, "CpuRef"));
  Load({"Discrete"});
  const PlacedTransfer out = Find("Discrete", "CpuRef");
  EXPECT_EQ(GetStrategies(out), Strategies{kImport});
  EXPECT_EQ(out.steps.at(0).from_factory, "Mock/Discrete/Staging");
  const PlacedTransfer in = Find("", "Discrete");
  EXPECT_EQ(in.factory, "Mock/Discrete/Staging");
  EXPECT_EQ(in.copied_bytes, 16U);
  EXPECT_EQ(Plan().copied_bytes, 16U);
  ExpectRightResults();
  EXPECT_EQ(CountBytesOfApplication(), 32U) << "in two runs";
  const MemoryReport memory = (*runtime_)->GetMemoryReport(id_);
  const bool has_fast =
      std::any_of(memory.arenas.begin(), memory.arenas.end(), [](const ArenaReport& arena) {
        return arena.backend_id == GetMockRow("Discrete").id && arena.arena_bytes != 0;
      });
  EXPECT_TRUE(has_fast) << "the tensor between its two layers is in fast memory";
}

TEST_F(BackendTransfers, LetABackendCopyItsOwnLayout) {
  const OutputSlot a = network_.Relu(network_.Input({4}), "CpuRef");
  const OutputSlot b = network_.Add(a, a, "Compressed");
  network_.Output(network_.Relu(b, "CpuRef"));
  Load({"Compressed"});
  for (const PlacedTransfer& transfer :
       {Find("CpuRef", "Compressed"), Find("Compressed", "CpuRef")}) {
    EXPECT_EQ(GetStrategies(transfer), Strategies{kDeviceCopy});
    EXPECT_EQ(transfer.steps.at(0).backend_id, GetMockRow("Compressed").id);
    EXPECT_EQ(transfer.copied_bytes, 16U);
    EXPECT_NE(transfer.reason, "");
  }
  EXPECT_EQ(Plan().copied_bytes, 32U);
  EXPECT_EQ(Plan().num_copies, 2U);
  ExpectRightResults();
  EXPECT_EQ(GetCount(**runtime_, "Compressed", "DeviceCopies"), 4) << "two, in each of two runs";
}

TEST_F(BackendTransfers, MapBothSidesAndCopy) {
  const OutputSlot a = network_.Relu(network_.Input({4}), "OwnMemory");
  network_.Output(network_.Add(a, a, "NoParts"));
  Load({"OwnMemory", "NoParts"});
  const PlacedTransfer transfer = Find("OwnMemory", "NoParts");
  EXPECT_EQ(GetStrategies(transfer), Strategies{kMapCopy});
  EXPECT_EQ(transfer.steps.at(0).backend_id, "");
  EXPECT_EQ(transfer.copied_bytes, 16U);
  EXPECT_EQ(Plan().copied_bytes, 48U) << "in, across and out";
  ExpectRightResults();
  EXPECT_EQ(CountBytesOfApplication(), 64U);
}

// A part of a tensor does not lie dense.
TEST_F(BackendTransfers, CopyTensorsWithStrides) {
  const OutputSlot a = network_.Relu(network_.Input({2, 3}), "Parts");
  const OutputSlot b = network_.Relu(network_.Input({2, 2}), "Parts");
  network_.Output(network_.ConcatAlong(1, {a, b}, "Parts"));
  network_.Output(network_.Add(a, a, "CpuRef"));
  Load({"Parts"});
  ExpectRightResults();
}

// An input of the network does not lie in another tensor, so this concat is run.
TEST_F(BackendTransfers, CopyIntoTensorsWithPadding) {
  const OutputSlot a = network_.Relu(network_.Input({2}), "CpuRef");
  const OutputSlot both = network_.Concat({a, network_.Input({2})}, "Strict");
  network_.Output(network_.Relu(both, "CpuRef"));
  Load({"Strict"});
  const PlacedTransfer transfer = Find("CpuRef", "Strict");
  EXPECT_EQ(GetStrategies(transfer), Strategies{kMapCopy});
  EXPECT_EQ(transfer.copied_bytes, 8U);
  EXPECT_NE(transfer.reason, "");
  EXPECT_EQ(Find("Strict", "CpuRef").copied_bytes, 16U);
  ExpectRightResults();
}

TEST_F(BackendTransfers, ReachBackendsFromBeforeThereWereKinds) {
  const OutputSlot a = network_.Relu(network_.Input({4}), "Exporter");
  const OutputSlot b = network_.Add(a, a, "Legacy");
  network_.Output(network_.Relu(b, "Importer"));
  Load({"Exporter", "Legacy", "Importer"});
  EXPECT_EQ(GetStrategies(Find("Exporter", "Legacy")), Strategies{kImport});
  EXPECT_EQ(GetStrategies(Find("Legacy", "Importer")), Strategies{kImport});
  ExpectRightResults();
  EXPECT_EQ(Plan().copied_bytes, 16U) << "the input";
}

TEST_F(BackendTransfers, CopyOnceForAllReadersOfABackend) {
  const OutputSlot a = network_.Relu(network_.Input({4}), "OwnMemory");
  network_.Output(network_.Add(a, a, "NoParts"));
  network_.Output(network_.Relu(a, "NoParts"));
  network_.Output(network_.View(network_.Relu(a, "NoParts"), {2, 2}, "NoParts"));
  Load({"OwnMemory", "NoParts"});
  std::uint64_t copied_bytes = 0;
  for (const PlacedTransfer& transfer : Plan().transfers) {
    if (transfer.from_backend == GetMockRow("OwnMemory").id) copied_bytes += transfer.copied_bytes;
  }
  EXPECT_EQ(copied_bytes, 16U);
  EXPECT_EQ(Plan().num_copies, 5U) << "one input, one across, three outputs";
  ExpectRightResults();
}

// Both import what was copied once.
TEST_F(BackendTransfers, CopyOnceForReadersThatCanShareTheCopy) {
  const OutputSlot a = network_.Relu(network_.Input({4}), "OwnMemory");
  network_.Output(network_.Relu(a, "CpuRef"));
  network_.Output(network_.Add(a, a, "UnifiedB"));
  network_.Output(network_.Add(a, a, "Importer"));
  Load({"OwnMemory", "UnifiedB", "Importer"});
  EXPECT_EQ(Plan().copied_bytes, 32U) << "the input, and once across";
  ExpectRightResults();
}

TEST_F(BackendTransfers, AreTheSameWhenANetworkIsOptimisedAgain) {
  const OutputSlot a = network_.Relu(network_.Input({4}), "OwnMemory");
  network_.Output(network_.Add(a, network_.Relu(a, "Compressed"), "NoParts"));
  Start({"OwnMemory", "NoParts", "Compressed"});
  const std::string first = TransfersToJson(runtime_->Optimize(network_)->GetPlacement());
  EXPECT_EQ(TransfersToJson(runtime_->Optimize(network_)->GetPlacement()), first);
}

}  // namespace
}  // namespace backplane::test
