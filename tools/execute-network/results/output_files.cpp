#include "results/output_files.hpp"

#include <backplane/host/diagnostic.hpp>

#include "arrays/npy_file.hpp"
#include "results/result_file.hpp"

#include <algorithm>
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

/// "output_1", or "output_1_0" for a tensor of a sequence.
std::string MakeStem(const std::string& name, const std::vector<std::string>& names) {
  const auto whole = std::find(names.begin(), names.end(), name);
  if (whole != names.end()) return "output_" + std::to_string(whole - names.begin());
  const std::size_t bracket = name.rfind('[');
  const auto sequence = std::find(names.begin(), names.end(), name.substr(0, bracket));
  return "output_" + std::to_string(sequence - names.begin()) + "_" +
         name.substr(bracket + 1, name.size() - bracket - 2);
}

}  // namespace

void WriteOutputFiles(const std::string& folder, OutputFormat format,
                      const std::vector<std::string>& names,
                      const std::vector<onnx::NamedTensor>& outputs) {
  MakeFolder(folder);
  for (const onnx::NamedTensor& output : outputs) {
    const std::string stem = (fs::path(folder) / MakeStem(output.name, names)).string();
    if (format == OutputFormat::kTensorProto) {
      onnx::WriteTensorFile(stem + ".pb", output);
    } else {
      WriteResultFile("--output-dir", "an output", stem + ".npy", MakeNpy(output));
    }
  }
}

}  // namespace backplane::execute_network
