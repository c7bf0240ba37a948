#include "inputs/cases.hpp"

#include <backplane/host/diagnostic.hpp>

#include "arrays/npy_file.hpp"
#include "command_line/usage.hpp"
#include "files/data_file.hpp"
#include "images/image_tensor.hpp"
#include "images/png_image.hpp"
#include "images/pnm_image.hpp"
#include "tensors/shape_text.hpp"

#include <algorithm>
#include <memory>
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
  ThrowWrong(name, "the model has no " + kind + " \"" + name + "\"",
             "its " + kind + "s are " + Join(known),
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

void AddNumbered(const std::vector<NumberedTensor>& files, const std::string& kind,
                 const std::vector<std::string>& known, FileTensors& tensors) {
  for (const NumberedTensor& numbered : files) {
    const std::string name = ChooseName(numbered.file, numbered.number, kind, known);
    const auto [other, is_new] = tensors.emplace(name, numbered.file);
    if (is_new) continue;
    ThrowWrong(name, "the " + kind + " " + name + " has data twice",
               "in " + other->second.path + " and " + numbered.file.path, "remove one of them");
  }
}

/// An ONNX tensor file or a NumPy array; the content says which. Images are refused: their data
/// depends on the input that they are for.
onnx::NamedTensor ReadDataTensor(const std::string& path) {
  switch (RecogniseDataFile(path)) {
    case DataFileKind::kTensorProto:
      return onnx::ReadTensorFile(path);
    case DataFileKind::kArray:
      return ParseNpy(ReadDataFile(path), path);
    case DataFileKind::kImage:
      break;
  }
  ThrowUnreadable(path, "it is an image; images are data for --input only",
                  "give an ONNX tensor (.pb) or a NumPy array (.npy)");
}

FileValue ReadValue(const std::string& path, const onnx::ModelInput& stated) {
  if (stated.is_sequence || RecogniseDataFile(path) == DataFileKind::kTensorProto) {
    return {path, onnx::ReadValueFile(path, {stated.is_sequence, stated.is_optional})};
  }
  onnx::NamedTensor tensor = ReadDataTensor(path);
  const auto bytes = std::make_shared<std::vector<unsigned char>>(std::move(tensor.data));
  return {path, MakeStageTensor(tensor.info, {bytes, bytes->data()})};
}

/// The tensors of a data set. Its sequences and optionals, which have no names, go to `values`.
std::vector<NumberedTensor> ReadFiles(const std::vector<std::string>& paths,
                                      const std::vector<onnx::ModelInput>& stated,
                                      FileValues& values) {
  std::vector<NumberedTensor> files;
  for (std::size_t number = 0; number < paths.size(); ++number) {
    if (number < stated.size() && !stated[number].IsTensor()) {
      values.emplace(stated[number].name, ReadValue(paths[number], stated[number]));
    } else {
      files.push_back({number, {paths[number], ReadDataTensor(paths[number])}});
    }
  }
  return files;
}

/// The sequences and optionals of --input or --expect.
FileValues ReadValues(const std::map<std::string, std::string>& paths,
                      const std::vector<onnx::ModelInput>& stated) {
  FileValues values;
  for (const onnx::ModelInput& one : stated) {
    const auto path = paths.find(one.name);
    if (!one.IsTensor() && path != paths.end()) values[one.name] = ReadValue(path->second, one);
  }
  return values;
}

void AddAbsentValues(const std::vector<onnx::ModelInput>& inputs, FileValues& values) {
  for (const onnx::ModelInput& input : inputs) {
    const bool is_unknown = input.data_type == DataType::kUndefined;  // the import says so
    if (input.IsTensor() || is_unknown || values.count(input.name) > 0) continue;
    if (!input.is_optional) {
      ThrowWrong(input.name, "the input " + input.name + " has no data",
                 "it is a sequence, for which none is made",
                 "give it with --input " + input.name + "=FILE, a serialised SequenceProto (.pb)");
    }
    values[input.name] = {};
  }
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
void CheckIsComplete(const DataSet& set, const Case& one_case,
                     const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (one_case.inputs.count(name) + one_case.values.count(name) > 0) continue;
    ThrowWrong(name, set.name + " has no data for input " + name,
               "found " + std::to_string(set.inputs.size()) + " input files; the inputs are " +
                   Join(names),
               "add the file or give it with --input " + name + "=FILE");
  }
}

std::vector<std::string> GetNames(const std::vector<onnx::ModelInput>& inputs) {
  std::vector<std::string> names;
  names.reserve(inputs.size());
  for (const onnx::ModelInput& input : inputs) names.push_back(input.name);
  return names;
}

const onnx::ModelInput& FindInput(const std::string& name,
                                  const std::vector<onnx::ModelInput>& inputs) {
  CheckName(name, "input", GetNames(inputs));
  return *std::find_if(inputs.begin(), inputs.end(),
                       [&](const onnx::ModelInput& other) { return other.name == name; });
}

// The dimensions that the model states, and where it leaves them open those of --shape.
ImageInput DescribeForImage(const onnx::ModelInput& input, const Options& options) {
  ImageInput described{input.name, input.data_type, input.is_rank_known, input.dims};
  const auto shape = options.shapes.find(input.name);
  if (shape == options.shapes.end()) return described;
  described.is_rank_known = true;
  described.dims.assign(shape->second.dims, shape->second.dims + shape->second.rank);
  return described;
}

/// A PNG, PGM or PPM image; its first bytes say which.
Image ReadImageFile(const std::string& path) {
  const std::string bytes = ReadDataFile(path);
  const bool is_png = bytes.compare(0, 4, "\x89PNG") == 0;
  return is_png ? ParsePng(bytes, path) : ParsePnm(bytes, path);
}

FileTensor ReadInput(const std::string& path, const onnx::ModelInput& input,
                     const Options& options) {
  if (RecogniseDataFile(path) != DataFileKind::kImage) return {path, ReadDataTensor(path)};
  return {path, MakeImageTensor(ReadImageFile(path), path, DescribeForImage(input, options),
                                options.images)};
}

void CheckHasImage(const Options& options) {
  if (!IsAnyGiven(options.images)) return;
  for (const auto& [name, path] : options.input_files) {
    if (RecogniseDataFile(path) == DataFileKind::kImage) return;
  }
  command_line::ThrowUsage("execute-network", "--image-scale",
                           "options of images are given, but no image",
                           "found --image-..., expected an --input that is a PNG, PPM or PGM file");
}

// The data of --input.
FileTensors ReadGiven(const Options& options, const std::vector<onnx::ModelInput>& inputs) {
  CheckHasImage(options);
  FileTensors given;
  for (const auto& [name, path] : options.input_files) {
    const onnx::ModelInput& input = FindInput(name, inputs);
    if (!input.IsTensor()) continue;
    given.emplace(name, ReadInput(path, input, options));
  }
  return given;
}

// The data of --constant that has a file.
FileTensors ReadConstants(const Options& options, const std::vector<onnx::ModelInput>& inputs) {
  FileTensors constants;
  for (const auto& [name, path] : options.constant_files) {
    if (!FindInput(name, inputs).IsTensor()) {
      ThrowWrong(name, "the input " + name + " cannot be a constant",
                 "it is a sequence or an optional; constants are tensors",
                 "give its data with --input");
    }
    if (options.input_files.count(name) > 0) {
      ThrowWrong(name, "the input " + name + " has data twice", "with --input and with --constant",
                 "leave out one of them");
    }
    if (!path.empty()) constants.emplace(name, FileTensor{path, ReadDataTensor(path)});
  }
  return constants;
}

void SeparateConstants(const Options& options, Case& one_case) {
  for (const auto& [name, path] : options.constant_files) {
    const auto data = one_case.inputs.find(name);
    if (data == one_case.inputs.end()) {
      ThrowWrong(name, "the constant " + name + " has no data",
                 "found neither a file for it nor --test-data",
                 "give --constant " + name + "=FILE, or --test-data");
    }
    one_case.constants.insert(*data);
    one_case.inputs.erase(data);
  }
}

bool HaveSameConstants(const Case& a, const Case& b) {
  return std::equal(a.constants.begin(), a.constants.end(), b.constants.begin(), b.constants.end(),
                    [](const auto& one, const auto& other) {
                      return one.first == other.first && one.second.path == other.second.path;
                    });
}

/// Opens the axes in which two shapes of one rank differ. False: the model states one of them.
bool OpenWhereDifferent(const TensorShape& other, const onnx::ModelInput& input,
                        TensorShape& shape) {
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    if (shape[axis] == other[axis] || shape[axis] == kOpenExtent) continue;
    if (input.is_rank_known && input.dims[axis] != kOpenExtent) return false;
    shape.dims[axis] = kOpenExtent;
  }
  return true;
}

}  // namespace

