#include "results/output_files.hpp"

#include <backplane/host/diagnostic.hpp>

#include "arrays/npy_file.hpp"
#include "results/result_file.hpp"
#include "tensors/flatten.hpp"

#include <cstddef>
#include <filesystem>
#include <system_error>

namespace backplane::execute_network {
namespace {

namespace fs = std::filesystem;

void MakeFolder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error) return;
  throw DiagnosticException({DiagnosticCode::kOutputUnwritable,
                             Severity::kError,
                             {SubjectKind::kDirectory, folder.string()},
                             "the folder " + folder.string() + " cannot be made",
                             error.message(),
                             "give another --output-dir",
                             {}});
}

/// "out/output_1.npy", or of a sequence "out/output_1_0.npy" for each tensor.
void WriteArrays(const std::string& stem, const StageValue& value) {
  for (std::size_t i = 0; i < value.elements.size(); ++i) {
    WriteArrays(stem + "_" + std::to_string(i), value.elements[i]);
  }
  if (value.kind != StageValue::Kind::kTensor) return;
  const Tensors tensor = Flatten("", value);
  WriteResultFile("--output-dir", "an output", stem + ".npy", MakeNpy(tensor.front()));
}

}  // namespace

void WriteOutputFiles(const std::string& folder, OutputFormat format,
                      const std::vector<OutputValue>& outputs) {
  MakeFolder(folder);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string stem = (fs::path(folder) / ("output_" + std::to_string(i))).string();
    if (format == OutputFormat::kTensorProto) {
      onnx::WriteValueFile(stem + ".pb", outputs[i].name, outputs[i].value, outputs[i].form);
    } else {
      WriteArrays(stem, outputs[i].value);
    }
  }
}

}  // namespace backplane::execute_network
