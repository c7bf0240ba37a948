#include "results/classify.hpp"

#include <backplane/host/diagnostic.hpp>

#include "results/labels.hpp"

#include <algorithm>
#include <utility>

namespace backplane::execute_network {
namespace {

constexpr std::uint32_t kUsualCount = 5;

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
