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

/// Whether the one broadcasts to the other, which stays as it is.
bool BroadcastsTo(const TensorShape& from, const TensorShape& to);

/// An axis counted from the end becomes one counted from the start; beyond an end it means that
/// end.
std::uint32_t ClampAxis(std::int64_t axis, std::uint32_t rank);

/// As a matrix: the axes in front of `axis` are its rows.
TensorShape Flatten(const TensorShape& shape, std::uint32_t axis);

/// The extents of so many parts, at least one, of which the last may be smaller, or empty.
std::vector<std::int64_t> SplitNearlyEqually(std::int64_t extent, std::int64_t count);

}  // namespace backplane::onnx
