/// Memory of the application in runs: used as it is where that is possible, else copied, and told.

#include "application_memory_fixture.hpp"

#include <gmock/gmock.h>

#include <sys/mman.h>

#include <atomic>
#include <cstring>
#include <thread>

namespace backplane::test {
namespace {

using ::testing::HasSubstr;

TEST_F(ApplicationMemory, IsUsedAsItIsWhenItFits) {
  LoadRelu("CpuRef");
  Run({AsInput(0, x_)}, {AsOutput(0, y_)});
  EXPECT_EQ(y_.Read(), relu_of_x_);
  ExpectTransfers(Input(), 1, 0, 0, "");
  ExpectTransfers(Output(), 1, 0, 0, "");
}

// What does not fit is copied, and nothing else is.
TEST_F(ApplicationMemory, IsCopiedWhenItIsMisaligned) {
  for (const auto& [input_bytes, output_bytes] :
       std::vector<std::pair<std::size_t, std::size_t>>{{1, 0}, {0, 2}, {3, 1}}) {
    network_ = MemoryNetwork();
    LoadRelu("CpuRef");
    Buffer x(x_.Read(), input_bytes);
    Buffer y(4, output_bytes);
    Run({AsInput(0, x)}, {AsOutput(0, y)});
    EXPECT_EQ(y.Read(), relu_of_x_);
    const bool copies_in = input_bytes != 0;
    const bool copies_out = output_bytes != 0;
    ExpectTransfers(Input(), copies_in ? 0 : 1, copies_in ? 1 : 0, copies_in ? 16 : 0,
                    copies_in ? kMisaligned : "");
    ExpectTransfers(Output(), copies_out ? 0 : 1, copies_out ? 1 : 0, copies_out ? 16 : 0,
                    copies_out ? kMisaligned : "");
  }
}

TEST_F(ApplicationMemory, IsAlignedAsItsKindWantsIt) {
  LoadRelu("Strict");
  Buffer x(x_.Read(), 64);
  Run({AsInput(0, x)}, {AsOutput(0, y_)});
  EXPECT_EQ(y_.Read(), relu_of_x_);
  ExpectTransfers(Input(), 0, 1, 16, kMisaligned);
  ExpectTransfers(Output(), 1, 0, 0, "");
}

TEST_F(ApplicationMemory, IsCopiedWhenThatIsAsked) {
  LoadRelu("CpuRef");
  Run({AsInput(0, x_, MemoryUse::kCopy)}, {AsOutput(0, y_, MemoryUse::kCopy)});
  EXPECT_EQ(y_.Read(), relu_of_x_);
  ExpectTransfers(Input(), 0, 1, 16, "the application asked for a copy");
  ExpectTransfers(Output(), 0, 1, 16, "the application asked for a copy");
}

TEST_F(ApplicationMemory, IsNotCopiedWhenThatIsNotAllowed) {
  LoadRelu("CpuRef");
  Buffer odd_x(x_.Read(), 1);
  Buffer odd_y(4, 1);
  const Diagnostic input =
      Fail({AsInput(0, odd_x, MemoryUse::kImport)}, {AsOutput(0, y_)}, Status::kInvalidArgument);
  EXPECT_EQ(input.code, DiagnosticCode::kImportRefused);
  EXPECT_EQ(input.subject.name, "net");
  EXPECT_THAT(input.what, HasSubstr("input 0"));
  EXPECT_THAT(input.why, HasSubstr(kMisaligned));
  EXPECT_THAT(input.why, HasSubstr("expected memory that can be imported"));
  const Diagnostic output =
      Fail({AsInput(0, x_)}, {AsOutput(0, odd_y, MemoryUse::kImport)}, Status::kInvalidArgument);
  EXPECT_EQ(output.code, DiagnosticCode::kImportRefused);
  EXPECT_THAT(output.what, HasSubstr("output 0"));
  EXPECT_THAT(output.why, HasSubstr(kMisaligned));
  EXPECT_EQ(odd_y.Read(), Floats(4, -77)) << "it did not run";
  Run({AsInput(0, x_, MemoryUse::kImport)}, {AsOutput(0, y_, MemoryUse::kImport)});
  EXPECT_EQ(y_.Read(), relu_of_x_);
}

TEST_F(ApplicationMemory, IsCopiedIntoKindsThatImportNothing) {
  LoadRelu("UnifiedA");
  Run({AsInput(0, x_)}, {AsOutput(0, y_)});
  EXPECT_EQ(y_.Read(), relu_of_x_);
  ExpectTransfers(Input(), 0, 1, 16, "imports no memory of the CPU");
  ExpectTransfers(Output(), 0, 1, 16, "imports no memory of the CPU");
  const Diagnostic refused =
      Fail({AsInput(0, x_)}, {AsOutput(0, y_, MemoryUse::kImport)}, Status::kInvalidArgument);
  EXPECT_THAT(refused.why, HasSubstr("imports no memory of the CPU"));
}

TEST_F(ApplicationMemory, IsCopiedIntoTensorsWithPadding) {
  network_.Output(network_.Concat({network_.Input({2}), network_.Input({2})}, "Strict"));
  Load({"Strict"});
  Buffer a(Floats{1, 2});
  Buffer b(Floats{3, 4});
  Run({AsInput(0, a), AsInput(1, b)}, {AsOutput(0, y_)});
  EXPECT_EQ(y_.Read(), (Floats{1, 2, 3, 4}));
  ExpectTransfers(Input(0), 0, 1, 8, "wants padding");
  ExpectTransfers(Output(), 0, 1, 16, "wants padding");
}

// Each way leaves nothing behind that the next could meet.
TEST_F(ApplicationMemory, MayFitInOneRunAndNotInTheNext) {
  for (const std::vector<std::size_t>& misaligned :
       {std::vector<std::size_t>{0, 1, 0}, std::vector<std::size_t>{1, 0, 1}}) {
    network_ = MemoryNetwork();
    LoadRelu("CpuRef");
    Buffer last(4);
    for (std::size_t run = 0; run < misaligned.size(); ++run) {
      const auto value = static_cast<float>(run + 1);
      Buffer x(Floats{value, -value, 2 * value, 3 * value}, misaligned[run]);
      Buffer y(4, misaligned[run]);
      last.Write(Floats(4, -5));
      Run({AsInput(0, x)}, {AsOutput(0, y)});
      EXPECT_EQ(y.Read(), (Floats{value, 0, 2 * value, 3 * value}));
      EXPECT_EQ(last.Read(), Floats(4, -5)) << "what was given earlier";
      std::swap(last, y);
    }
    EXPECT_EQ(Input().imported_runs + Input().copied_runs, 3U);
    EXPECT_EQ(Output().copied_runs, misaligned[0] == 0 ? 1U : 2U);
  }
}

TEST_F(ApplicationMemory, OfAnInputIsOnlyRead) {
  LoadRelu("CpuRef");
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  std::memcpy(page, x_.GetData(), 16);
  ASSERT_EQ(mprotect(page, 4096, PROT_READ), 0);
  Run({{0, {Float({4}), page}, MemoryUse::kImport}}, {AsOutput(0, y_)});
  EXPECT_EQ(y_.Read(), relu_of_x_);
  munmap(page, 4096);
}

TEST_F(ApplicationMemory, IsThatOfEachThread) {
  LoadRelu("CpuRef");
  constexpr int kRuns = 200;
  std::atomic<int> num_wrong{0};
  const auto work = [&](float value, std::size_t misaligned) {
    Buffer x(Floats{value, -value, 2 * value, 3 * value}, misaligned);
    Buffer y(4, misaligned);
    for (int run = 0; run < kRuns; ++run) {
      y.Write(Floats(4, -1));
      const Status status = (*runtime_)->EnqueueWorkload(id_, {AsInput(0, x)}, {AsOutput(0, y)});
      const bool is_right =
          status == Status::kSuccess && y.Read() == Floats({value, 0, 2 * value, 3 * value});
      if (!is_right) ++num_wrong;
    }
  };
  std::thread first(work, 1.0F, 0);
  std::thread second(work, 100.0F, 1);
  first.join();
  second.join();
  EXPECT_EQ(num_wrong, 0);
  ExpectTransfers(Input(), kRuns, kRuns, kRuns * 16, kMisaligned);
  ExpectTransfers(Output(), kRuns, kRuns, kRuns * 16, kMisaligned);
}

TEST_F(ApplicationMemory, IsCopiedWhenItsHandleRefusesIt) {
  network_.Output(network_.Relu(network_.Input({4}), "FailingImportMaps"));
  Load({"FailingImportMaps"}, FailImports("FailingImportMaps", 3));
  EXPECT_THAT(
      Fail({AsInput(0, x_, MemoryUse::kImport)}, {AsOutput(0, y_)}, Status::kInvalidArgument).why,
      HasSubstr("its tensor handle refused"));
  for (int run = 0; run < 2; ++run) {
    y_.Write(Floats(4, -1));
    Run({AsInput(0, x_)}, {AsOutput(0, y_)});
    EXPECT_EQ(y_.Read(), relu_of_x_);
  }
  ExpectTransfers(Input(), 1, 1, 16, "its tensor handle refused");
  ExpectTransfers(Output(), 1, 1, 16, "its tensor handle refused");
}

// There is neither the one way nor the other: the run fails, and says why it came to a copy.
TEST_F(ApplicationMemory, ThatCanNeitherBeImportedNorCopiedFailsTheRun) {
  LoadRelu("Importer");
  Buffer odd(x_.Read(), 1);
  const Diagnostic input = Fail({AsInput(0, odd)}, {AsOutput(0, y_)}, Status::kUnsupported);
  EXPECT_EQ(input.code, DiagnosticCode::kTransferFailed);
  EXPECT_THAT(input.what, HasSubstr("input 0"));
  EXPECT_THAT(input.why, HasSubstr(kMisaligned));
  const Diagnostic output = Fail({AsInput(0, x_)}, {AsOutput(0, odd)}, Status::kUnsupported);
  EXPECT_EQ(output.code, DiagnosticCode::kTransferFailed);
  EXPECT_THAT(output.what, HasSubstr("output 0"));
  EXPECT_THAT(output.why, HasSubstr(kMisaligned));
  Run({AsInput(0, x_)}, {AsOutput(0, y_)});
  EXPECT_EQ(y_.Read(), relu_of_x_);
}

TEST_F(ApplicationMemory, IsLetGoWhenARunFails) {
  network_.Output(network_.Relu(network_.Input({4}), "FailingImport"));
  Load({"FailingImport"}, FailImports("FailingImport", 1));
  const Diagnostic failure = Fail({AsInput(0, x_)}, {AsOutput(0, y_)}, Status::kUnsupported);
  EXPECT_EQ(failure.code, DiagnosticCode::kTransferFailed);
  EXPECT_THAT(failure.why, HasSubstr("its tensor handle refused"));
  Run({AsInput(0, x_)}, {AsOutput(0, y_)});
  EXPECT_EQ(y_.Read(), relu_of_x_);
  EXPECT_EQ(GetCount(**runtime_, "FailingImport", "Imports"),
            GetCount(**runtime_, "FailingImport", "Unimports"));
}

TEST_F(ApplicationMemory, ThatAHandleThrowsAboutFailsTheRunAlone) {
  LoadRelu("Throws");
  const Diagnostic failure = Fail({AsInput(0, x_)}, {AsOutput(0, y_)}, Status::kFailure);
  EXPECT_EQ(failure.code, DiagnosticCode::kTransferFailed);
  EXPECT_THAT(failure.what, HasSubstr("input 0"));
  MemoryNetwork other("other");
  other.Output(other.Relu(other.Input({4}), "CpuRef"));
  ExpectRun(**runtime_, runtime_->Load(other), {AsInput(0, x_)}, {AsOutput(0, y_)});
  EXPECT_EQ(y_.Read(), relu_of_x_);
}

}  // namespace
}  // namespace backplane::test
