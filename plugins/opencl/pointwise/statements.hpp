#pragma once

/// The operations of pointwise layers, one by one. `result` is what the statements define.

#include <backplane/api/data_type.hpp>
#include <backplane/api/descriptors/activation.hpp>
#include <backplane/api/descriptors/bitwise_binary.hpp>
#include <backplane/api/descriptors/comparison.hpp>
#include <backplane/api/descriptors/elementwise_binary.hpp>
#include <backplane/api/descriptors/elementwise_unary.hpp>
#include <backplane/api/descriptors/logical_binary.hpp>

#include <string>

namespace backplane {
namespace opencl {

/// Of floats.
std::string WriteActivation(const ActivationDescriptor& descriptor, const std::string& x,
                            const std::string& result);

/// `type` is the computed type, in which the result is as well.
std::string WriteUnary(UnaryOperation operation, const std::string& type, const std::string& x,
                       const std::string& result);
std::string WriteBinary(BinaryOperation operation, const std::string& type, const std::string& a,
                        const std::string& b, const std::string& result);
std::string WriteBitwise(BitwiseOperation operation, const std::string& type, const std::string& a,
                         const std::string& b, const std::string& result);

/// The result is ulong, 0 or 1.
std::string WriteComparison(ComparisonOperation operation, const std::string& a,
                            const std::string& b, const std::string& result);
std::string WriteLogical(LogicalOperation operation, const std::string& a, const std::string& b,
                         const std::string& result);

std::string WriteCast(DataType from, DataType to, const std::string& x, const std::string& result);

}  // namespace opencl
}  // namespace backplane
