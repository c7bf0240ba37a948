#pragma once

#include "nodes/node.hpp"

namespace backplane::onnx {

/// The second input of an elementwise operator of two, as a tensor that broadcasts to the first by
/// the rules of operator set 7 and later. Before those, shapes broadcast only where the attribute
/// `broadcast` says so, and `axis` says at which axis of the first input the second one begins;
/// then the second input is given another shape here. Reads both attributes. Errors: kInvalidModel
/// for an axis where the second input does not fit.
OutputSlot GetBroadcastInput(Node& node);

}  // namespace backplane::onnx
