#pragma once

/// Attributes that several operators have.

#include "nodes/node.hpp"

#include <cstdint>

namespace backplane::onnx {

/// An axis of input 0. Errors: kInvalidModel when there is no such axis.
std::uint32_t ReadAxis(Node& node, std::int64_t when_absent, const char* name = "axis");

/// Errors: kInvalidModel when the attribute is absent.
std::int64_t ReadNeededInt(Node& node, const char* name);

/// A number that can be calculated with. Errors: kInvalidModel unless it is there, and from 1 to
/// 2^30.
std::int64_t ReadStatedCount(Node& node, const char* name);

/// The type that stash_type states, in which is calculated, and which the statistics of a
/// normalisation have. What is really calculated in is at least as precise.
/// Errors: kUnsupportedAttribute when it is neither float32 nor bfloat16.
DataType ReadStashType(Node& node);

/// The attribute output_datatype of operators that make numbers: float32 when absent.
/// Errors: kUnsupportedAttribute for what is no type of numbers.
DataType ReadOutputType(Node& node);

}  // namespace backplane::onnx
