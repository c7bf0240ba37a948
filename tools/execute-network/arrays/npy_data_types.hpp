#pragma once

#include <backplane/api/data_type.hpp>

#include "arrays/npy_header.hpp"

#include <string>

namespace backplane::execute_network {

struct NpyDataType {
  DataType data_type = DataType::kUndefined;
  ByteOrder byte_order = ByteOrder::kLittle;
};

/// What a text such as "<f4" stands for. "V2", two bytes of no stated kind, is bfloat16: NumPy has
/// no name for it, and packages that add one write it so.
/// Errors: DiagnosticException with kTensorFileUnreadable for what Backplane lacks.
NpyDataType ReadNpyDataType(const std::string& text, const std::string& path);

/// The text for little-endian data. `type` must not be kUndefined.
std::string GetNpyDataType(DataType type);

}  // namespace backplane::execute_network
