/// Memory of the application in runs: used as it is where that is possible, else copied, and told.

#include "memory_runtime.hpp"

#include <gmock/gmock.h>

#include <sys/mman.h>

#include <atomic>
#include <cstring>
#include <thread>

namespace backplane::test {
namespace {

using ::testing::HasSubstr;

constexpr char kMisaligned[] = "is not aligned";
constexpr char kOverlaps[] = "overlaps that of another input or output";

class ApplicationMemory : public ::testing::Test {
 protected:
  /// Loads what was put into the network, in a runtime with these mocks.
  void Load(const std::vector<std::string>& mocks = {}, const OptimizerOptions& options = {}) {
    runtime_.emplace(mocks);
    id_ = runtime_->Load(network_, options);
  }
  void Run(const InputTensors& inputs, const OutputTensors& outputs) {
    ExpectRun(**runtime_, id_, inputs, outputs);
  }
  Diagnostic Fail(const InputTensors& inputs, const OutputTensors& outputs, Status status) {
    return ExpectFailure(**runtime_, id_, inputs, outputs, status);
  }
  BindingTransfers Input(std::size_t id = 0) {
    return (*runtime_)->GetTransferReport(id_).inputs.at(id);
  }
  BindingTransfers Output(std::size_t id = 0) {
    return (*runtime_)->GetTransferReport(id_).outputs.at(id);
  }
  /// y = relu(x) for four elements.
  void LoadRelu(const std::string& mock) {
    network_.Output(network_.Relu(network_.Input({4}), mock));
    Load(mock == "CpuRef" ? std::vector<std::string>{} : std::vector<std::string>{mock});
  }

