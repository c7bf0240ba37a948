/// What layers write, where, when, and whether they write it again.

#include "execution/checks_fixture.hpp"
#include "support/sanitized.hpp"

#include <backplane/runtime/tensor_observer.hpp>

#include <chrono>
#include <thread>

namespace backplane {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class CheckedWrites : public ChecksFixture {
 protected:
  CheckedWrites()
      : ChecksFixture(ToFlags(RunCheck::kMemory) | ToFlags(RunCheck::kFences) |
                      ToFlags(RunCheck::kDeterminism)) {}

  /// A copies, and then does this with what it read and what it wrote.
  void CopyAnd(std::function<void(float* from, float* to)> deed) const {
    a_->execute = [deed = std::move(deed)](const ExecuteArgs& args) {
      float* const from = args.GetInput(0).Get<float>();
      float* const to = args.GetOutput(0).Get<float>();
      std::copy(from, from + 4, to);
      deed(from, to);
      return Status::kSuccess;
    };
  }

  /// The one finding of a run of two layers, of which the first is A's.
  CheckFinding FindOne() {
    const NetworkId id = Load(*MakeChain({"one"}), {"A"});
    RunChain(id);
    const CheckReport report = GetReport(id);
    EXPECT_THAT(report.findings, SizeIs(1));
    return report.findings.empty() ? CheckFinding() : report.findings[0];
  }
};

TEST_F(CheckedWrites, OfLayersThatAreRightAreNotTold) {
  const NetworkId id = Load(*MakeChain({"one", "two", "three"}), {"A", "B"});
  RunChain(id);
  EXPECT_THAT(GetReport(id).findings, IsEmpty());
}

TEST_F(CheckedWrites, OverAnInputAreTold) {
  CopyAnd([](float* from, float*) { from[2] = 77; });
  const CheckFinding finding = FindOne();
  EXPECT_EQ(finding.check, RunCheck::kMemory);
  EXPECT_EQ(finding.backend_id, "A");
  ExpectDiagnostic(finding.diagnostic, DiagnosticCode::kForeignMemoryWritten, "one",
                   "of input 0 changed", "expected nothing but its outputs to change");
  EXPECT_THAT(finding.diagnostic.what, HasSubstr("wrote over its input 0"));
}

TEST_F(CheckedWrites, ThatAreMissingAreTold) {
  a_->execute = [](const ExecuteArgs& args) {
    std::copy(args.GetInput(0).Get<float>(), args.GetInput(0).Get<float>() + 3,
              args.GetOutput(0).Get<float>());
    return Status::kSuccess;
  };
  const CheckFinding finding = FindOne();
  ExpectDiagnostic(finding.diagnostic, DiagnosticCode::kOutputNotWritten, "one",
                   "1 of 4 elements, the first at index 3", "expected every element");
}

TEST_F(CheckedWrites, ThatDifferTheSecondTimeAreTold) {
  int num_runs = 0;
  CopyAnd([&num_runs](float*, float* to) { to[1] += static_cast<float>(num_runs++); });
  const CheckFinding finding = FindOne();
  ExpectDiagnostic(finding.diagnostic, DiagnosticCode::kNotDeterministic, "one",
                   "1 of 4 elements, the first at index 1", "expected the same");
}

TEST_F(CheckedWrites, ThatComeLateAreTold) {
  if (test::HasThreadSanitizer()) GTEST_SKIP() << "what comes late is a data race";
  std::vector<std::thread> threads;
  CopyAnd([&threads](float*, float* to) {
    const float value = to[3];
    to[3] = -1;
    threads.emplace_back([to, value] {
      std::this_thread::sleep_for(std::chrono::microseconds(300));
      to[3] = value;
    });
  });
  const NetworkId id = Load(*MakeChain({"one", "two"}), {"A"});
  RunChain(id);
  for (std::thread& thread : threads) thread.join();
  bool is_told = false;
  for (const CheckFinding& finding : GetReport(id).findings) {
    is_told = is_told || finding.diagnostic.code == DiagnosticCode::kWrittenLate;
  }
  EXPECT_TRUE(is_told);
}

TEST_F(CheckedWrites, AreSeenByAnObserver) {
  std::vector<ObservedTensor> seen;
  std::vector<std::vector<float>> values;
  CreationOptions options;
  options.tensor_observer = [&](const ObservedTensor& tensor) {
    seen.push_back(tensor);
    const auto* const data = static_cast<const float*>(tensor.data);
    ASSERT_NE(data, nullptr);
    values.emplace_back(data, data + 4);
  };
  runtime_ = MakeRuntime({a_, b_}, options);
  const auto network = MakeChain({"one", "two"});
  RunChain(Load(*network, {"A"}));
  ASSERT_GE(seen.size(), 2U);
  EXPECT_EQ(seen[0].layer, "one");
  EXPECT_EQ(seen[1].layer, "two");
  EXPECT_EQ(seen[1].backend_id, "A");
  EXPECT_EQ(values[1][0], values[0][0] + 1);
  runtime_ = MakeRuntime({a_, b_}, {});
  const auto cut = CutNetwork(*network, {seen[0].origin, seen[1].origin});
  EXPECT_THAT(cut->GetInputs(), SizeIs(3));
  EXPECT_THAT(cut->GetOutputs(), SizeIs(2));
  EXPECT_THAT(ExposeTensors(*network, {seen[0].origin})->GetOutputs(), SizeIs(1));
}

}  // namespace
}  // namespace backplane
