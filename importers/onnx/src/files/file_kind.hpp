#pragma once

#include <string>
#include <string_view>

namespace backplane::onnx {

/// What a file that is no ONNX model looks like, for messages: "a PNG image", "an HTML page", ...
/// "binary data of no known kind" when nothing fits.
std::string DescribeFileKind(std::string_view bytes);

}  // namespace backplane::onnx
