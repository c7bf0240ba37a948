#include "outcome.hpp"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>

namespace backplane::test {
namespace {

/// What Backplane is not for: it runs networks of dense tensors of numbers, the same way each time.
struct OutOfScope {
  const char* reason;
  std::set<std::string> operators;
};

const OutOfScope kOutOfScope[] = {
    {"string",
     {"RegexFullMatch", "StringConcat", "StringNormalizer", "StringSplit", "TfIdfVectorizer"}},
    {"image file", {"ImageDecoder"}},
    {"random",
     {"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform",
      "RandomUniformLike"}},
};

/// Where the data of ONNX has something else than its own definition says.
struct KnownDifference {
  const char* test;
  const char* why;
};

const KnownDifference kKnownDifferences[] = {
    {"test_dft_inverse_opset19",
     "the data has what rounding in float32 leaves where the exact result is 0"},
    {"test_roialign_mode_max",
     "the definition interpolates each sample, of which the greatest is taken; the data has the "
     "greatest of the products that a sample is the sum of"},
};

// Null: it is not known.
const char* FindKnownDifference(const std::string& test) {
  for (const KnownDifference& row : kKnownDifferences) {
    if (test == row.test) return row.why;
  }
  return nullptr;
}

::onnx::ModelProto ReadModel(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  ::onnx::ModelProto model;
  model.ParseFromIstream(&stream);
  return model;
}

bool IsTraining(const ::onnx::NodeProto& node) {
  const auto is_mode = [](const auto& attribute) {
    return attribute.name() == "training_mode" && attribute.i() != 0;
  };
  const bool has_mode = std::any_of(node.attribute().begin(), node.attribute().end(), is_mode);
  const bool is_dropout = node.op_type() == "Dropout" && node.input_size() > 2;
  return node.domain() == "ai.onnx.preview.training" || has_mode || is_dropout;
}

const char* FindReasonOfType(const ::onnx::TypeProto& type) {
  const bool is_string = type.tensor_type().elem_type() == ::onnx::TensorProto::STRING;
  return is_string ? "string" : nullptr;
}

// Null: what the model asks for is in scope.
const char* FindReasonOutOfScope(const ::onnx::GraphProto& graph) {
  for (const auto& node : graph.node()) {
    if (IsTraining(node)) return "training";
    if (node.domain() == "ai.onnx.ml") return "classical machine learning";
    for (const OutOfScope& row : kOutOfScope) {
      if (row.operators.count(node.op_type()) > 0) return row.reason;
    }
    for (const auto& attribute : node.attribute()) {
      const char* inner = attribute.has_g() ? FindReasonOutOfScope(attribute.g()) : nullptr;
      if (inner != nullptr) return inner;
    }
  }
  for (const auto& values : {graph.input(), graph.output()}) {
    for (const auto& value : values) {
      const char* reason = FindReasonOfType(value.type());
      if (reason != nullptr) return reason;
    }
  }
  return nullptr;
}

const Diagnostic& FindRoot(const Diagnostic& diagnostic) {
  return diagnostic.causes.empty() ? diagnostic : FindRoot(diagnostic.causes.front());
}

// Paths differ from machine to machine, and a line is a line.
std::string MakePortable(std::string text, const std::string& model) {
  const std::string folder = model.substr(0, model.rfind('/') + 1);
  for (auto found = text.find(folder); found != std::string::npos; found = text.find(folder)) {
    text.erase(found, folder.size());
  }
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string GetGroup(DiagnosticCode code) {
  if (code == DiagnosticCode::kDataDependentShape) return "depends on data: ";
  return code == DiagnosticCode::kWrongInput ? "test data contradicts the model: "
                                             : "not supported: ";
}

}  // namespace

Outcome MakePassed() {
  return {true, "", ""};
}

Outcome MakeDifferent(const std::string& test, const std::string& output,
                      const std::string& details) {
  const char* known = FindKnownDifference(test);
  return {false, "different result: output " + output + ", " + (known != nullptr ? known : details),
          details};
}

Outcome MakeFailed(const std::string& model, const Diagnostic& diagnostic) {
  const char* out_of_scope = FindReasonOutOfScope(ReadModel(model).graph());
  if (out_of_scope != nullptr) {
    return {false, std::string("out of scope: ") + out_of_scope, ToText(diagnostic)};
  }
  const Diagnostic& root = FindRoot(diagnostic);
  const std::string text = root.what + (root.why.empty() ? "" : "; " + root.why);
  return {false, GetGroup(diagnostic.code) + MakePortable(text, model), ToText(diagnostic)};
}

}  // namespace backplane::test
