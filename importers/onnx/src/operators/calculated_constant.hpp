#pragma once

#include "nodes/node.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace backplane::onnx {

/// Asks for memory for numbers of 8 bytes that the file does not hold, as many as the product of
/// the counts, which are 0 or more; false when it is not to be taken.
bool TakeMemoryForNumbers(Node& node, const std::vector<std::int64_t>& counts);

/// The most memory that is taken for such numbers, for messages: "536870912 bytes".
std::string GetMostMemory();

/// The int64 numbers from `first` on, under this shape.
OutputSlot AddCounting(Node& node, std::int64_t first, const TensorShape& shape,
                       const std::string& suffix);

/// A constant of numbers that were calculated, each converted as a cast does.
OutputSlot AddNumbers(Node& node, const TensorInfo& info, const std::vector<double>& numbers,
                      const std::string& suffix);

}  // namespace backplane::onnx
