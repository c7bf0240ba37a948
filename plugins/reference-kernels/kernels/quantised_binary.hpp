#pragma once

#include "kernel.hpp"

#include <memory>

namespace backplane {
namespace reference {

/// The kernel of a sum or product of two quantised tensors element by element, in float: bit by bit
/// as ONNX Runtime's kernels for x86-64 do it. All three tensors have 8 bits and one scale.
/// Null: the layer is another one.
std::unique_ptr<Kernel> MakeQuantisedBinary(const Layer& layer);

}  // namespace reference
}  // namespace backplane
