#pragma once

#include <backplane/onnx/tensor_file.hpp>

#include "results/top_classes.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace backplane::execute_network {

/// Finds the best classes of outputs as --top and --labels ask for it.
class Classifier {
 public:
  /// `labels_file`: "" for none. `top`: how many classes; none: as many as labels ask for.
  /// Errors: as ReadLabels.
  Classifier(std::string labels_file, std::optional<std::uint32_t> top);

  /// Whether outputs are to be classified.
  bool IsAsked() const { return count_ > 0; }

  /// Nothing for an output that is empty, and with labels for one that tells apart another number
  /// of classes.
  std::optional<Classification> Classify(const onnx::NamedTensor& output) const;

  /// Errors: DiagnosticException with kWrongInput when there are labels, and no output has as many
  /// classes.
  void CheckLabelsFit(const std::vector<onnx::NamedTensor>& outputs) const;

 private:
  std::uint32_t count_ = 0;
  std::string labels_file_;
  std::vector<std::string> labels_;
};

}  // namespace backplane::execute_network
