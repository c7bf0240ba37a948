#pragma once

#include <string>
#include <vector>

namespace backplane::execute_network {

/// One folder of the ONNX test layout.
struct DataSet {
  std::string name;                 // of the folder
  std::vector<std::string> inputs;  // the paths input_0.pb, input_1.npy, ...
  std::vector<std::string> outputs;
};

/// The data sets of a folder that is one, or of its folders test_data_set_*, by number.
/// Errors: DiagnosticException with kTensorFileUnreadable when there are none, or one has a gap in
/// its numbers.
std::vector<DataSet> FindDataSets(const std::string& folder);

}  // namespace backplane::execute_network
