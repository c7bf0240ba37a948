#pragma once

#include <backplane/api/tensor_info.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace backplane::execute_network {

enum class ByteOrder { kLittle, kBig };

/// In which order elements follow each other: the last axis fastest, or the first.
enum class ArrayOrder { kC, kFortran };

/// What stands in front of the data of a NumPy array.
struct NpyHeader {
  TensorInfo info;
  ByteOrder byte_order = ByteOrder::kLittle;
  ArrayOrder array_order = ArrayOrder::kC;
  std::size_t data_offset = 0;  // from the begin of the file
};

/// Reads the header of a file of versions 1 to 3. Nothing of it is trusted, but whether the data is
/// there is for the caller to check.
/// Errors: DiagnosticException with kTensorFileUnreadable.
NpyHeader ParseNpyHeader(std::string_view bytes, const std::string& path);

/// The header, of version 1, for data in little-endian C order, padded as NumPy pads it.
std::string MakeNpyHeader(const TensorInfo& info);

}  // namespace backplane::execute_network