std::vector<Case> ReadCases(const Options& options, const std::vector<onnx::ModelInput>& inputs,
                            const std::vector<onnx::ModelInput>& outputs) {
  const std::vector<std::string> names = GetNames(inputs);
  const FileTensors constants = ReadConstants(options, inputs);
  const FileTensors given = ReadGiven(options, inputs);
  const FileValues given_values = ReadValues(options.input_files, inputs);
  std::vector<Case> cases;
  if (options.test_data.empty()) cases.push_back({"", given, {}, given_values, {}, {}});
  const std::vector<DataSet> sets =
      options.test_data.empty() ? std::vector<DataSet>() : FindDataSets(options.test_data);
  for (const DataSet& set : sets) {
    Case one_case;
    one_case.data_set = set.name;
    one_case.numbered_outputs = ReadFiles(set.outputs, outputs, one_case.expected_values);
    AddNumbered(ReadFiles(set.inputs, inputs, one_case.values), "input", names, one_case.inputs);
    for (const auto& [name, file] : given) one_case.inputs.insert_or_assign(name, file);
    for (const auto& [name, file] : constants) one_case.inputs.insert_or_assign(name, file);
    for (const auto& [name, file] : given_values) one_case.values.insert_or_assign(name, file);
    CheckIsComplete(set, one_case, names);
    cases.push_back(std::move(one_case));
  }
  const FileValues expected_values = ReadValues(options.expected_files, outputs);
  for (Case& one_case : cases) {
    one_case.inputs.insert(constants.begin(), constants.end());
    CheckDataTypes(one_case.inputs, inputs);
    SeparateConstants(options, one_case);
    AddAbsentValues(inputs, one_case.values);
    for (const auto& [name, file] : expected_values) {
      one_case.expected_values.insert_or_assign(name, file);
    }
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

std::optional<std::map<std::string, TensorShape>> CollectCommonShapes(
    const Options& options, const std::vector<Case>& cases,
    const std::vector<onnx::ModelInput>& inputs) {
  std::map<std::string, TensorShape> shapes = CollectShapes(options, cases.front());
  for (const Case& one_case : cases) {
    const std::map<std::string, TensorShape> own = CollectShapes(options, one_case);
    const bool has_same = own.size() == shapes.size() && HaveSameConstants(one_case, cases.front());
    if (!has_same) return std::nullopt;
    for (auto& [name, shape] : shapes) {
      const auto found = own.find(name);
      const bool is_known = found != own.end() && found->second.rank == shape.rank;
      if (!is_known) return std::nullopt;
      if (found->second == shape) continue;
      if (!OpenWhereDifferent(found->second, FindInput(name, inputs), shape)) return std::nullopt;
    }
  }
  return shapes;
}

FileTensors ReadExpected(const Options& options, const Case& one_case,
                         const std::vector<std::string>& outputs) {
  FileTensors expected;
  AddNumbered(one_case.numbered_outputs, "output", outputs, expected);
  for (const auto& [name, path] : options.expected_files) {
    CheckName(name, "output", outputs);
    if (one_case.expected_values.count(name) > 0) continue;
    expected.insert_or_assign(name, FileTensor{path, ReadDataTensor(path)});
  }
  return expected;
}

}  // namespace backplane::execute_network
