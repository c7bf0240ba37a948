#pragma once

#include "nodes/node.hpp"
#include "operators/element_layers.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace backplane::onnx {

/// Where a node has the scale and the zero point of an operand or of its result: among its inputs.
/// The zero point may be absent, and counts as 0 then.
struct QuantizationInputs {
  std::size_t scale = 0;
  std::size_t zero_point = 0;
  std::uint32_t axis = 0;  // along which they lie when they are more than one
  std::int64_t block = 0;  // so many elements along the axis have one; 0: as many as there are
};

/// The memory of a scale and a zero point of a tensor of the network.
constexpr std::int64_t kBytesOfScale = sizeof(float) + sizeof(std::int32_t);

/// What they say when they are constants that a quantized tensor of the network may have; nothing
/// otherwise: it is calculated with them in layers then.
/// Errors: kInvalidModel when there are not as many zero points as scales.
std::optional<QuantizationInfo> FindQuantization(Node& node, const QuantizationInputs& inputs);

/// The data type of the zero point, which is that of what is quantized; uint8 when it is absent.
DataType GetQuantizedType(Node& node, const QuantizationInputs& inputs);

/// A list as it broadcasts to a tensor of `rank`, along `axis`. Tensors of another rank stay as
/// they are.
OutputSlot AlignWithAxis(Node& node, OutputSlot list, std::uint32_t axis, std::uint32_t rank,
                         const std::string& suffix);

/// (input - zero point) * scale in float32, of plain integers or narrow floats and whatever scales
/// come at run time.
OutputSlot AddDequantization(Node& node, OutputSlot input, const QuantizationInputs& inputs,
                             const std::string& suffix);

/// round-half-to-even(reals / scale) + zero point as plain integers of a type, saturated. The scale
/// is float32; reals may be float64 as well.
OutputSlot AddQuantization(Node& node, OutputSlot reals, const QuantizationInputs& inputs,
                           DataType to, const std::string& suffix);

/// reals / scale + zero point as narrow floats, which are not rounded to integers before.
OutputSlot AddNarrowQuantization(Node& node, OutputSlot reals, const QuantizationInputs& inputs,
                                 const CastDescriptor& cast);

/// As AddQuantization, for reals that are divided by the scale already.
OutputSlot AddRounding(Node& node, OutputSlot quotients, const QuantizationInputs& inputs,
                       DataType to, const std::string& suffix);

/// A quantized operand: an input, and where its quantization is.
struct QuantizedOperand {
  std::size_t input = 0;
  QuantizationInputs quantization;
};

/// An operand as the result is quantised: itself when it is so. `known` is what FindQuantization
/// says of the result.
OutputSlot AddRequantized(Node& node, const QuantizedOperand& operand,
                          const QuantizationInputs& result,
                          const std::optional<QuantizationInfo>& known, const std::string& suffix);

/// A layer on the real numbers that quantized operands mean, whose result is quantized as operand
/// 0 is stored. `add_layer` adds it; what it is given is quantized, and the result is stated, when
/// everything is known before the run; otherwise both are float32, converted before and after.
OutputSlot AddBetweenQuantized(
    Node& node, const std::vector<QuantizedOperand>& operands, const QuantizationInputs& result,
    const std::function<OutputSlot(const std::vector<OutputSlot>&, const std::vector<OutputType>&)>&
        add_layer);

}  // namespace backplane::onnx
