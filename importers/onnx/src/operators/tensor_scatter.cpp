#include "operators/calculated_constant.hpp"
#include "operators/element_layers.hpp"
#include "operators/movement_layers.hpp"
#include "operators/operator_table.hpp"
#include "operators/stated_attributes.hpp"
#include "tensors/shape.hpp"

#include <string>
#include <vector>

namespace backplane::onnx {
namespace {

// Inputs of TensorScatter.
constexpr std::size_t kCache = 0;
constexpr std::size_t kUpdate = 1;
constexpr std::size_t kFirstPlaces = 2;

std::uint32_t ReadCacheAxis(Node& node) {
  const TensorShape& cache = node.GetInputShape(kCache);
  const std::uint32_t axis = ReadAxis(node, -2);
  if (axis == 0) node.RefuseAsInvalid("its axis is 0, that of the batch; a later one is expected");
  TensorShape expected = cache;
  const TensorShape& update = node.GetInputShape(kUpdate);
  if (update.rank == cache.rank && update[axis] <= cache[axis]) expected[axis] = update[axis];
  if (update == expected) return axis;
  node.RefuseAsInvalid("its update is " + ToText(update) + " and its cache " + ToText(cache) +
                       "; the same shape, or less along axis " + std::to_string(axis) +
                       ", is expected");
}

bool ReadIsCircular(Node& node) {
  const std::string mode = node.GetAttributes().FindString("mode").value_or("linear");
  if (mode != "linear" && mode != "circular") {
    node.GetAttributes().Refuse("mode", mode, "linear and circular are supported");
  }
  return mode == "circular";
}

// The update, and what the cache has behind it.
void WriteAtStart(Node& node, std::uint32_t axis) {
  const std::int64_t extent = node.GetInputShape(kCache)[axis];
  const std::int64_t written = node.GetInputShape(kUpdate)[axis];
  if (written == extent) return node.ForwardInput(kUpdate);
  const OutputSlot rest =
      AddSlice(node, node.GetInput(kCache), axis, written, extent - written, "/rest");
  node.SetOutput(AddConcat(node, {node.GetInput(kUpdate), rest}, axis, ""));
}

void TakePlaces(Node& node, std::int64_t count) {
  std::uint64_t size = 0;
  if (!__builtin_mul_overflow(count, sizeof(std::int64_t), &size) && node.TakeMemory(size)) return;
  node.RefuseAsUnsupported("its update is " + ToText(node.GetInputShape(kUpdate)) +
                           "; that has too many parts for the places of each");
}

// Where along the axis each part of the update goes: [batch, length].
OutputSlot AddPlaces(Node& node, std::uint32_t axis, bool is_circular) {
  const TensorShape& update = node.GetInputShape(kUpdate);
  const TensorShape expected = {update[0]};
  if (node.GetInputShape(kFirstPlaces) != expected) {
    node.RefuseAsInvalid("its write_indices are " + ToText(node.GetInputShape(kFirstPlaces)) +
                         "; " + ToText(expected) + " is expected");
  }
  TakePlaces(node, update[axis]);
  const OutputSlot following = AddCounting(node, 0, {update[axis]}, "/steps");
  const OutputSlot first =
      node.AddReshape(node.GetInput(kFirstPlaces), {update[0], 1}, "/first_places");
  const OutputSlot places = AddBinary(node, BinaryOperation::kAdd, first, following, "/places");
  if (!is_circular) return places;
  return AddNumber(node, BinaryOperation::kModulo, places,
                   static_cast<double>(node.GetInputShape(kCache)[axis]), "/wrapped");
}

// For each part of the update, where it lies along the axes before: [..., length, axis].
OutputSlot AddCoordinates(Node& node, std::uint32_t axis) {
  const TensorShape& update = node.GetInputShape(kUpdate);
  TensorShape shape;
  for (std::uint32_t i = 0; i <= axis; ++i) shape.Append(update[i]);
  const std::int64_t count = shape.GetNumElements();
  shape.Append(axis);
  TakePlaces(node, shape.GetNumElements());
  std::vector<std::int64_t> coordinates(static_cast<std::size_t>(shape.GetNumElements()));
  for (std::int64_t part = 0; part < count; ++part) {
    std::int64_t rest = part / update[axis];
    for (std::uint32_t i = axis; i-- > 0; rest /= update[i]) {
      coordinates[static_cast<std::size_t>(part * axis + i)] = rest % update[i];
    }
  }
  return node.AddConstant({shape, DataType::kInt64}, coordinates.data(), "/coordinates");
}

}  // namespace

// Writes the update into the cache, each entry of the batch from a place of its own on.
void ConvertTensorScatter(Node& node) {
  const std::uint32_t axis = ReadCacheAxis(node);
  const bool is_circular = ReadIsCircular(node);
  if (!node.HasInput(kFirstPlaces)) return WriteAtStart(node, axis);
  const OutputSlot coordinates = AddCoordinates(node, axis);
  TensorShape shape = node.GetInfo(coordinates).shape;
  shape[shape.rank - 1] = 1;
  TensorShape aligned = shape;
  for (std::uint32_t i = 1; i < axis; ++i) aligned[i] = 1;
  const OutputSlot places =
      node.AddReshape(AddPlaces(node, axis, is_circular), aligned, "/places/aligned");
  const OutputSlot positions =
      AddConcat(node, {coordinates, AddExpand(node, places, shape, "/places/expand")},
                shape.rank - 1, "/positions");
  node.SetOutput(node.AddLayer<LayerType::kScatterNd>(
      {}, {node.GetInput(kCache), positions, node.GetInput(kUpdate)}));
}

}  // namespace backplane::onnx
