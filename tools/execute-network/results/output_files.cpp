#include "results/output_files.hpp"

#include <backplane/host/diagnostic.hpp>

#include "arrays/npy_file.hpp"
#include "results/result_file.hpp"
#include "tensors/flatten.hpp"

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

/// "output_1", or for a tensor of a sequence "output_1_0", or "output_1_0_2" of one in it.
std::string MakeStem(const std::string& name, const std::vector<std::string>& names) {
  const auto whole = std::find(names.begin(), names.end(), name);
  if (whole != names.end()) return "output_" + std::to_string(whole - names.begin());
  const auto sequence = std::find_if(names.begin(), names.end(), [&](const std::string& of_value) {
    return IsTensorOf(of_value, name);
  });
  std::string stem = "output_" + std::to_string(sequence - names.begin());
  for (const char character : name.substr(sequence->size())) {
    if (character == '[') stem += '_';
    if (character >= '0' && character <= '9') stem += character;
  }
  return stem;
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
