#pragma once

#include <backplane/onnx/tensor_file.hpp>

#include <string>
#include <string_view>

namespace backplane::execute_network {

/// The array in the content of a .npy file, in C order and without a name. Memory is taken only for
/// data that is there.
/// Errors: DiagnosticException with kTensorFileUnreadable: no array of versions 1 to 3, elements
/// that Backplane lacks, a rank above kMaxRank, more or less data than the shape needs.
onnx::NamedTensor ParseNpy(std::string_view bytes, const std::string& path);

/// The content of a .npy file. The data type must not be kUndefined.
std::string MakeNpy(const onnx::NamedTensor& tensor);

}  // namespace backplane::execute_network
