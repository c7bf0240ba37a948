#pragma once

#include <backplane/onnx/import_model.hpp>
#include <backplane/onnx/tensor_file.hpp>

#include "inputs/test_data.hpp"
#include "options/options.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace backplane::execute_network {

/// A tensor that was read from a file.
struct FileTensor {
  std::string path;
  onnx::NamedTensor tensor;
};

using FileTensors = std::map<std::string, FileTensor>;

/// A sequence or an optional that was read from a file.
struct FileValue {
  std::string path;  // "": an optional without data is nothing
  StageValue value;
};

using FileValues = std::map<std::string, FileValue>;

/// A tensor of a data set, with its number there.
struct NumberedTensor {
  std::size_t number = 0;
  FileTensor file;
};

/// One run: what goes in and what is to come out, by the names of the model.
struct Case {
  std::string data_set;  // "" without --test-data
  FileTensors inputs;
  FileTensors constants;  // inputs whose data is known when the model is loaded
  FileValues values;      // inputs that are sequences or optionals
  std::vector<NumberedTensor> numbered_outputs;  // of the data set
  FileValues expected_values;                    // outputs that are sequences or optionals
};

/// One case for each data set, or a single one; --input, --constant and, for sequences and
/// optionals, --expect add to each. Images are made data for the inputs that they are given for.
/// Optionals that have no data are nothing.
/// Errors: DiagnosticException with kTensorFileUnreadable; kWrongInput for data of an input that
/// the model does not have, of another data type, or twice, for a data set without data for some
/// input, for a sequence without data, for an image that does not fit, and for a constant without
/// data; kUsageError for options of images without an image.
std::vector<Case> ReadCases(const Options& options, const std::vector<onnx::ModelInput>& inputs,
                            const std::vector<onnx::ModelInput>& outputs);

/// The shapes of the data, without that of constants, and those given with --shape.
/// Errors: DiagnosticException with kWrongInput when the two disagree.
std::map<std::string, TensorShape> CollectShapes(const Options& options, const Case& one_case);

/// The shapes for all cases at once, with extents open in which they differ and that the model
/// leaves open. Nothing: they differ otherwise, or in their constants. Errors: as CollectShapes.
std::optional<std::map<std::string, TensorShape>> CollectCommonShapes(
    const Options& options, const std::vector<Case>& cases,
    const std::vector<onnx::ModelInput>& inputs);

/// What the outputs are compared with, by name: the data set's, and --expect over it. A tensor's
/// name in its file wins when it is one of `outputs`; else its number counts. Sequences and
/// optionals are in the case.
/// Errors: DiagnosticException with kWrongInput for what is no output of the model.
FileTensors ReadExpected(const Options& options, const Case& one_case,
                         const std::vector<std::string>& outputs);

}  // namespace backplane::execute_network
