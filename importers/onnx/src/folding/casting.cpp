#include "folding/folding.hpp"
#include "tensors/data_types.hpp"
#include "values/elements.hpp"

#include <backplane/api/narrow_types.hpp>

#include <cstring>

namespace backplane::onnx {
namespace {

/// In numbers that hold all elements of the constant.
Value Convert(const Value& constant, const TensorInfo& to) {
  const DataType from = constant.info.data_type;
  if (from == to.data_type) return constant;
  if (IsFloat(from) || IsNarrowFloat(from)) {
    return MakeElements(to, ReadElements<double>(constant));
  }
  return from == DataType::kUInt64 ? MakeElements(to, ReadElements<std::uint64_t>(constant))
                                   : MakeElements(to, ReadElements<std::int64_t>(constant));
}

// How floats of 8 bits are made is left to a layer, unless it is as usual.
bool IsUsual(Attributes& attributes, DataType type) {
  const bool saturates = attributes.GetFlag("saturate", true);
  const bool rounds_up = attributes.FindString("round_mode").value_or("up") == "up";
  return !IsNarrowFloat(type) || (saturates && rounds_up);
}

Folded FoldTo(Folding& folding, DataType type) {
  if (!IsUsual(folding.GetAttributes(), type)) throw NotFolded{};
  const Value& input = folding.Get(0);
  if (type == DataType::kUndefined) throw NotFolded{};
  const FoldedTensor result = folding.Make({input.info.shape, type});
  const Value converted = Convert(input, result.info);
  if (converted.data != nullptr) {
    std::memcpy(result.bytes.get(), converted.data.get(), result.info.GetSizeBytes());
  }
  return {result};
}

}  // namespace

Folded FoldCast(Folding& folding) {
  const auto to = folding.GetAttributes().FindInt("to");  // a string before operator set 6
  if (!to) throw NotFolded{};
  return FoldTo(folding, FromOnnxType(*to));
}

Folded FoldCastLike(Folding& folding) {
  return FoldTo(folding, folding.GetInfo(1).data_type);
}

}  // namespace backplane::onnx
