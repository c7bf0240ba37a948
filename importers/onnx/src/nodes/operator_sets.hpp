#pragma once

/// Which versions of operators there are: those that libonnx has a schema of, and those in the
/// table operator_sets.def, which are newer.

#include <onnx/defs/schema.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace backplane::onnx {

/// The last versions that the operators were written for.
constexpr std::int64_t kLastOpset = 28;
constexpr std::int64_t kLastIrVersion = 13;

/// Models before this IR version state no operator set and use the first.
constexpr std::int64_t kFirstIrVersionWithOpsets = 3;

/// What libonnx knows of an operator. Null when it lacks the operator, or the version of it that
/// the operator set has.
const ::onnx::OpSchema* FindSchema(const std::string& domain, const std::string& op_type,
                                   std::int64_t opset);

/// Is it an operator of ONNX, of any set?
bool IsOperatorOfOnnx(const std::string& op_type);

/// How many inputs the operator takes at most; 0 for those that are not known.
std::size_t CountKnownInputs(const std::string& domain, const std::string& op_type,
                             std::int64_t opset);

}  // namespace backplane::onnx
