#include "nodes/i_graph_import.hpp"
#include "nodes/node.hpp"
#include "operators/operator_table.hpp"
#include "operators/stated_attributes.hpp"
#include "tensors/data_types.hpp"
#include "tensors/shape.hpp"
#include "tensors/tensor_proto.hpp"
#include "values/elements.hpp"
#include "values/tensor_reader.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace backplane::onnx {
namespace {

double ReadNumber(Node& node, std::size_t index, const std::string& meaning) {
  const std::vector<double> numbers = node.ReadConstantReals(index, meaning);
  if (numbers.size() != 1) {
    node.RefuseAsInvalid("its " + meaning + " is " + ToText(node.GetInputShape(index)) +
                         "; a scalar is expected");
  }
  return numbers[0];
}

// Integers beyond 2^53 are not counted as reals, which would lose their neighbours.
std::int64_t CountIntegers(std::int64_t start, std::int64_t limit, std::int64_t delta) {
  if (delta > 0 ? limit <= start : limit >= start) return 0;
  const auto from = static_cast<std::uint64_t>(delta > 0 ? start : limit);
  const auto to = static_cast<std::uint64_t>(delta > 0 ? limit : start);
  const auto step = static_cast<std::uint64_t>(delta);
  const std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(
      std::min((to - from - 1) / (delta > 0 ? step : 0 - step) + 1, most));
}

std::int64_t CountNumbers(Node& node) {
  const double start = ReadNumber(node, 0, "start");
  const double limit = ReadNumber(node, 1, "limit");
  const double delta = ReadNumber(node, 2, "delta");
  const double count = std::ceil((limit - start) / delta);
  if (!(std::abs(count) < 0x1p62)) {
    node.RefuseAsInvalid("from " + std::to_string(start) + " to " + std::to_string(limit) +
                         " in steps of " + std::to_string(delta) + " are not countable");
  }
  if (!IsFloat(node.GetInputInfo(0).data_type)) {
    const auto read = [&](std::size_t index) {
      return ReadElements<std::int64_t>(node.GetValue(index)).front();
    };
    return CountIntegers(read(0), read(1), read(2));
  }
  return std::max<std::int64_t>(static_cast<std::int64_t>(count), 0);
}

OutputSlot GetScalar(Node& node, std::size_t index, const std::string& suffix) {
  const OutputSlot slot = node.GetInput(index);
  return node.GetInfo(slot).shape.rank == 0 ? slot : node.AddReshape(slot, {}, suffix);
}

/// What the tensor is filled with, as a scalar.
OutputSlot AddFillValue(Node& node) {
  const auto* proto = node.GetAttributes().FindTensor("value");
  if (proto == nullptr) {
    const float zero = 0.0F;
    return node.AddConstant({{}, DataType::kFloat32}, &zero, "_value");
  }
  const TensorOrigin origin = {DiagnosticCode::kInvalidModel,
                               {SubjectKind::kLayer, node.GetName()},
                               "the value of " + node.GetDescription()};
  const Value value = node.GetScope().import.GetReader().Read(*proto, origin, nullptr);
  if (value.info.shape.GetNumElements() != 1) {
    node.RefuseAsInvalid("its value is " + ToText(value.info.shape) + "; one element is expected");
  }
  return node.AddConstant({{}, value.info.data_type}, value.data, "_value");
}

}  // namespace

void ConvertRange(Node& node) {
  ReadStashType(node);
  RangeDescriptor descriptor;
  descriptor.count = CountNumbers(node);
  node.SetOutput(node.AddLayer<LayerType::kRange>(
      descriptor, {GetScalar(node, 0, "_start"), GetScalar(node, 2, "_delta")}));
}

void ConvertConstantOfShape(Node& node) {
  const std::vector<std::int64_t> dims = node.ReadConstantInts(0, "shape");
  if (dims.size() > kMaxRank) {
    node.RefuseAsUnsupported("its shape has " + std::to_string(dims.size()) +
                             " dimensions; at most " + std::to_string(kMaxRank) + " are supported");
  }
  FillDescriptor descriptor;
  descriptor.rank = static_cast<std::uint32_t>(dims.size());
  std::copy(dims.begin(), dims.end(), descriptor.dims);
  node.SetOutput(node.AddLayer<LayerType::kFill>(descriptor, {AddFillValue(node)}));
}

void ConvertEyeLike(Node& node) {
  EyeLikeDescriptor descriptor;
  descriptor.data_type = node.GetInputInfo(0).data_type;
  if (const auto stated = node.GetAttributes().FindInt("dtype")) {
    descriptor.data_type = FromOnnxType(*stated);
    if (descriptor.data_type == DataType::kUndefined) {
      node.GetAttributes().Refuse("dtype", std::to_string(*stated), "numbers and bool");
    }
  }
  descriptor.diagonal = node.GetAttributes().FindInt("k").value_or(0);
  node.SetOutput(node.AddLayer<LayerType::kEyeLike>(descriptor, {node.GetInput(0)}));
}

void ConvertShape(Node& node) {
  const std::uint32_t rank = node.GetInputShape(0).rank;
  ShapeDescriptor descriptor;
  descriptor.start = ClampAxis(node.GetAttributes().FindInt("start").value_or(0), rank);
  descriptor.end = ClampAxis(node.GetAttributes().FindInt("end").value_or(rank), rank);
  descriptor.end = std::max(descriptor.start, descriptor.end);
  node.SetOutput(node.AddLayer<LayerType::kShape>(descriptor, {node.GetInput(0)}));
}

void ConvertSize(Node& node) {
  node.SetOutput(node.AddLayer<LayerType::kSize>(NoDescriptor(), {node.GetInput(0)}));
}

}  // namespace backplane::onnx
