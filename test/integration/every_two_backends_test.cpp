/// Tensors that cross between any two backends.

#include "backend_transfers_fixture.hpp"

#include <algorithm>

namespace backplane::test {
namespace {

/// The rows of scenarios.def, and the reference backend.
const std::vector<std::string>& GetAll() {
  static const std::vector<std::string> kAll = {
      "CpuRef",    "Discrete", "UnifiedA",   "UnifiedB",      "Compressed",
      "Importer",  "Exporter", "FdExporter", "Legacy",        "Strict",
      "Async",     "Parts",    "NoParts",    "FailingImport", "FailingImportMaps",
      "OwnMemory", "Claims"};
  return kAll;
}

class BackendTransfersBetween : public BackendTransfers,
                                public ::testing::WithParamInterface<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, BackendTransfersBetween, ::testing::ValuesIn(GetAll()),
                         [](const auto& test) { return test.param; });

// There and back again, beside a tensor that stays. Where there is no way, that is said; else the
// results are right, and what is counted is what was planned.
TEST_P(BackendTransfersBetween, EveryTwoBackendsAreRightOrRefused) {
  for (const std::string& other : GetAll()) {
    SCOPED_TRACE(other);
    network_ = MemoryNetwork();
    const OutputSlot x = network_.Input({2, 3});
    const OutputSlot a = network_.Relu(x, GetParam());
    const OutputSlot b = network_.Add(a, x, other);
    const OutputSlot c = network_.Concat({b, a}, GetParam());
    network_.Output(c);
    network_.Output(network_.View(b, {6}, other));
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
