/// Memory of the application that IRuntime::ImportTensor prepared, in runs.

#include "application_tensor.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>

namespace backplane::test {
namespace {

using ::testing::HasSubstr;

constexpr MemorySource kMalloc = MemorySource::kMalloc;
constexpr MemorySource kFile = MemorySource::kFileDescriptor;

class ImportedTensorsTest : public ::testing::Test {
 protected:
  /// Loads what was put into the network, on the reference backend and these mocks.
  void Load(const std::vector<std::string>& mocks = {}) {
    runtime_.emplace(mocks);
    id_ = runtime_->Load(network_);
  }
  /// sum = a + b, and relu(sum), for four elements.
  void LoadSumAndRelu(const std::string& mock) {
    const OutputSlot a = network_.Input({4});
    const OutputSlot sum = network_.Add(a, network_.Input({4}), mock);
    network_.Output(sum);
    network_.Output(network_.Relu(sum, mock));
    Load(mock == "CpuRef" ? std::vector<std::string>{} : std::vector<std::string>{mock});
  }
  /// relu(x) for four elements.
  void LoadRelu(const std::string& mock) {
    network_.Output(network_.Relu(network_.Input({4}), mock));
    Load(mock == "CpuRef" ? std::vector<std::string>{} : std::vector<std::string>{mock});
  }

  ImportedTensorId ImportInput(LayerBindingId id, const MemoryView& memory) {
    return (*runtime_)->ImportTensor(id_, BindingKind::kInput, id, memory);
  }
  ImportedTensorId ImportOutput(LayerBindingId id, const MemoryView& memory) {
    return (*runtime_)->ImportTensor(id_, BindingKind::kOutput, id, memory);
  }
  void Release(ImportedTensorId imported) { (*runtime_)->ReleaseImportedTensor(id_, imported); }
  void Run(const InputTensors& inputs, const OutputTensors& outputs) {
    ExpectRun(**runtime_, id_, inputs, outputs);
  }
  void ExpectUnknown(const InputTensors& inputs, const OutputTensors& outputs) {
    const Diagnostic failure = ExpectFailure(**runtime_, id_, inputs, outputs, Status::kNotFound);
    EXPECT_EQ(failure.code, DiagnosticCode::kUnknownImportedTensor);
    EXPECT_EQ(failure.subject.name, "net");
    EXPECT_THAT(failure.why, HasSubstr("expected one that ImportTensor gave for"));
  }

