/// How tensors get from one backend to another: each strategy, what it costs, and what is told.

#include "application_tensor.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace backplane::test {
namespace {

using ::testing::HasSubstr;

class Transfers : public ::testing::Test {
 protected:
  void Start(const std::vector<std::string>& mocks) { runtime_.emplace(mocks); }
  void Load(const std::vector<std::string>& mocks, const OptimizerOptions& options = {}) {
    Start(mocks);
    optimized_ = runtime_->Optimize(network_, options);
    id_ = (*runtime_)->LoadNetwork(optimized_);
  }
  const Placement& Plan() const { return optimized_->GetPlacement(); }

  /// The transfer between two backends, named by the rows of mocks, or "CpuRef", or "" for the
  /// application; fails the test when there is not exactly one.
  PlacedTransfer Find(const std::string& from, const std::string& to) const {
    std::vector<PlacedTransfer> found;
    for (const PlacedTransfer& transfer : Plan().transfers) {
      if (transfer.from_backend == GetId(from) && transfer.to_backend == GetId(to)) {
        found.push_back(transfer);
      }
    }
    EXPECT_EQ(found.size(), 1U) << "from \"" << from << "\" to \"" << to << "\"";
    return found.empty() ? PlacedTransfer() : found.front();
  }

  static std::vector<TransferStrategy> GetStrategies(const PlacedTransfer& transfer) {
    std::vector<TransferStrategy> strategies;
    for (const TransferStep& step : transfer.steps) strategies.push_back(step.strategy);
    return strategies;
  }

  /// Runs the network, twice with other data, and compares with the reference backend alone.
  void ExpectRightResults() {
    network_.GiveAllTo("CpuRef");
    const NetworkId other = runtime_->Load(network_);
    for (int round = 0; round < 2; ++round) {
      EXPECT_EQ(Run(id_, round), Run(other, round)) << "round " << round;
    }
    (*runtime_)->UnloadNetwork(other);
  }

  /// The outputs, one after the other.
  Floats Run(NetworkId id, int round) {
    std::vector<std::unique_ptr<Buffer>> buffers;
    InputTensors inputs;
    for (const NetworkBinding& input : optimized_->GetInputs()) {
      Buffer& buffer = *buffers.emplace_back(MakeInput(input, round));
      inputs.push_back(AsInput(input.id, buffer, input.info.shape));
    }
    OutputTensors outputs;
    std::vector<Buffer*> results;
    for (const NetworkBinding& output : optimized_->GetOutputs()) {
      const auto count = static_cast<std::size_t>(output.info.shape.GetNumElements());
      results.push_back(buffers.emplace_back(std::make_unique<Buffer>(count)).get());
      outputs.push_back(AsOutput(output.id, *results.back()));
    }
    ExpectRun(**runtime_, id, inputs, outputs);
    Floats all;
    for (const Buffer* result : results) {
      const Floats values = result->Read();
      all.insert(all.end(), values.begin(), values.end());
    }
    return all;
  }

  /// What the application's inputs and outputs were copied in all runs until now.
  std::uint64_t CountBytesOfApplication() const {
    const TransferReport report = (*runtime_)->GetTransferReport(id_);
    std::uint64_t bytes = 0;
    for (const BindingTransfers& input : report.inputs) bytes += input.copied_bytes;
    for (const BindingTransfers& output : report.outputs) bytes += output.copied_bytes;
    return bytes;
  }

  MemoryNetwork network_;
  std::optional<MemoryRuntime> runtime_;
  std::shared_ptr<const IOptimizedNetwork> optimized_;
  NetworkId id_ = 0;

