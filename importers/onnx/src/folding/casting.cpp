#include "folding/folding.hpp"
#include "tensors/data_types.hpp"
#include "values/elements.hpp"

#include <cstring>
#include <limits>

namespace backplane::onnx {
namespace {

bool IsExactAsInt(DataType type) {
  return type != DataType::kUInt64 && type != DataType::kFloat16 && type != DataType::kBFloat16 &&
         type != DataType::kFloat32 && type != DataType::kFloat64;
}

// `saturate` and `round_mode` are of casts to types of 8 bits that Backplane lacks.
Folded FoldTo(Folding& folding, DataType type) {
  folding.GetAttributes().Ignore("saturate");
  folding.GetAttributes().Ignore("round_mode");
  const Value& input = folding.Get(0);
  if (type == DataType::kUndefined) throw NotFolded{};
  const FoldedTensor result = folding.Make({input.info.shape, type});
  const Value converted = IsExactAsInt(input.info.data_type)
                              ? MakeElements(result.info, ReadElements<std::int64_t>(input))
                              : MakeElements(result.info, ReadElements<double>(input));
  if (converted.data != nullptr) {
    std::memcpy(result.bytes.get(), converted.data.get(), result.info.GetSizeBytes());
  }
  return {result};
}

}  // namespace

Folded FoldCast(Folding& folding) {
  const auto to = folding.GetAttributes().FindInt("to");  // a string before operator set 6
  if (!to || *to < 0 || *to > std::numeric_limits<std::int32_t>::max()) throw NotFolded{};
  return FoldTo(folding, FromOnnxType(static_cast<std::int32_t>(*to)));
}

Folded FoldCastLike(Folding& folding) {
  return FoldTo(folding, folding.GetInfo(1).data_type);
}

}  // namespace backplane::onnx
