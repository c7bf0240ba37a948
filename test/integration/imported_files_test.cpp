/// Files of the application that IRuntime::ImportTensor prepared.

#include "imported_tensors_fixture.hpp"

namespace backplane::test {
namespace {

using ::testing::HasSubstr;

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

}  // namespace
}  // namespace backplane::test
