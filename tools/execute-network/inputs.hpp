#pragma once

#include <backplane/onnx/import_model.hpp>
#include <backplane/onnx/tensor_file.hpp>

#include "options.hpp"
#include "test_data.hpp"

#include <map>
#include <string>
#include <vector>

namespace backplane::execute_network {

/// A tensor that was read from a file.
struct FileTensor {
  std::string path;
  onnx::NamedTensor tensor;
};

using FileTensors = std::map<std::string, FileTensor>;

/// One run: what goes in and what is to come out, by the names of the model.
struct Case {
  std::string data_set;  // "" without --test-data
  FileTensors inputs;
  std::vector<FileTensor> numbered_outputs;  // of the data set, in its order
};

/// One case for each data set, or a single one; --input adds to each.
/// Errors: DiagnosticException with kTensorFileUnreadable; kWrongInput for data of an input that
/// the model does not have, of another data type, or twice, and for a data set without data for
/// some input.
std::vector<Case> ReadCases(const Options& options, const std::vector<onnx::ModelInput>& inputs);

/// The shapes of the data, and those given with --shape.
/// Errors: DiagnosticException with kWrongInput when the two disagree.
std::map<std::string, TensorShape> CollectShapes(const Options& options, const Case& one_case);

/// What the outputs are compared with, by name: the data set's, and --expect over it. A tensor's
/// name in its file wins when it is one of `outputs`; else its number counts.
/// Errors: DiagnosticException with kWrongInput for what is no output of the model.
FileTensors ReadExpected(const Options& options, const Case& one_case,
                         const std::vector<std::string>& outputs);

}  // namespace backplane::execute_network