  MemoryNetwork network_;
  std::optional<MemoryRuntime> runtime_;
  NetworkId id_ = 0;
};

/// A backend, and memory that its kind imports.
struct Importing {
  const char* mock;
  MemorySource source;
};

void PrintTo(const Importing& importing, std::ostream* stream) {
  *stream << importing.mock;
}

class ImportedTensors : public ImportedTensorsTest,
                        public ::testing::WithParamInterface<Importing> {
 protected:
  MemorySource Source() const { return GetParam().source; }
};

INSTANTIATE_TEST_SUITE_P(
    Kinds, ImportedTensors,
    ::testing::Values(Importing{"CpuRef", kMalloc}, Importing{"Importer", kMalloc},
                      Importing{"Importer", kFile}, Importing{"Legacy", kMalloc},
                      Importing{"Legacy", kFile}),
    [](const auto& test) {
      return std::string(test.param.mock) + (test.param.source == kFile ? "File" : "Malloc");
    });

TEST_P(ImportedTensors, AreUsedByEveryRunUntilTheyAreReleased) {
  LoadRelu(GetParam().mock);
  ApplicationTensor x(Source(), {-1, 2, -3, 4});
  ApplicationTensor y(Source(), Floats(4), 64);
  const ImportedTensorId in = ImportInput(0, x.GetView());
  const ImportedTensorId out = ImportOutput(0, y.GetView());
  EXPECT_NE(in, kNotImported);
  EXPECT_NE(in, out);
  Run({AsImportedInput(0, in)}, {AsImportedOutput(0, out)});
  EXPECT_EQ(y.Read(), (Floats{0, 2, 0, 4}));
  x.Write({5, -6, 7, -8});
  Run({AsImportedInput(0, in)}, {AsImportedOutput(0, out)});
  EXPECT_EQ(y.Read(), (Floats{5, 0, 7, 0}));
  EXPECT_EQ(x.Read(), (Floats{5, -6, 7, -8}));
  const TransferReport report = (*runtime_)->GetTransferReport(id_);
  ExpectTransfers(report.inputs[0], 2, 0, 0, "");
  ExpectTransfers(report.outputs[0], 2, 0, 0, "");
  Release(in);
  Release(out);
}

TEST_P(ImportedTensors, AreMixedWithGivenOnesInEveryWay) {
  LoadSumAndRelu(GetParam().mock);
  for (int round = 0; round < 2; ++round) {
    for (unsigned mix = 0; mix < 16; ++mix) {
      const auto is_imported = [&](unsigned binding) { return (mix >> binding & 1U) != 0; };
      const auto value = static_cast<float>(mix + 1);
      ApplicationTensor a(Source(), Floats(4, value));
      ApplicationTensor b(Source(), {-20, 0, 1, 2});
      ApplicationTensor sum(Source(), Floats(4));
      ApplicationTensor relu(Source(), Floats(4));
      Buffer given_a(a.Read());
      Buffer given_b(b.Read());
      Buffer given_sum(4);
      Buffer given_relu(4);
      Run({is_imported(0) ? AsImportedInput(0, ImportInput(0, a.GetView())) : AsInput(0, given_a),
           is_imported(1) ? AsImportedInput(1, ImportInput(1, b.GetView())) : AsInput(1, given_b)},
          {is_imported(2) ? AsImportedOutput(0, ImportOutput(0, sum.GetView()))
                          : AsOutput(0, given_sum),
           is_imported(3) ? AsImportedOutput(1, ImportOutput(1, relu.GetView()))
                          : AsOutput(1, given_relu)});
      EXPECT_EQ(is_imported(2) ? sum.Read() : given_sum.Read(),
                (Floats{value - 20, value, value + 1, value + 2}))
          << mix;
      EXPECT_EQ(is_imported(3) ? relu.Read() : given_relu.Read(),
                (Floats{0, value, value + 1, value + 2}))
          << mix;
    }
  }
  for (const auto& transfers : (*runtime_)->GetTransferReport(id_).outputs) {
    ExpectTransfers(transfers, 32, 0, 0, "");
  }
}

TEST_P(ImportedTensors, TakeTurnsWithOthersAndWithGivenOnes) {
  LoadRelu(GetParam().mock);
  ApplicationTensor x0(Source(), Floats(4, 10));
  ApplicationTensor x1(Source(), Floats(4, 20));
  ApplicationTensor y0(Source(), Floats(4));
  ApplicationTensor y1(Source(), Floats(4));
  Buffer x2(Floats(4, 30));
  Buffer y2(4);
  const ImportedTensorId in[] = {ImportInput(0, x0.GetView()), ImportInput(0, x1.GetView())};
  const ImportedTensorId out[] = {ImportOutput(0, y0.GetView()), ImportOutput(0, y1.GetView())};
  for (int round = 0; round < 3; ++round) {
    for (std::size_t from = 0; from < 3; ++from) {
      for (std::size_t to = 0; to < 3; ++to) {
        y0.Write(Floats(4, -1));
        y1.Write(Floats(4, -1));
        y2.Write(Floats(4, -1));
        Run({from < 2 ? AsImportedInput(0, in[from]) : AsInput(0, x2)},
            {to < 2 ? AsImportedOutput(0, out[to]) : AsOutput(0, y2)});
        const Floats found[] = {y0.Read(), y1.Read(), y2.Read()};
        for (std::size_t y = 0; y < 3; ++y) {
          EXPECT_EQ(found[y], Floats(4, y == to ? 10.0F * static_cast<float>(from + 1) : -1.0F));
        }
      }
    }
  }
}

TEST_P(ImportedTensors, GoWithTheNetworkWhenNobodyReleasesThem) {
  LoadRelu(GetParam().mock);
  ApplicationTensor x(Source(), Floats(4, 1));
  ApplicationTensor y(Source(), Floats(4));
  const ImportedTensorId in = ImportInput(0, x.GetView());
  Run({AsImportedInput(0, in)}, {AsImportedOutput(0, ImportOutput(0, y.GetView()))});
  (*runtime_)->UnloadNetwork(id_);
  EXPECT_EQ(y.Read(), Floats(4, 1));
  EXPECT_EQ(CatchDiagnostic([&] { Release(in); }).code, DiagnosticCode::kUnknownNetwork);
}

TEST_P(ImportedTensors, OfSeveralThreadsAreKeptApart) {
  LoadRelu(GetParam().mock);
  std::atomic<int> num_wrong{0};
  const auto work = [&](float value) {
    ApplicationTensor x(Source(), Floats(4, value));
    ApplicationTensor y(Source(), Floats(4));
    for (int round = 0; round < 20; ++round) {
      const ImportedTensorId in = ImportInput(0, x.GetView());
      const ImportedTensorId out = ImportOutput(0, y.GetView());
      for (int run = 0; run < 5; ++run) {
        y.Write(Floats(4, -1));
        Run({AsImportedInput(0, in)}, {AsImportedOutput(0, out)});
        if (y.Read() != Floats(4, value)) ++num_wrong;
      }
      Release(in);
      Release(out);
    }
  };
  std::thread first(work, 1.0F);
  std::thread second(work, 2.0F);
  first.join();
  second.join();
  EXPECT_EQ(num_wrong, 0);
}

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

class ImportedFiles : public ImportedTensors {};
INSTANTIATE_TEST_SUITE_P(Kinds, ImportedFiles,
                         ::testing::Values(Importing{"Importer", kFile},
                                           Importing{"Legacy", kFile}));

TEST_P(ImportedFiles, MayBeClosedByTheApplicationAtOnce) {
  LoadRelu(GetParam().mock);
  ApplicationTensor x(kFile, Floats(4, 3));
  ApplicationTensor y(kFile, Floats(4), 128);
  const ImportedTensorId in = ImportInput(0, x.GetView());
  const ImportedTensorId out = ImportOutput(0, y.GetView());
  x.CloseForApplication();
  y.CloseForApplication();
  // Another file gets the number of the one that was closed.
  const ApplicationTensor other(kFile, Floats(4, 99));
  for (int run = 0; run < 2; ++run) {
    Run({AsImportedInput(0, in)}, {AsImportedOutput(0, out)});
    EXPECT_EQ(y.Read(), Floats(4, 3));
  }
  EXPECT_EQ(other.Read(), Floats(4, 99));
}

TEST_P(ImportedFiles, LeaveNoDescriptorBehind) {
  LoadRelu(GetParam().mock);
  ApplicationTensor x(kFile, Floats(4, 3));
  Buffer y(4);
  const auto get_free_descriptor = [] {
    const int found = dup(STDIN_FILENO);
    close(found);
    return found;
  };
  const int before = get_free_descriptor();
  for (int round = 0; round < 3; ++round) {
    const ImportedTensorId in = ImportInput(0, x.GetView());
    Run({AsImportedInput(0, in)}, {AsOutput(0, y)});
    Release(in);
  }
  MemoryView small = x.GetView();
  small.size_bytes = 1;
  EXPECT_THROW(ImportInput(0, small), DiagnosticException);
  EXPECT_EQ(get_free_descriptor(), before);
}

TEST_P(ImportedFiles, AreRefusedWhenTheyCannotHoldTheTensor) {
  LoadRelu(GetParam().mock);
  const auto expect_refused = [&](const MemoryView& memory, const std::string& found) {
    const Diagnostic refused = CatchDiagnostic([&] { ImportOutput(0, memory); });
    EXPECT_EQ(refused.code, DiagnosticCode::kImportRefused);
    EXPECT_THAT(refused.why, HasSubstr(found));
  };
  ApplicationTensor small(kFile, Floats(3));
  MemoryView view = small.GetView();
  view.size_bytes = 16;
  expect_refused(view, "12 bytes");
  ApplicationTensor odd(kFile, Floats(4), 2);
  expect_refused(odd.GetView(), "found the offset 2 in the file");
  ApplicationTensor sealed(kFile, Floats(4));
  ASSERT_EQ(fcntl(sealed.GetFileDescriptor(), F_ADD_SEALS, F_SEAL_WRITE), 0);
  expect_refused(sealed.GetView(), "seal");
  view = sealed.GetView();
  view.file_descriptor = -1;
  expect_refused(view, "found no file descriptor");
}

TEST_P(ImportedFiles, ThatCanOnlyBeReadAreInputs) {
  LoadRelu(GetParam().mock);
  const ApplicationTensor x(kFile, Floats(4, 6));
  Buffer y(4);
  MemoryView view;
  view.source = kFile;
  view.size_bytes = 16;
  const std::string path = "/proc/self/fd/" + std::to_string(x.GetFileDescriptor());
  view.file_descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(view.file_descriptor, 0);
  EXPECT_EQ(CatchDiagnostic([&] { ImportOutput(0, view); }).code, DiagnosticCode::kImportRefused);
  Run({AsImportedInput(0, ImportInput(0, view))}, {AsOutput(0, y)});
  EXPECT_EQ(y.Read(), Floats(4, 6));
  close(view.file_descriptor);
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
