#pragma once

#include <cstdint>
#include <memory>

namespace backplane::onnx {

/// Memory for the elements of a tensor, which begins where every instruction can read them. Null
/// when there is none.
std::shared_ptr<unsigned char> AllocateAligned(std::uint64_t size_bytes);

}  // namespace backplane::onnx
