#pragma once

#include "application_tensor.hpp"

#include <gmock/gmock.h>

#include <optional>
#include <ostream>

namespace backplane::test {

constexpr MemorySource kMalloc = MemorySource::kMalloc;
constexpr MemorySource kFile = MemorySource::kFileDescriptor;

/// A network that is run with imported tensors.
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
    EXPECT_THAT(failure.why, ::testing::HasSubstr("expected one that ImportTensor gave for"));
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

inline void PrintTo(const Importing& importing, std::ostream* stream) {
  *stream << importing.mock;
}

/// The same for each kind that imports.
class ImportedTensors : public ImportedTensorsTest,
                        public ::testing::WithParamInterface<Importing> {
 protected:
  MemorySource Source() const { return GetParam().source; }
};

/// All of them.
inline auto GetImporting() {
  return ::testing::Values(Importing{"CpuRef", kMalloc}, Importing{"Importer", kMalloc},
                           Importing{"Importer", kFile}, Importing{"Legacy", kMalloc},
                           Importing{"Legacy", kFile});
}

inline std::string GetImportingName(const ::testing::TestParamInfo<Importing>& test) {
  return std::string(test.param.mock) + (test.param.source == kFile ? "File" : "Malloc");
}

}  // namespace backplane::test
