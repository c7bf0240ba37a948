#include "results/classify.hpp"

#include <backplane/host/diagnostic.hpp>

#include "files/data_file.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

namespace backplane::execute_network {
namespace {

constexpr std::uint32_t kUsualCount = 5;

/// The names of classes, from a text file with one in each line, in the order of the classes.
/// Errors: DiagnosticException with kTensorFileUnreadable for a file that cannot be read, or has no
/// line.
std::vector<std::string> ReadLabels(const std::string& path) {
  std::istringstream lines(ReadDataFile(path));
  std::vector<std::string> labels;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    labels.push_back(line);
  }
  if (labels.empty()) {
    ThrowUnreadable(path, "it is empty",
                    "give a text file with the name of one class in each line");
  }
  return labels;
}

}  // namespace

Classifier::Classifier(std::string labels_file, std::optional<std::uint32_t> top)
    : labels_file_(std::move(labels_file)) {
  if (!labels_file_.empty()) labels_ = ReadLabels(labels_file_);
  count_ = top.value_or(labels_.empty() ? 0 : kUsualCount);
}

std::optional<Classification> Classifier::Classify(const onnx::NamedTensor& output) const {
  if (!IsAsked() || output.data.empty()) return {};
  if (!labels_.empty() && CountClasses(output.info.shape) != labels_.size()) return {};
  return FindBestClasses(output, count_, labels_);
}

void Classifier::CheckLabelsFit(const std::vector<onnx::NamedTensor>& outputs) const {
  if (labels_.empty()) return;
  std::string found;
  for (const onnx::NamedTensor& output : outputs) {
    const std::size_t count = CountClasses(output.info.shape);
    if (count == labels_.size()) return;
    found += (found.empty() ? "" : ", ") + output.name + " has " + std::to_string(count);
  }
  throw DiagnosticException({DiagnosticCode::kWrongInput,
                             Severity::kError,
                             {SubjectKind::kFile, labels_file_},
                             "the labels in " + labels_file_ + " fit no output",
                             "there are " + std::to_string(labels_.size()) +
                                 " labels, one in each line; of classes, " + found,
                             "give labels of this model with --labels",
                             {}});
}

}  // namespace backplane::execute_network
