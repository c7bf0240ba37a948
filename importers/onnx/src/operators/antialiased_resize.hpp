#pragma once

#include "nodes/node.hpp"

namespace backplane::onnx {

/// Does a resize need more neighbours than the layer Resize takes, because an axis shrinks and the
/// elements that fall together are to be averaged?
bool NeedsAntialias(const Node& node, const ResizeDescriptor& descriptor);

/// Adds the layers of such a resize: each axis that is resized is multiplied by a constant matrix
/// of the weights that the elements of the input have in those of the output.
/// Errors: kUnsupportedAttribute for a crop, for integers with cubic interpolation, and when the
/// matrices would take too much memory.
OutputSlot AddAntialiasedResize(Node& node, const ResizeDescriptor& descriptor);

}  // namespace backplane::onnx
