/// What IRuntime::ImportTensor refuses, and ids that a run refuses.

#include "imported_tensors_fixture.hpp"
#include "support/sanitized.hpp"

#include <sys/resource.h>
#include <unistd.h>

namespace backplane::test {
namespace {

using ::testing::HasSubstr;

TEST_P(ImportedTensors, AreKnownByTheirIdAlone) {
  LoadSumAndRelu(GetParam().mock);
  ApplicationTensor x(Source(), Floats(4, 1));
  Buffer b(Floats(4, 1));
  Buffer sum(4);
  Buffer relu(4);
  const ImportedTensorId in = ImportInput(0, x.GetView());
  const ImportedTensorId out = ImportOutput(0, x.GetView());
  const OutputTensors outputs{AsOutput(0, sum), AsOutput(1, relu)};
  ExpectUnknown({AsImportedInput(0, out + 1), AsInput(1, b)}, outputs);
  ExpectUnknown({AsInput(0, b), AsImportedInput(1, in)}, outputs);
  ExpectUnknown({AsImportedInput(0, out), AsInput(1, b)}, outputs);
  ExpectUnknown({AsImportedInput(0, in), AsInput(1, b)},
                {AsImportedOutput(0, in), AsOutput(1, relu)});
  ExpectUnknown({AsImportedInput(0, in), AsInput(1, b)},
                {AsOutput(0, sum), AsImportedOutput(1, out)});
  EXPECT_EQ(sum.Read(), Floats(4, -77)) << "it did not run";
  Run({AsImportedInput(0, in), AsInput(1, b)}, outputs);
  EXPECT_EQ(sum.Read(), Floats(4, 2));
  Release(in);
  ExpectUnknown({AsImportedInput(0, in), AsInput(1, b)}, outputs);
  EXPECT_EQ(CatchDiagnostic([&] { Release(in); }).code, DiagnosticCode::kUnknownImportedTensor);
  EXPECT_EQ(CatchDiagnostic([&] { Release(kNotImported); }).code,
            DiagnosticCode::kUnknownImportedTensor);
  EXPECT_NE(ImportInput(0, x.GetView()), in) << "an id is not given again";
}

TEST_P(ImportedTensors, MeanNothingToAnotherNetwork) {
  LoadRelu(GetParam().mock);
  const NetworkId other = runtime_->Load(network_);
  ApplicationTensor x(Source(), Floats(4, 1));
  Buffer y(4);
  const ImportedTensorId in = ImportInput(0, x.GetView());
  EXPECT_EQ(ExpectFailure(**runtime_, other, {AsImportedInput(0, in)}, {AsOutput(0, y)},
                          Status::kNotFound)
                .code,
            DiagnosticCode::kUnknownImportedTensor);
  EXPECT_EQ(CatchDiagnostic([&] { (*runtime_)->ReleaseImportedTensor(other, in); }).code,
            DiagnosticCode::kUnknownImportedTensor);
  Run({AsImportedInput(0, in)}, {AsOutput(0, y)});
}

TEST_P(ImportedTensors, OfBindingsThatDoNotExistAreRefused) {
  LoadRelu(GetParam().mock);
  ApplicationTensor x(Source(), Floats(4, 1));
  const Diagnostic input = CatchDiagnostic([&] { ImportInput(1, x.GetView()); });
  EXPECT_EQ(input.code, DiagnosticCode::kWrongTensorBinding);
  EXPECT_THAT(input.what, HasSubstr("input 1"));
  EXPECT_EQ(CatchDiagnostic([&] { ImportOutput(7, x.GetView()); }).code,
            DiagnosticCode::kWrongTensorBinding);
  (*runtime_)->UnloadNetwork(id_);
  EXPECT_EQ(CatchDiagnostic([&] { ImportInput(0, x.GetView()); }).code,
            DiagnosticCode::kUnknownNetwork);
}

// Neither binding is done when memory does not fit.
TEST_P(ImportedTensors, AreCheckedBeforeTheyAreTouched) {
  LoadRelu(GetParam().mock);
  ApplicationTensor x(Source(), Floats(4, 1));
  const auto expect_refused = [&](const MemoryView& memory, const std::string& found) {
    const Diagnostic refused = CatchDiagnostic([&] { ImportOutput(0, memory); });
    EXPECT_EQ(refused.code, DiagnosticCode::kImportRefused) << found;
    EXPECT_THAT(refused.what, HasSubstr("output 0"));
    EXPECT_THAT(refused.why, HasSubstr(found));
    EXPECT_THAT(refused.why, HasSubstr("expected"));
  };
  MemoryView view = x.GetView();
  view.size_bytes = 15;
  expect_refused(view, "found 15 bytes; expected 16 bytes");
  view = x.GetView();
  view.access = MemoryAccess::kRead;
  expect_refused(view, "found memory for reading; expected memory for reading and writing");
  view = x.GetView();
  view.source = MemorySource::kDmaBufProtected;
  view.file_descriptor = 0;
  expect_refused(view, "found memory of the source protected dma-buf");
  view = x.GetView();
  view.data_type = DataType::kFloat32;
  view.rank = 1;
  view.dims[0] = 4;
  view.strides_bytes[0] = 8;
  expect_refused(view, "found strides of [8] bytes; expected dense ones, [4]");
  view.strides_bytes[0] = 4;
  view.dims[0] = 2;
  expect_refused(view, "found float32 [2]; expected float32 [4]");
  view.dims[0] = 4;
  EXPECT_NE(ImportOutput(0, view), kNotImported) << "what is told completely and rightly";
}

TEST_F(ImportedTensorsTest, OfASourceThatTheKindDoesNotImportAreRefused) {
  LoadRelu("CpuRef");
  ApplicationTensor x(kFile, Floats(4));
  const Diagnostic refused = CatchDiagnostic([&] { ImportInput(0, x.GetView()); });
  EXPECT_EQ(refused.code, DiagnosticCode::kImportRefused);
  EXPECT_THAT(refused.why, HasSubstr("source file descriptor; expected malloc"));
}

TEST_F(ImportedTensorsTest, ThatAreMisalignedAreRefused) {
  LoadRelu("Importer");
  ApplicationTensor x(kMalloc, Floats(4), 8);
  const Diagnostic refused = CatchDiagnostic([&] { ImportInput(0, x.GetView()); });
  EXPECT_EQ(refused.code, DiagnosticCode::kImportRefused);
  EXPECT_THAT(refused.why, HasSubstr("multiple of 8 and no more; expected a multiple of 16"));
}

/// Lets this process open no more files than it has open, for a while.
class NoMoreFiles {
 public:
  NoMoreFiles() {
    getrlimit(RLIMIT_NOFILE, &before_);
    const int lowest = dup(STDERR_FILENO);
    close(lowest);
    const rlimit now{static_cast<rlim_t>(lowest), before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &now);
  }
  ~NoMoreFiles() { setrlimit(RLIMIT_NOFILE, &before_); }
  NoMoreFiles(const NoMoreFiles&) = delete;
  NoMoreFiles& operator=(const NoMoreFiles&) = delete;

