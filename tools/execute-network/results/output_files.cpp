#include "results/output_files.hpp"

#include <backplane/host/diagnostic.hpp>

#include "arrays/npy_file.hpp"
#include "results/result_file.hpp"

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

}  // namespace

void WriteOutputFiles(const std::string& folder, OutputFormat format,
                      const std::vector<onnx::NamedTensor>& outputs) {
  MakeFolder(folder);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string stem = (fs::path(folder) / ("output_" + std::to_string(i))).string();
    if (format == OutputFormat::kTensorProto) {
      onnx::WriteTensorFile(stem + ".pb", outputs[i]);
    } else {
      WriteResultFile("--output-dir", "an output", stem + ".npy", MakeNpy(outputs[i]));
    }
  }
}

}  // namespace backplane::execute_network
