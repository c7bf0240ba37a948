/// Numbers in tensors of every kind of memory.

#include "application_tensor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <ostream>

namespace backplane::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr float kHuge = 3e38F;
constexpr float kInfinite = std::numeric_limits<float>::infinity();

/// A backend, and why the CPU cannot look at its tensors; "" when it can.
struct LookedAtKind {
  const char* mock;
  const char* fault;
};

void PrintTo(const LookedAtKind& kind, std::ostream* stream) {
  *stream << kind.mock;
}

class CheckedMemory : public ::testing::TestWithParam<LookedAtKind> {};

// The sum of two huge numbers is infinity.
TEST_P(CheckedMemory, IsLookedAtOrSaidNotToBe) {
  const MemoryRuntime runtime({GetParam().mock}, kAllChecks);
  MemoryNetwork network;
  const OutputSlot a = network.Input({2, 2});
  network.Output(network.Add(a, network.Input({2, 2}), GetParam().mock));
  const NetworkId id = runtime.Load(network);
  Buffer x({1, kHuge, 2, 3});
  Buffer y(4);
  for (int i = 0; i < 3; ++i) {
    ExpectRun(*runtime, id, {AsInput(0, x, {2, 2}), AsInput(1, x, {2, 2})}, {AsOutput(0, y)});
    EXPECT_EQ(y.Read(), (Floats{2, kInfinite, 4, 6}));
  }
  const CheckReport report = runtime->GetCheckReport(id);
  if (GetParam().fault[0] == '\0') {
    EXPECT_THAT(report.unchecked, IsEmpty());
    ASSERT_THAT(report.findings, SizeIs(1));
    EXPECT_EQ(report.findings[0].backend_id, GetMockRow(GetParam().mock).id);
    EXPECT_EQ(report.findings[0].num_runs, 3U);
    EXPECT_EQ(report.findings[0].diagnostic.severity, Severity::kNote);
    EXPECT_THAT(report.findings[0].diagnostic.why, HasSubstr("first infinity at [0, 1]"));
  } else {
    EXPECT_THAT(report.findings, IsEmpty());
    ASSERT_THAT(report.unchecked, Not(IsEmpty()));
    EXPECT_EQ(report.unchecked[0].code, DiagnosticCode::kTensorUnchecked);
    EXPECT_THAT(report.unchecked[0].why, HasSubstr(GetParam().fault));
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, CheckedMemory,
                         ::testing::Values(LookedAtKind{"Discrete", ""},
                                           LookedAtKind{"UnifiedA", ""},
                                           LookedAtKind{"Compressed", "cannot be mapped"},
                                           LookedAtKind{"Strict", ""}, LookedAtKind{"Async", ""},
                                           LookedAtKind{"Parts", ""}, LookedAtKind{"OwnMemory", ""},
                                           LookedAtKind{"Legacy", ""}),
                         [](const auto& row) { return std::string(row.param.mock); });

// A run that uses imported tensors does not use those that were planned.
TEST(CheckedImports, AreLookedAtWhereTheyLie) {
  const MemoryRuntime runtime({}, kAllChecks);
  MemoryNetwork network;
  const OutputSlot a = network.Input({4});
  network.Output(network.Add(a, network.Input({4}), "CpuRef"));
  const NetworkId id = runtime.Load(network);
  Buffer given({1, 2, 3, 4});
  Buffer output(4);
  ExpectRun(*runtime, id, {AsInput(0, given), AsInput(1, given)}, {AsOutput(0, output)});

  ApplicationTensor x(MemorySource::kMalloc, {0, kInfinite, 0, 0});
  ApplicationTensor y(MemorySource::kMalloc, Floats(4), 64);
  const auto in = runtime->ImportTensor(id, BindingKind::kInput, 0, x.GetView());
  const auto out = runtime->ImportTensor(id, BindingKind::kOutput, 0, y.GetView());
  ExpectRun(*runtime, id, {AsImportedInput(0, in), AsInput(1, given)}, {AsImportedOutput(0, out)});
  EXPECT_THAT(runtime->GetCheckReport(id).findings, IsEmpty());

  x.Write({0, 0, kHuge, 0});
  given.Write({0, 0, kHuge, 0});
  ExpectRun(*runtime, id, {AsImportedInput(0, in), AsInput(1, given)}, {AsImportedOutput(0, out)});
  const CheckReport report = runtime->GetCheckReport(id);
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_THAT(report.findings[0].diagnostic.why, HasSubstr("first infinity at [2]"));
}

}  // namespace
}  // namespace backplane::test