 private:
  rlimit before_{};
};

// The handle was not asked, so it is not what refused.
TEST_F(ImportedTensorsTest, WhoseFileCannotBeKeptSayWhy) {
  if (HasAddressSanitizer()) GTEST_SKIP() << "sanitizers need descriptors of their own";
  LoadRelu("Importer");
  ApplicationTensor x(kFile, Floats(4, 5));
  {
    const NoMoreFiles none;
    const Diagnostic refused = CatchDiagnostic([&] { ImportInput(0, x.GetView()); });
    EXPECT_EQ(refused.code, DiagnosticCode::kImportRefused);
    EXPECT_THAT(refused.what, HasSubstr("input 0 cannot be kept"));
    EXPECT_THAT(refused.why, HasSubstr("Too many open files"));
    EXPECT_THAT(refused.fix, HasSubstr("ulimit -n"));
  }
  EXPECT_NE(ImportInput(0, x.GetView()), kNotImported);
}

TEST_F(ImportedTensorsTest, ThatWouldAlwaysBeCopiedAreRefused) {
  const OutputSlot x = network_.Input({4});
  const OutputSlot y = network_.Relu(x, "CpuRef");
  network_.Output(y);
  network_.Output(y);
  network_.Output(x);
  network_.Output(network_.Relu(network_.Input({4}), "UnifiedA"));
  Load({"UnifiedA"});
  ApplicationTensor tensor(kMalloc, Floats(4));
  const auto expect_refused = [&](LayerBindingId output, const std::string& why) {
    const Diagnostic refused = CatchDiagnostic([&] { ImportOutput(output, tensor.GetView()); });
    EXPECT_EQ(refused.code, DiagnosticCode::kImportRefused);
    EXPECT_THAT(refused.why, HasSubstr("it is always copied: " + why));
  };
  expect_refused(1, "it is another output too");
  expect_refused(2, "it is an input or a constant of the network");
  expect_refused(3, "its kind of tensor memory imports no memory of the CPU");
  EXPECT_NE(ImportOutput(0, tensor.GetView()), kNotImported);
}

TEST_F(ImportedTensorsTest, ThatAHandleRefusesAreTold) {
  network_.Output(network_.Relu(network_.Input({4}), "FailingImportMaps"));
  runtime_.emplace(std::vector<std::string>{"FailingImportMaps"});
  id_ = runtime_->Load(network_, FailImports("FailingImportMaps", 1));
  ApplicationTensor x(kMalloc, Floats(4, 5));
  const Diagnostic refused = CatchDiagnostic([&] { ImportInput(0, x.GetView()); });
  EXPECT_EQ(refused.code, DiagnosticCode::kImportRefused);
  EXPECT_THAT(refused.why, HasSubstr("Mock/FailingImportMaps/Window answered"));
  Buffer y(4);
  Run({AsImportedInput(0, ImportInput(0, x.GetView()))}, {AsOutput(0, y)});
  EXPECT_EQ(y.Read(), Floats(4, 5));
}

}  // namespace
}  // namespace backplane::test
