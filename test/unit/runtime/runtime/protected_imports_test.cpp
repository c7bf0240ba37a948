/// Networks in protected mode run with imported inputs and outputs alone. Memory files stand for
/// protected dma-bufs: the core never gets an address, the backend reads and writes the files.

#include "runtime/runtime_fixture.hpp"
#include "tensors/memory_file.hpp"
#include "test_allocator.hpp"

#include <backplane/host/contexts.hpp>

namespace backplane {
namespace {

using Floats = std::vector<float>;

MemoryView Protect(const OpenFile& file, std::uint64_t offset_bytes = 0) {
  MemoryView memory;
  memory.source = MemorySource::kDmaBufProtected;
  memory.file_descriptor = file.Get();
  memory.offset_bytes = offset_bytes;
  memory.size_bytes = 16;
  return memory;
}

Floats ReadFloats(const MemoryView& view) {
  Floats values(4);
  EXPECT_EQ(::pread(view.file_descriptor, values.data(), 16, static_cast<off_t>(view.offset_bytes)),
            16);
  return values;
}

void WriteFloats(const MemoryView& view, const Floats& values) {
  EXPECT_EQ(
      ::pwrite(view.file_descriptor, values.data(), 16, static_cast<off_t>(view.offset_bytes)), 16);
}

class ProtectedImportsTest : public testing::Test {
 protected:
  ProtectedImportsTest() {
    a_->capabilities = {{kCapabilityProtectedMemory, true}};
    CreationOptions options;
    options.custom_allocators = {{"A", allocator_}};
    options.protection = MemoryProtection::kProtected;
    runtime_ = MakeRuntime({a_}, options);
    id_ = runtime_->LoadNetwork(
        Optimize(*MakeChain({"one", "two"}), {"A"}, runtime_->GetDeviceSpec()));
    // What a device does: it adds 1 to what lies in the files.
    a_->execute = [this](const ExecuteArgs& args) {
      const MemoryView input = args.GetInput(0).Describe();
      const MemoryView output = args.GetOutput(0).Describe();
      EXPECT_EQ(input.data, nullptr);
      EXPECT_EQ(output.data, nullptr);
      EXPECT_EQ(input.source, MemorySource::kDmaBufProtected);
      EXPECT_EQ(output.source, MemorySource::kDmaBufProtected);
      Floats values = ReadFloats(input);
      for (float& value : values) value += 1;
      WriteFloats(output, values);
      ++num_executed_;
      return Status::kSuccess;
    };
  }

  ImportedTensorId Import(BindingKind kind, const MemoryView& memory) {
    return runtime_->ImportTensor(id_, kind, 0, memory);
  }
  static InputTensor AsInput(ImportedTensorId imported) {
    InputTensor input;
    input.imported = imported;
    return input;
  }
  static OutputTensor AsOutput(ImportedTensorId imported) {
    OutputTensor output;
    output.imported = imported;
    return output;
  }
  DiagnosticCode Refuse(BindingKind kind, const MemoryView& memory) {
    return CatchDiagnostic([&] { Import(kind, memory); }).code;
  }

  const std::shared_ptr<TestBackend> a_ = std::make_shared<TestBackend>("A");
  const std::shared_ptr<TestAllocator> allocator_ =
      std::make_shared<TestAllocator>(MemorySource::kDmaBufProtected);
  std::unique_ptr<IRuntime> runtime_;
  NetworkId id_ = 0;
  int num_executed_ = 0;
};

TEST_F(ProtectedImportsTest, NetworksRunWithImportedTensors) {
  MemoryFile x(256);
  MemoryFile y(256);
  WriteFloats(Protect(x, 64), {1, 2, 3, 4});
  const ImportedTensorId in = Import(BindingKind::kInput, Protect(x, 64));
  const ImportedTensorId out = Import(BindingKind::kOutput, Protect(y, 128));
  for (int run = 0; run < 2; ++run) {
    WriteFloats(Protect(y, 128), {0, 0, 0, 0});
    std::optional<Diagnostic> failure;
    EXPECT_EQ(runtime_->EnqueueWorkload(id_, {AsInput(in)}, {AsOutput(out)}, &failure),
              Status::kSuccess)
        << (failure ? ToText(*failure) : "");
    EXPECT_EQ(ReadFloats(Protect(y, 128)), (Floats{3, 4, 5, 6}));
  }
  EXPECT_EQ(num_executed_, 4);
  const TransferReport report = runtime_->GetTransferReport(id_);
  EXPECT_EQ(report.inputs[0].imported_runs, 2U);
  EXPECT_EQ(report.outputs[0].imported_runs, 2U);
  EXPECT_EQ(report.inputs[0].copied_runs + report.outputs[0].copied_runs, 0U);
}

TEST_F(ProtectedImportsTest, DescriptorsMayBeClosedAtOnce) {
  MemoryFile x(64);
  MemoryFile y(64);
  WriteFloats(Protect(x), {1, 2, 3, 4});
  const OpenFile reader(y.OpenAgain(O_RDWR));
  const ImportedTensorId in = Import(BindingKind::kInput, Protect(x));
  const ImportedTensorId out = Import(BindingKind::kOutput, Protect(y));
  x.Close();
  y.Close();
  EXPECT_EQ(runtime_->EnqueueWorkload(id_, {AsInput(in)}, {AsOutput(out)}), Status::kSuccess);
  EXPECT_EQ(ReadFloats(Protect(reader)), (Floats{3, 4, 5, 6}));
}

TEST_F(ProtectedImportsTest, OneSideAloneIsNotEnough) {
  MemoryFile file(128);
  const ImportedTensorId in = Import(BindingKind::kInput, Protect(file));
  const Floats given{1, 2, 3, 4};
  Floats output{-1, -1, -1, -1};
  std::optional<Diagnostic> failure;
  EXPECT_EQ(runtime_->EnqueueWorkload(id_, {AsInput(in)}, {MakeOutput(0, output)}, &failure),
            Status::kUnsupported);
  EXPECT_EQ(failure->code, DiagnosticCode::kProtectedTensor);
  EXPECT_EQ(output, (Floats{-1, -1, -1, -1}));
  const ImportedTensorId out = Import(BindingKind::kOutput, Protect(file, 64));
  EXPECT_EQ(runtime_->EnqueueWorkload(id_, {MakeInput(0, given)}, {AsOutput(out)}),
            Status::kUnsupported);
  EXPECT_EQ(num_executed_, 0);
}

TEST_F(ProtectedImportsTest, OnlyProtectedMemoryIsImported) {
  MemoryFile file(64);
  alignas(64) float plain[4] = {};
  MemoryView memory = Protect(file);
  memory.source = MemorySource::kFileDescriptor;
  EXPECT_EQ(Refuse(BindingKind::kInput, memory), DiagnosticCode::kImportRefused);
  memory.source = MemorySource::kDmaBuf;
  EXPECT_EQ(Refuse(BindingKind::kInput, memory), DiagnosticCode::kImportRefused);
  memory = {};
  memory.source = MemorySource::kMalloc;
  memory.data = plain;
  memory.size_bytes = 16;
  EXPECT_EQ(Refuse(BindingKind::kOutput, memory), DiagnosticCode::kImportRefused);
  memory = Protect(file);
  memory.data = plain;
  EXPECT_EQ(Refuse(BindingKind::kOutput, memory), DiagnosticCode::kImportRefused);
  memory = Protect(file, 60);
  EXPECT_EQ(Refuse(BindingKind::kInput, memory), DiagnosticCode::kImportRefused);
}

}  // namespace
}  // namespace backplane
