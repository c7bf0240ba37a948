#pragma once

/// Fields of functions and their calls that ONNX has had since IR versions 9 and 10, and that the
/// messages of libonnx 1.12 lack: they are among what is not known.

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

namespace backplane::onnx {

/// Which of the functions of one name is called; "" when there is only one.
std::string GetOverload(const ::onnx::NodeProto& node);

/// Which of the functions of one name it is; "" when there is only one.
std::string GetOverload(const ::onnx::FunctionProto& function);

/// The attributes that a call may leave out.
/// Errors: DiagnosticException with kInvalidModel for one that cannot be read.
std::vector<::onnx::AttributeProto> ReadDefaultAttributes(const ::onnx::FunctionProto& function);

}  // namespace backplane::onnx
