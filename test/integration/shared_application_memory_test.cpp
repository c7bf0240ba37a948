/// Memory of the application that is that of several tensors, or overlaps.

#include "application_memory_fixture.hpp"

#include <gmock/gmock.h>

namespace backplane::test {
namespace {

using ::testing::HasSubstr;

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

}  // namespace
}  // namespace backplane::test
