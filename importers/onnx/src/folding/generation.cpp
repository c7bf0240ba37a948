#include "folding/indices.hpp"
#include "nodes/i_graph_import.hpp"
#include "tensors/data_types.hpp"
#include "tensors/shape.hpp"
#include "values/elements.hpp"
#include "values/tensor_reader.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace backplane::onnx {
namespace {

// The element that ConstantOfShape repeats: a float32 zero when nothing is stated.
Value ReadFill(Folding& folding) {
  const ::onnx::TensorProto* proto = folding.GetAttributes().FindTensor("value");
  if (proto == nullptr) {
    constexpr float kZero = 0;
    return MakeConstant({{1}, DataType::kFloat32}, static_cast<const void*>(&kZero));
  }
  const Node& node = folding.GetNode();
  const TensorOrigin origin = {DiagnosticCode::kInvalidModel,
                               {SubjectKind::kLayer, node.GetName()},
                               "the value of " + node.GetDescription()};
  Value value = folding.GetNode().GetScope().import.GetReader().Read(*proto, origin, nullptr);
  if (value.info.shape.GetNumElements() != 1) throw NotFolded{};
  return value;
}

template <typename Number>
std::int64_t CountSteps(Number start, Number limit, Number delta) {
  if (delta == 0) throw NotFolded{};
  if constexpr (std::is_floating_point_v<Number>) {
    const double steps = std::ceil((static_cast<double>(limit) - static_cast<double>(start)) /
                                   static_cast<double>(delta));
    constexpr double kTooMany = 1e12;
    if (!(steps < kTooMany)) throw NotFolded{};
    return steps > 0 ? static_cast<std::int64_t>(steps) : 0;
  } else {
    const bool is_empty = delta > 0 ? limit <= start : limit >= start;
    if (is_empty) return 0;
    const auto from = static_cast<std::uint64_t>(delta > 0 ? start : limit);
    const auto to = static_cast<std::uint64_t>(delta > 0 ? limit : start);
    const auto raw = static_cast<std::uint64_t>(delta);
    const std::uint64_t step = delta > 0 ? raw : 0 - raw;
    const std::uint64_t steps = (to - from - 1) / step + 1;
    if (steps > std::numeric_limits<std::int32_t>::max()) throw NotFolded{};
    return static_cast<std::int64_t>(steps);
  }
}

DataType ReadTypeAttribute(Folding& folding, DataType otherwise) {
  const auto stated = folding.GetAttributes().FindInt("dtype");
  if (!stated) return otherwise;
  const DataType type = FromOnnxType(*stated);
  if (type == DataType::kUndefined) throw NotFolded{};
  return type;
}

}  // namespace

Folded FoldConstantOfShape(Folding& folding) {
  const Value fill = ReadFill(folding);
  const TensorShape shape = MakeFoldedShape(folding.ReadInts(0));
  const FoldedTensor result = folding.Make({shape, fill.info.data_type});
  CopyElements(result, fill.data.get(), [](const PerAxis&) { return 0; });
  return {result};
}

Folded FoldRange(Folding& folding) {
  const DataType data_type = folding.GetInfo(0).data_type;
  for (const std::size_t input : {0, 1, 2}) {
    const TensorInfo& info = folding.GetInfo(input);
    if (info.data_type != data_type || info.shape.GetNumElements() != 1) throw NotFolded{};
  }
  std::optional<FoldedTensor> result;
  VisitNumbers(data_type, [&](auto type) {
    using Number = typename decltype(type)::Type;
    const Number start = *folding.Read<Number>(0);
    const Number delta = *folding.Read<Number>(2);
    const std::int64_t count = CountSteps(start, *folding.Read<Number>(1), delta);
    result = folding.Make({MakeFoldedShape({count}), data_type});
    for (std::int64_t i = 0; i < count; ++i) {
      result->template As<Number>()[i] =
          static_cast<Number>(start + static_cast<Number>(i) * delta);
    }
  });
  return {*result};
}

Folded FoldEyeLike(Folding& folding) {
  const TensorShape& shape = folding.GetShape(0);
  if (shape.rank != 2) throw NotFolded{};
  const DataType type = ReadTypeAttribute(folding, folding.GetInfo(0).data_type);
  const std::int64_t diagonal = folding.GetAttributes().FindInt("k").value_or(0);
  const FoldedTensor result = folding.Make({shape, type});
  const Value one = MakeElements<std::int64_t>({{1}, type}, {1});
  CopyElements(result, one.data.get(), [&](const PerAxis& index) {
    return index.at[1] - index.at[0] == diagonal ? 0 : -1;
  });
  return {result};
}

Folded FoldOneHot(Folding& folding) {
  const TensorShape& indices = folding.GetShape(0);
  const std::vector<double> depths = ReadElements<double>(folding.Get(1));
  if (depths.size() != 1 || !(depths[0] >= 0) || depths[0] > 1e9) throw NotFolded{};
  if (folding.GetShape(2).GetNumElements() != 2) throw NotFolded{};
  const auto depth = static_cast<std::int64_t>(depths[0]);
  const std::uint32_t axis = ReadAxis(folding, -1, indices.rank + 1);
  std::vector<std::int64_t> dims(indices.dims, indices.dims + indices.rank);
  dims.insert(dims.begin() + axis, depth);
  const FoldedTensor result = folding.Make({MakeFoldedShape(dims), folding.GetInfo(2).data_type});
  const std::vector<std::int64_t> hot = ReadElements<std::int64_t>(folding.Get(0));
  PerAxis strides = MakeStrides(indices);
  for (std::uint32_t i = indices.rank; i > axis; --i) strides.at[i] = strides.at[i - 1];
  strides.at[axis] = 0;
  CopyElements(result, folding.Get(2).data.get(), [&](const PerAxis& index) {
    const auto position = static_cast<std::size_t>(Locate(index, strides, indices.rank + 1));
    const std::int64_t stated = hot[position];
    return index.at[axis] == (stated < 0 ? stated + depth : stated) ? 1 : 0;
  });
  return {result};
}

Folded FoldShape(Folding& folding) {
  const TensorShape& shape = folding.GetShape(0);
  const std::uint32_t rank = shape.rank;
  const auto begin = ClampAxis(folding.GetAttributes().FindInt("start").value_or(0), rank);
  const auto end = ClampAxis(folding.GetAttributes().FindInt("end").value_or(rank), rank);
  return {folding.MakeInts({shape.dims + begin, shape.dims + std::max(begin, end)})};
}

Folded FoldSize(Folding& folding) {
  const FoldedTensor size = folding.Make({{}, DataType::kInt64});
  *size.As<std::int64_t>() = folding.GetShape(0).GetNumElements();
  return {size};
}

}  // namespace backplane::onnx
