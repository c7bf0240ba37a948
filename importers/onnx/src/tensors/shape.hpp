#pragma once

#include <backplane/api/tensor_info.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace backplane::onnx {

/// "1x3x224x224", or "scalar" for rank 0.
std::string ToText(const TensorShape& shape);

/// The bytes of a dense tensor; nothing when the type is kUndefined, a dimension is negative, or
/// the size does not fit an int64_t.
std::optional<std::uint64_t> ComputeSizeBytes(const std::vector<std::int64_t>& dims, DataType type);

/// Null result when there are more than kMaxRank dimensions.
std::optional<TensorShape> MakeShape(const std::vector<std::int64_t>& dims);

}  // namespace backplane::onnx
