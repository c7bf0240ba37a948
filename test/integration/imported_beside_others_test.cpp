/// Imported tensors that other tensors share, or overlap.

#include "imported_tensors_fixture.hpp"

namespace backplane::test {
namespace {

using ::testing::HasSubstr;

// What is copied out beside an imported output lies in the imported memory.
TEST_F(ImportedTensorsTest, OfATensorThatIsAnotherOutputTooAreReadForThat) {
  const OutputSlot y = network_.Relu(network_.Input({4}), "CpuRef");
  network_.Output(y);
  network_.Output(y);
  network_.Output(network_.View(y, {2, 2}, "CpuRef"));
  Load();
  ApplicationTensor imported(kMalloc, Floats(4));
  const ImportedTensorId out = ImportOutput(0, imported.GetView());
  for (const bool is_imported : {true, false, true}) {
    const auto value = is_imported ? 3.0F : 4.0F;
    Buffer x(Floats(4, value));
    Buffer first(4);
    Buffer second(4);
    Buffer view(4);
    Run({AsInput(0, x)}, {is_imported ? AsImportedOutput(0, out) : AsOutput(0, first),
                          AsOutput(1, second), AsOutput(2, view)});
    EXPECT_EQ(is_imported ? imported.Read() : first.Read(), Floats(4, value));
    EXPECT_EQ(second.Read(), Floats(4, value));
    EXPECT_EQ(view.Read(), Floats(4, value));
    imported.Write(Floats(4, -1));
  }
}

TEST_F(ImportedTensorsTest, OfAnInputThatIsAnOutputAreReadForThat) {
  const OutputSlot x = network_.Input({4});
  network_.Output(x);
  network_.Output(network_.View(x, {2, 2}, "CpuRef"));
  network_.Output(network_.Relu(x, "CpuRef"));
  Load();
  ApplicationTensor imported(kMalloc, {-1, 2, -3, 4});
  const ImportedTensorId in = ImportInput(0, imported.GetView());
  Buffer same(4);
  Buffer view(4);
  Buffer relu(4);
  Run({AsImportedInput(0, in)}, {AsOutput(0, same), AsOutput(1, view), AsOutput(2, relu)});
  EXPECT_EQ(same.Read(), (Floats{-1, 2, -3, 4}));
  EXPECT_EQ(view.Read(), (Floats{-1, 2, -3, 4}));
  EXPECT_EQ(relu.Read(), (Floats{0, 2, 0, 4}));
}

// relu is written before x is read for the last time.
TEST_F(ImportedTensorsTest, ThatOverlapGivenMemoryAreNotOverwritten) {
  const OutputSlot x = network_.Input({4});
  const OutputSlot relu = network_.Relu(x, "CpuRef");
  network_.Output(relu);
  network_.Output(network_.Add(relu, x, "CpuRef"));
  Load();
  Buffer both(Floats{-1, 2, -3, 4});
  MemoryView memory;
  memory.source = kMalloc;
  memory.data = both.GetData();
  memory.size_bytes = 16;
  Buffer sum(4);
  Run({AsImportedInput(0, ImportInput(0, memory))}, {AsOutput(0, both), AsOutput(1, sum)});
  EXPECT_EQ(sum.Read(), (Floats{-1, 4, -3, 8}));
  EXPECT_EQ(both.Read(), (Floats{0, 2, 0, 4}));
  const TransferReport report = (*runtime_)->GetTransferReport(id_);
  ExpectTransfers(report.outputs[0], 0, 1, 16, "overlaps that of another input or output");
  both.Write({-1, 2, -3, 4});
  Run({AsInput(0, both)}, {AsImportedOutput(0, ImportOutput(0, memory)), AsOutput(1, sum)});
  EXPECT_EQ(sum.Read(), (Floats{-1, 4, -3, 8}));
  EXPECT_EQ(both.Read(), (Floats{0, 2, 0, 4}));
}

TEST_P(ImportedTensors, ThatOverlapEachOtherAreRefused) {
  LoadSumAndRelu(GetParam().mock);
  ApplicationTensor a(Source(), Floats(4, 1));
  ApplicationTensor sum(Source(), Floats(4));
  Buffer relu(4);
  const ImportedTensorId in[] = {ImportInput(0, a.GetView()), ImportInput(1, a.GetView())};
  const ImportedTensorId out[] = {ImportOutput(0, a.GetView()), ImportOutput(0, sum.GetView())};
  const Diagnostic refused =
      ExpectFailure(**runtime_, id_, {AsImportedInput(0, in[0]), AsImportedInput(1, in[1])},
                    {AsImportedOutput(0, out[0]), AsOutput(1, relu)}, Status::kInvalidArgument);
  EXPECT_EQ(refused.code, DiagnosticCode::kImportRefused);
  EXPECT_THAT(refused.what, HasSubstr("output 0"));
  EXPECT_THAT(refused.why, HasSubstr("overlaps that of another input or output"));
  Run({AsImportedInput(0, in[0]), AsImportedInput(1, in[1])},
      {AsImportedOutput(0, out[1]), AsOutput(1, relu)});
  EXPECT_EQ(sum.Read(), Floats(4, 2)) << "two inputs are only read";
}

// The tensor is imported once more by another backend, from wherever it lies in this run.
TEST_F(ImportedTensorsTest, AreImportedFurtherByOtherBackends) {
  const OutputSlot x = network_.Input({4});
  network_.Output(network_.Relu(x, "CpuRef"));
  network_.Output(network_.Add(x, x, "UnifiedB"));
  Load({"UnifiedB"});
  ApplicationTensor one(kMalloc, Floats(4, 1));
  ApplicationTensor two(kMalloc, Floats(4, 2));
  Buffer three(Floats(4, 3));
  Buffer odd(Floats(4, 4), 1);
  const ImportedTensorId in[] = {ImportInput(0, one.GetView()), ImportInput(0, two.GetView())};
  for (int round = 0; round < 2; ++round) {
    for (std::size_t from = 0; from < 4; ++from) {
      const auto value = static_cast<float>(from + 1);
      Buffer relu(4);
      Buffer sum(4);
      Run({from < 2    ? AsImportedInput(0, in[from])
           : from == 2 ? AsInput(0, three)
                       : AsInput(0, odd)},
          {AsOutput(0, relu), AsOutput(1, sum)});
      EXPECT_EQ(relu.Read(), Floats(4, value));
      EXPECT_EQ(sum.Read(), Floats(4, 2 * value));
    }
  }
}

TEST_F(ImportedTensorsTest, OfAConcatHoldItsParts) {
  const OutputSlot a = network_.Relu(network_.Input({2}), "CpuRef");
  const OutputSlot b = network_.Relu(network_.Input({2}), "CpuRef");
  network_.Output(network_.Concat({a, b}, "CpuRef"));
  Load();
  Buffer left(Floats{-1, 2});
  Buffer right(Floats{-3, 4});
  Buffer given(4);
  ApplicationTensor imported(kMalloc, Floats(4));
  const ImportedTensorId out = ImportOutput(0, imported.GetView());
  Run({AsInput(0, left), AsInput(1, right)}, {AsImportedOutput(0, out)});
  EXPECT_EQ(imported.Read(), (Floats{0, 2, 0, 4}));
  Run({AsInput(0, right), AsInput(1, left)}, {AsOutput(0, given)});
  EXPECT_EQ(given.Read(), (Floats{0, 4, 0, 2}));
  EXPECT_EQ(imported.Read(), (Floats{0, 2, 0, 4}));
}

}  // namespace
}  // namespace backplane::test