  MemoryNetwork network_;
  std::optional<MemoryRuntime> runtime_;
  NetworkId id_ = 0;
  Buffer x_{Floats{-1, 2, -3, 4}};
  Buffer y_{4};
  const Floats relu_of_x_{0, 2, 0, 4};
};

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

TEST_F(ApplicationMemory, OfAnOutputIsReadByOtherLayersToo) {
  const OutputSlot y = network_.Relu(network_.Input({4}), "CpuRef");
  network_.Output(y);
  network_.Output(network_.Add(y, y, "CpuRef"));
  Load();
  for (const std::size_t misaligned : {0U, 1U, 0U}) {
    Buffer y_given(4, misaligned);
    Buffer z(4);
    Run({AsInput(0, x_)}, {AsOutput(0, y_given), AsOutput(1, z)});
    EXPECT_EQ(y_given.Read(), relu_of_x_);
    EXPECT_EQ(z.Read(), (Floats{0, 4, 0, 8}));
  }
  ExpectTransfers(Output(0), 2, 1, 16, kMisaligned);
  ExpectTransfers(Output(1), 3, 0, 0, "");
}

TEST_F(ApplicationMemory, OfOneTensorThatIsTwoOutputsIsImportedOnce) {
  const OutputSlot y = network_.Relu(network_.Input({4}), "CpuRef");
  network_.Output(y);
  network_.Output(y);
  Load();
  for (const std::size_t misaligned : {0U, 1U}) {
    Buffer first(4, misaligned);
    Buffer second(4);
    Run({AsInput(0, x_)}, {AsOutput(0, first), AsOutput(1, second)});
    EXPECT_EQ(first.Read(), relu_of_x_);
    EXPECT_EQ(second.Read(), relu_of_x_);
  }
  ExpectTransfers(Output(0), 1, 1, 16, kMisaligned);
  ExpectTransfers(Output(1), 0, 2, 32, "it is another output too");
}

TEST_F(ApplicationMemory, OfAnInputThatIsAnOutputIsCopied) {
  const OutputSlot x = network_.Input({4});
  network_.Output(x);
  network_.Output(network_.Relu(x, "CpuRef"));
  network_.Output(network_.View(x, {2, 2}, "CpuRef"));
  Load();
  Buffer same(4);
  Buffer view(4);
  Run({AsInput(0, x_)}, {AsOutput(0, same), AsOutput(1, y_), AsOutput(2, view)});
  EXPECT_EQ(same.Read(), x_.Read());
  EXPECT_EQ(view.Read(), x_.Read());
  EXPECT_EQ(y_.Read(), relu_of_x_);
  ExpectTransfers(Input(), 1, 0, 0, "");
  ExpectTransfers(Output(0), 0, 1, 16, "an input or a constant");
  ExpectTransfers(Output(1), 1, 0, 0, "");
  ExpectTransfers(Output(2), 0, 1, 16, "an input or a constant");
}

// sum = relu(x) + x reads x after relu(x) is written.
TEST_F(ApplicationMemory, MayBeInputAndOutputAtOnce) {
  const OutputSlot x = network_.Input({4});
  const OutputSlot relu = network_.Relu(x, "CpuRef");
  network_.Output(relu);
  network_.Output(network_.Add(relu, x, "CpuRef"));
  Load();
  Buffer sum(4);
  Run({AsInput(0, x_)}, {AsOutput(0, x_), AsOutput(1, sum)});
  EXPECT_EQ(x_.Read(), relu_of_x_);
  EXPECT_EQ(sum.Read(), (Floats{-1, 4, -3, 8}));
  ExpectTransfers(Input(), 1, 0, 0, "");
  ExpectTransfers(Output(0), 0, 1, 16, kOverlaps);
  EXPECT_THAT(Fail({AsInput(0, x_)}, {AsOutput(0, x_, MemoryUse::kImport), AsOutput(1, sum)},
                   Status::kInvalidArgument)
                  .why,
              HasSubstr(kOverlaps));
}

TEST_F(ApplicationMemory, MayOverlapInParts) {
  const OutputSlot x = network_.Input({4});
  const OutputSlot relu = network_.Relu(x, "CpuRef");
  network_.Output(relu);
  network_.Output(network_.Add(relu, x, "CpuRef"));
  Load();
  // The first output begins in the middle of the input, the second in the middle of the first.
  Buffer all(Floats{-1, 2, -3, 4, 9, 9, 9, 9});
  auto* floats = static_cast<float*>(all.GetData());
  Run({{0, {Float({4}), floats}}}, {{0, floats + 2, 16}, {1, floats + 4, 16}});
  const Floats found = all.Read();
  EXPECT_EQ(Floats(found.begin(), found.begin() + 2), (Floats{-1, 2}));
  EXPECT_EQ(Floats(found.begin() + 2, found.begin() + 4), (Floats{0, 2}));
  EXPECT_EQ(Floats(found.begin() + 4, found.end()), (Floats{-1, 4, -3, 8}))
      << "the later output is written last";
  ExpectTransfers(Output(0), 0, 1, 16, kOverlaps);
  ExpectTransfers(Output(1), 0, 1, 16, kOverlaps);
}

TEST_F(ApplicationMemory, MayLieBesideThatOfOthers) {
  LoadRelu("CpuRef");
  Buffer both(Floats{-1, 2, -3, 4, 9, 9, 9, 9});
  auto* floats = static_cast<float*>(both.GetData());
  Run({{0, {Float({4}), floats}}}, {{0, floats + 4, 16, MemoryUse::kImport}});
  EXPECT_EQ(both.Read(), (Floats{-1, 2, -3, 4, 0, 2, 0, 4}));
}

TEST_F(ApplicationMemory, OfAViewIsThatOfWhatIsViewed) {
  const OutputSlot relu = network_.Relu(network_.Input({4}), "CpuRef");
  const OutputSlot view = network_.View(relu, {2, 2}, "CpuRef");
  network_.Output(network_.View(view, {4, 1}, "CpuRef"));
  network_.Output(network_.Relu(view, "CpuRef"));
  Load();
  Buffer second(4);
  Run({AsInput(0, x_)}, {AsOutput(0, y_, MemoryUse::kImport), AsOutput(1, second)});
  EXPECT_EQ(y_.Read(), relu_of_x_);
  EXPECT_EQ(second.Read(), relu_of_x_);
}

TEST_F(ApplicationMemory, OfAConcatHoldsItsParts) {
  const OutputSlot a = network_.Relu(network_.Input({2}), "CpuRef");
  const OutputSlot b = network_.Relu(network_.Input({2}), "CpuRef");
  network_.Output(network_.Concat({a, b}, "CpuRef"));
  Load();
  Buffer left(Floats{-1, 2});
  Buffer right(Floats{-3, 4});
  for (const std::size_t misaligned : {0U, 1U, 0U}) {
    Buffer y(4, misaligned);
    Run({AsInput(0, left), AsInput(1, right)}, {AsOutput(0, y)});
    EXPECT_EQ(y.Read(), relu_of_x_);
  }
  ExpectTransfers(Output(), 2, 1, 16, kMisaligned);
}

TEST_F(ApplicationMemory, OfTensorsWithoutElementsIsNotTouched) {
  network_.Output(network_.Relu(network_.Input({0, 4}), "CpuRef"));
  network_.Output(network_.Relu(network_.Input({4}), "CpuRef"));
  Load();
  for (const MemoryUse use : {MemoryUse::kImportElseCopy, MemoryUse::kImport, MemoryUse::kCopy}) {
    Run({{0, {Float({0, 4}), nullptr}, use}, AsInput(1, x_)},
        {{0, nullptr, 0, use}, AsOutput(1, y_)});
    EXPECT_EQ(y_.Read(), relu_of_x_);
  }
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
