#include "inputs.hpp"

#include <backplane/host/diagnostic.hpp>

#include "shape_text.hpp"

#include <algorithm>
#include <utility>

namespace backplane::execute_network {
namespace {

[[noreturn]] void ThrowWrong(const std::string& name, const std::string& what,
                             const std::string& why, const std::string& fix) {
  throw DiagnosticException({DiagnosticCode::kWrongInput,
                             Severity::kError,
                             {SubjectKind::kTensor, name},
                             what,
                             why,
                             fix,
                             {}});
}

std::string Join(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// `kind` is "input" or "output".
void CheckName(const std::string& name, const std::string& kind,
               const std::vector<std::string>& known) {
  if (Contains(known, name)) return;
  const std::string nearest = FindNearestName(name, known);
  ThrowWrong(name, "the model has no " + kind + " " + name, "its " + kind + "s are " + Join(known),
             nearest.empty() ? "give one of those names" : "did you mean " + nearest + "?");
}

// The tensor at position `index` of a data set: its own name wins, else its number counts.
std::string ChooseName(const FileTensor& file, std::size_t index, const std::string& kind,
                       const std::vector<std::string>& known) {
  if (Contains(known, file.tensor.name)) return file.tensor.name;
  if (index < known.size()) return known[index];
  ThrowWrong(
      file.path, file.path + " belongs to no " + kind + " of the model",
      "its tensor is named \"" + file.tensor.name + "\"; the " + kind + "s are " + Join(known),
      "remove the file or give the data set of this model");
}

void AddNumbered(const std::vector<FileTensor>& files, const std::string& kind,
                 const std::vector<std::string>& known, FileTensors& tensors) {
  for (std::size_t index = 0; index < files.size(); ++index) {
    const std::string name = ChooseName(files[index], index, kind, known);
    const auto [other, is_new] = tensors.emplace(name, files[index]);
    if (is_new) continue;
    ThrowWrong(name, "the " + kind + " " + name + " has data twice",
               "in " + other->second.path + " and " + files[index].path, "remove one of them");
  }
}

std::vector<FileTensor> ReadFiles(const std::vector<std::string>& paths) {
  std::vector<FileTensor> files;
  files.reserve(paths.size());
  for (const std::string& path : paths) files.push_back({path, onnx::ReadTensorFile(path)});
  return files;
}

void CheckDataTypes(const FileTensors& tensors, const std::vector<onnx::ModelInput>& inputs) {
  for (const onnx::ModelInput& input : inputs) {
    const auto found = tensors.find(input.name);
    if (found == tensors.end() || found->second.tensor.info.data_type == input.data_type) continue;
    ThrowWrong(input.name, "the data for input " + input.name + " has the wrong type",
               found->second.path + " has " + GetDataTypeName(found->second.tensor.info.data_type) +
                   ", the model expects " + GetDataTypeName(input.data_type),
               "give data of that type");
  }
}

// Made-up data where the data set has none would only give a difference that explains nothing.
void CheckIsComplete(const DataSet& set, const FileTensors& tensors,
                     const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (tensors.count(name) > 0) continue;
    ThrowWrong(name, set.name + " has no data for input " + name,
               "found " + std::to_string(set.inputs.size()) + " input files; the inputs are " +
                   Join(names),
               "add the file or give it with --input " + name + "=FILE.pb");
  }
}

}  // namespace

std::vector<Case> ReadCases(const Options& options, const std::vector<onnx::ModelInput>& inputs) {
  std::vector<std::string> names;
  names.reserve(inputs.size());
  for (const onnx::ModelInput& input : inputs) names.push_back(input.name);
  FileTensors given;
  for (const auto& [name, path] : options.input_files) {
    CheckName(name, "input", names);
    given.emplace(name, FileTensor{path, onnx::ReadTensorFile(path)});
  }
  CheckDataTypes(given, inputs);
  if (options.test_data.empty()) return {{"", given, {}}};
  std::vector<Case> cases;
  for (const DataSet& set : FindDataSets(options.test_data)) {
    Case one_case{set.name, {}, ReadFiles(set.outputs)};
    AddNumbered(ReadFiles(set.inputs), "input", names, one_case.inputs);
    for (const auto& [name, file] : given) one_case.inputs.insert_or_assign(name, file);
    CheckIsComplete(set, one_case.inputs, names);
    CheckDataTypes(one_case.inputs, inputs);
    cases.push_back(std::move(one_case));
  }
  return cases;
}

std::map<std::string, TensorShape> CollectShapes(const Options& options, const Case& one_case) {
  std::map<std::string, TensorShape> shapes = options.shapes;
  for (const auto& [name, file] : one_case.inputs) {
    const TensorShape& found = file.tensor.info.shape;
    const auto [given, is_new] = shapes.emplace(name, found);
    if (is_new || given->second == found) continue;
    ThrowWrong(name, "the data for input " + name + " has the wrong shape",
               file.path + " has " + ToText(found) + ", --shape says " + ToText(given->second),
               "leave out --shape for this input, or give other data");
  }
  return shapes;
}

FileTensors ReadExpected(const Options& options, const Case& one_case,
                         const std::vector<std::string>& outputs) {
  FileTensors expected;
  AddNumbered(one_case.numbered_outputs, "output", outputs, expected);
  for (const auto& [name, path] : options.expected_files) {
    CheckName(name, "output", outputs);
    expected.insert_or_assign(name, FileTensor{path, onnx::ReadTensorFile(path)});
  }
  return expected;
}

}  // namespace backplane::execute_network
