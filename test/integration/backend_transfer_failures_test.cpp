/// Tensors that do not get from one backend to another: what is said, and that the rest goes on.

#include "backend_transfers_fixture.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace backplane::test {
namespace {

using ::testing::HasSubstr;

// The first keeps the id. The other would take handles of the first for its own, so it goes
// without.
TEST_F(BackendTransfers, TellOfTwoBackendsWithOneKind) {
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

TEST_F(BackendTransfers, ThatAreImpossibleAreRefusedWithBothSides) {
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

TEST_F(BackendTransfers, FromTheApplicationMayBeImpossibleToo) {
  network_.Output(network_.Relu(network_.Relu(network_.Input({4}), "FdExporter"), "Importer"));
  Start({"FdExporter", "Importer"});
  const Diagnostic refused = CatchDiagnostic([&] { runtime_->Optimize(network_); });
  EXPECT_EQ(refused.code, DiagnosticCode::kNoTransfer);
  EXPECT_THAT(refused.what, HasSubstr("from the application to backend \"MockFdExporter\""));
}

TEST_F(BackendTransfers, ThatCopyMoreThanAllowedAreRefusedOneByOne) {
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

// The output is imported first, then the tensor in the middle.
TEST_F(BackendTransfers, WhoseImportFailsFailTheRunAndTheNextIsRight) {
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

TEST_F(BackendTransfers, ThatThrowFailTheRunAlone) {
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

}  // namespace
}  // namespace backplane::test
