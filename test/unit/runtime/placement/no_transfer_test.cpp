#include "bridge_fixture.hpp"
#include "expect_diagnostic.hpp"

namespace backplane {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

using NoTransferTest = BridgeFixture;

TEST_F(NoTransferTest, NamesBothBackendsWithTheirKindsAndWhatIsMissing) {
  AddOnly(npu_, "A/Npu/Hidden", Opaque());
  AddOnly(gpu_, "A/Gpu/In", Importing(MemorySource::kDmaBuf));
  layers_.AddRelu(gpu_, layers_.AddRelu(npu_, layers_.AddConstant({4}), "a"), "b");
  const Diagnostic diagnostic = CatchDiagnostic([&] { Bridge(); });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kNoTransfer, "b",
                   "backend \"Npu\" has A/Npu/Hidden (opaque layout, cannot be mapped",
                   "expected a kind in common");
  EXPECT_THAT(diagnostic.what, HasSubstr("from backend \"Npu\" to backend \"Gpu\""));
  EXPECT_THAT(diagnostic.what, HasSubstr("layer \"a\""));
  EXPECT_THAT(diagnostic.why, HasSubstr("backend \"Gpu\" has A/Gpu/In (cannot be mapped, imports"));
  EXPECT_THAT(diagnostic.why, HasSubstr("an export of the one that the other imports"));
  EXPECT_THAT(diagnostic.causes, IsEmpty());
}

TEST_F(NoTransferTest, CollectsAllTensorsThatCannotGetThere) {
  AddOnly(npu_, "A/Npu/Hidden", Opaque());
  const OutputSlot a = layers_.AddRelu(npu_, layers_.AddConstant({4}), "a");
  const OutputSlot b = layers_.AddRelu(npu_, layers_.AddConstant({4}), "b");
  layers_.AddSum(gpu_, a, b, "c");
  layers_.AddRelu(npu_, a, "reachable");
  const Diagnostic diagnostic = CatchDiagnostic([&] { Bridge(); });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kNoTransfer, "net", "found no way",
                   "as the causes say");
  ASSERT_EQ(diagnostic.causes.size(), 2U);
  EXPECT_THAT(diagnostic.causes[0].what, HasSubstr("layer \"a\""));
  EXPECT_THAT(diagnostic.causes[1].what, HasSubstr("layer \"b\""));
}

TEST_F(NoTransferTest, TheApplicationIsNamedWhenItCannotGetAnOutput) {
  AddOnly(npu_, "A/Npu/Hidden", Opaque());
  layers_.AddOutput(layers_.AddRelu(npu_, layers_.AddConstant({4}), "a"));
  const Diagnostic diagnostic = CatchDiagnostic([&] { Bridge(); });
  EXPECT_THAT(diagnostic.what, HasSubstr("from backend \"Npu\" to the application"));
}

TEST_F(NoTransferTest, TheApplicationIsNamedWhenItsInputGetsNowhere) {
  AddOnly(npu_, "A/Npu/Hidden", Opaque());
  layers_.AddRelu(npu_, layers_.AddInput({4}), "a");
  const Diagnostic diagnostic = CatchDiagnostic([&] { Bridge(); });
  EXPECT_THAT(diagnostic.what, HasSubstr("from the application to backend \"Npu\""));
}

TEST_F(NoTransferTest, APaddedTensorIsNotImportedAndHasNoOtherWay) {
  AddOnly(npu_, "A/Npu/Out", Exporting(MemorySource::kDmaBuf), AskingFor(4, 8));
  AddOnly(gpu_, "A/Gpu/In", Importing(MemorySource::kDmaBuf));
  layers_.AddRelu(gpu_, layers_.AddRelu(npu_, layers_.AddConstant({4}), "a"), "b");
  const Diagnostic diagnostic = CatchDiagnostic([&] { Bridge(); });
  EXPECT_EQ(diagnostic.code, DiagnosticCode::kNoTransfer);
}

class ProtectedTransferTest : public BridgeFixture {
 protected:
  ProtectedTransferTest() : BridgeFixture(MemoryProtection::kProtected) {}
};

TEST_F(ProtectedTransferTest, TensorsStayInProtectedMemory) {
  AddOnly(npu_, "A/Npu/Out", Exporting(MemorySource::kDmaBufProtected));
  FactoryProperties in = Importing(MemorySource::kDmaBufProtected);
  AddOnly(gpu_, "A/Gpu/In", in);
  const OutputSlot a = layers_.AddRelu(npu_, layers_.AddConstant({4}), "a");
  layers_.AddOutput(layers_.AddRelu(gpu_, a, "b"));
  const BridgedNetwork network = Bridge();
  EXPECT_THAT(ListWays(network), testing::ElementsAre("import A/Npu/Out to A/Gpu/In"));
}

TEST_F(ProtectedTransferTest, TheApplicationsMemoryIsNeverCopiedByMapping) {
  FactoryProperties hidden;
  AddOnly(npu_, "A/Npu/Hidden", hidden);
  layers_.AddRelu(npu_, layers_.AddInput({4}), "a");
  const Diagnostic diagnostic = CatchDiagnostic([&] { Bridge(); });
  EXPECT_EQ(diagnostic.code, DiagnosticCode::kNoTransfer);
}

}  // namespace
}  // namespace backplane