 private:
  static std::string GetId(const std::string& name) {
    return name.empty() || name == "CpuRef" ? name : GetMockRow(name).id;
  }
  static std::unique_ptr<Buffer> MakeInput(const NetworkBinding& input, int round) {
    Floats values;
    for (std::int64_t i = 0; i < input.info.shape.GetNumElements(); ++i) {
      values.push_back(std::sin(static_cast<float>(i + 7 * round + input.id)));
    }
    return std::make_unique<Buffer>(values);
  }
};

using Strategies = std::vector<TransferStrategy>;
constexpr TransferStrategy kImport = TransferStrategy::kImport;
constexpr TransferStrategy kDeviceCopy = TransferStrategy::kDeviceCopy;
constexpr TransferStrategy kMapCopy = TransferStrategy::kMapCopy;

TEST_F(Transfers, NeedNothingOnOneBackend) {
  const OutputSlot a = network_.Relu(network_.Input({4}), "CpuRef");
  network_.Output(network_.Add(a, a, "CpuRef"));
  Load({});
  ExpectRightResults();
  EXPECT_EQ(Plan().copied_bytes, 0U);
  EXPECT_EQ(Plan().num_copies, 0U);
  EXPECT_EQ(CountBytesOfApplication(), 0U);
}

TEST_F(Transfers, NeedNothingWhereBothUseOneKind) {
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

TEST_F(Transfers, ImportWhatTheOtherSideExports) {
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

TEST_F(Transfers, ImportFilesThatTheOtherSideExports) {
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
TEST_F(Transfers, UseStagingMemoryOnlyAtTheBorder) {
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

TEST_F(Transfers, LetABackendCopyItsOwnLayout) {
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

TEST_F(Transfers, MapBothSidesAndCopy) {
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
TEST_F(Transfers, CopyTensorsWithStrides) {
  const OutputSlot a = network_.Relu(network_.Input({2, 3}), "Parts");
  const OutputSlot b = network_.Relu(network_.Input({2, 2}), "Parts");
  network_.Output(network_.ConcatAlong(1, {a, b}, "Parts"));
  network_.Output(network_.Add(a, a, "CpuRef"));
  Load({"Parts"});
  ExpectRightResults();
}

// An input of the network does not lie in another tensor, so this concat is run.
TEST_F(Transfers, CopyIntoTensorsWithPadding) {
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

TEST_F(Transfers, ReachBackendsFromBeforeThereWereKinds) {
  const OutputSlot a = network_.Relu(network_.Input({4}), "Exporter");
  const OutputSlot b = network_.Add(a, a, "Legacy");
  network_.Output(network_.Relu(b, "Importer"));
  Load({"Exporter", "Legacy", "Importer"});
  EXPECT_EQ(GetStrategies(Find("Exporter", "Legacy")), Strategies{kImport});
  EXPECT_EQ(GetStrategies(Find("Legacy", "Importer")), Strategies{kImport});
  ExpectRightResults();
  EXPECT_EQ(Plan().copied_bytes, 16U) << "the input";
}

// The first keeps the id. The other would take handles of the first for its own, so it goes
// without.
TEST_F(Transfers, TellOfTwoBackendsWithOneKind) {
  const OutputSlot a = network_.Relu(network_.Input({4}), "UnifiedA");
  network_.Output(network_.Add(a, a, "Clash"));
  Load({"UnifiedA", "Clash"});
  const auto is_clash = [](const Diagnostic& warning) {
    return GetDiagnosticId(warning.code) == "BP5204";
  };
  const auto& warnings = Plan().warnings;
  const auto found = std::find_if(warnings.begin(), warnings.end(), is_clash);
  ASSERT_NE(found, warnings.end());
  EXPECT_THAT(ToText(*found), HasSubstr("Mock/UnifiedA/Shared"));
  EXPECT_THAT(ToText(*found), HasSubstr("MockClash"));
  EXPECT_EQ(Find("UnifiedA", "Clash").factory, "Backplane/Host/Memory");
  ExpectRightResults();
}

TEST_F(Transfers, CopyOnceForAllReadersOfABackend) {
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
TEST_F(Transfers, CopyOnceForReadersThatCanShareTheCopy) {
  const OutputSlot a = network_.Relu(network_.Input({4}), "OwnMemory");
  network_.Output(network_.Relu(a, "CpuRef"));
  network_.Output(network_.Add(a, a, "UnifiedB"));
  network_.Output(network_.Add(a, a, "Importer"));
  Load({"OwnMemory", "UnifiedB", "Importer"});
  EXPECT_EQ(Plan().copied_bytes, 32U) << "the input, and once across";
  ExpectRightResults();
}

TEST_F(Transfers, ThatAreImpossibleAreRefusedWithBothSides) {
  network_.Output(network_.Relu(network_.Relu(network_.Input({4}), "Importer"), "CpuRef"));
  Start({"Importer"});
  const Diagnostic refused = CatchDiagnostic([&] { runtime_->Optimize(network_); });
  EXPECT_EQ(refused.code, DiagnosticCode::kNoTransfer);
  EXPECT_EQ(refused.subject.name, "relu1 on CpuRef");
  EXPECT_THAT(refused.what, HasSubstr("from backend \"MockImporter\" to backend \"CpuRef\""));
  EXPECT_THAT(refused.why, HasSubstr("Mock/Importer/Window (cannot be mapped, imports malloc or "
                                     "file descriptor, exports none)"));
  EXPECT_THAT(refused.why, HasSubstr("Backplane/CpuRef/Malloc (can be mapped, imports malloc, "
                                     "exports malloc)"));
}

TEST_F(Transfers, FromTheApplicationMayBeImpossibleToo) {
  network_.Output(network_.Relu(network_.Relu(network_.Input({4}), "FdExporter"), "Importer"));
  Start({"FdExporter", "Importer"});
  const Diagnostic refused = CatchDiagnostic([&] { runtime_->Optimize(network_); });
  EXPECT_EQ(refused.code, DiagnosticCode::kNoTransfer);
  EXPECT_THAT(refused.what, HasSubstr("from the application to backend \"MockFdExporter\""));
}

TEST_F(Transfers, ThatCopyMoreThanAllowedAreRefusedOneByOne) {
  const OutputSlot a = network_.Relu(network_.Input({4}), "OwnMemory");
  network_.Output(network_.Add(a, a, "NoParts"));
  Start({"OwnMemory", "NoParts"});
  OptimizerOptions options;
  options.max_copied_bytes = 47;
  const Diagnostic refused = CatchDiagnostic([&] { runtime_->Optimize(network_, options); });
  EXPECT_EQ(refused.code, DiagnosticCode::kTooManyBytesCopied);
  EXPECT_EQ(refused.subject.name, "net");
  EXPECT_THAT(refused.why, HasSubstr("copies 48 bytes in one run; expected at most 47"));
  ASSERT_EQ(refused.causes.size(), 3U);
  for (const Diagnostic& cause : refused.causes) {
    EXPECT_THAT(cause.what, HasSubstr("16 bytes"));
    EXPECT_NE(cause.why, "");
  }
  options.max_copied_bytes = 48;
  EXPECT_NO_THROW(runtime_->Optimize(network_, options));
}

TEST_F(Transfers, AreTheSameWhenANetworkIsOptimisedAgain) {
  const OutputSlot a = network_.Relu(network_.Input({4}), "OwnMemory");
  network_.Output(network_.Add(a, network_.Relu(a, "Compressed"), "NoParts"));
  Start({"OwnMemory", "NoParts", "Compressed"});
  const std::string first = TransfersToJson(runtime_->Optimize(network_)->GetPlacement());
  EXPECT_EQ(TransfersToJson(runtime_->Optimize(network_)->GetPlacement()), first);
}

// The output is imported first, then the tensor in the middle.
TEST_F(Transfers, WhoseImportFailsFailTheRunAndTheNextIsRight) {
  const OutputSlot a = network_.Relu(network_.Input({4}), "Exporter");
  network_.Output(network_.Add(a, a, "FailingImportMaps"));
  Load({"Exporter", "FailingImportMaps"}, FailImports("FailingImportMaps", 2));
  Buffer x(Floats{-1, 2, -3, 4});
  Buffer y(4);
  const Diagnostic failure =
      ExpectFailure(**runtime_, id_, {AsInput(0, x)}, {AsOutput(0, y)}, Status::kFailure);
  EXPECT_EQ(failure.code, DiagnosticCode::kImportRefused);
  EXPECT_EQ(failure.subject.kind, SubjectKind::kLayer);
  EXPECT_THAT(failure.why, HasSubstr("Import of a tensor handle of Mock/FailingImportMaps/Window"));
  for (int run = 0; run < 2; ++run) {
    ExpectRun(**runtime_, id_, {AsInput(0, x)}, {AsOutput(0, y)});
    EXPECT_EQ(y.Read(), (Floats{0, 4, 0, 8}));
  }
}

TEST_F(Transfers, ThatThrowFailTheRunAlone) {
  const OutputSlot a = network_.Relu(network_.Input({4}), "CpuRef");
  network_.Output(network_.Add(a, a, "Throws"));
  Load({"Throws"});
  Buffer x(Floats{-1, 2, -3, 4});
  Buffer y(4);
  for (int run = 0; run < 2; ++run) {
    const Diagnostic failure =
        ExpectFailure(**runtime_, id_, {AsInput(0, x)}, {AsOutput(0, y)}, Status::kFailure);
    EXPECT_EQ(failure.code, DiagnosticCode::kTransferFailed);
    EXPECT_THAT(failure.why, HasSubstr("Map of a tensor handle of Mock/Throws/Memory"));
  }
  network_.GiveAllTo("CpuRef");
  ExpectRun(**runtime_, runtime_->Load(network_), {AsInput(0, x)}, {AsOutput(0, y)});
  EXPECT_EQ(y.Read(), (Floats{0, 4, 0, 8}));
}

/// The rows of scenarios.def, and the reference backend.
const std::vector<std::string>& GetAll() {
  static const std::vector<std::string> kAll = {
      "CpuRef",    "Discrete", "UnifiedA",   "UnifiedB",      "Compressed",
      "Importer",  "Exporter", "FdExporter", "Legacy",        "Strict",
      "Async",     "Parts",    "NoParts",    "FailingImport", "FailingImportMaps",
      "OwnMemory", "Claims"};
  return kAll;
}

class TransfersBetween : public Transfers, public ::testing::WithParamInterface<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, TransfersBetween, ::testing::ValuesIn(GetAll()),
                         [](const auto& test) { return test.param; });

// There and back again, beside a tensor that stays. Where there is no way, that is said; else the
// results are right, and what is counted is what was planned.
TEST_P(TransfersBetween, EveryTwoBackendsAreRightOrRefused) {
  for (const std::string& other : GetAll()) {
    SCOPED_TRACE(other);
    network_ = MemoryNetwork();
    const OutputSlot x = network_.Input({2, 3});
    const OutputSlot a = network_.Relu(x, GetParam());
    const OutputSlot b = network_.Add(a, x, other);
    const OutputSlot c = network_.Concat({b, a}, GetParam());
    network_.Output(c);
    network_.Output(network_.View(network_.Relu(b, other), {6}, other));
    std::vector<std::string> mocks;
    for (const std::string& one : {GetParam(), other}) {
      const bool is_new = std::find(mocks.begin(), mocks.end(), one) == mocks.end();
      if (one != "CpuRef" && is_new) mocks.push_back(one);
    }
    try {
      Load(mocks);
    } catch (const DiagnosticException& exception) {
      EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kNoTransfer) << exception.what();
      continue;
    }
    ExpectRightResults();
    std::uint64_t planned = 0;
    for (const PlacedTransfer& transfer : Plan().transfers) {
      for (const TransferStep& step : transfer.steps) {
        const bool is_of_application = step.from_factory.empty() || step.to_factory.empty();
        if (is_of_application && !step.is_shared) planned += step.bytes;
      }
    }
    EXPECT_EQ(CountBytesOfApplication(), 2 * planned) << TransfersToText(Plan());
  }
}

}  // namespace
}  // namespace backplane::test
