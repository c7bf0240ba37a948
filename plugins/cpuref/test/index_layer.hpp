#pragma once

/// Runs layers of float32 that have indices as input 1.

#include "test/run_layer.hpp"

namespace backplane {
namespace cpuref_test {

struct IndexTensor {
  TensorInfo GetInfo() const { return TensorInfo(shape, DataType::kInt64); }

  TensorShape shape;
  std::vector<std::int64_t> data;
};

/// A layer of float32 values, int64 indices and, when there are any, updates.
inline TestLayer MakeIndexLayer(LayerType type, const BaseDescriptor& descriptor,
                                const TensorShape& values, const TensorShape& indices,
                                const std::vector<TensorShape>& updates,
                                const TensorShape& output) {
  TestLayer layer(type, descriptor,
                  {TensorInfo(values, DataType::kFloat32), TensorInfo(indices, DataType::kInt64)},
                  TensorInfo(output, DataType::kFloat32));
  for (const TensorShape& shape : updates) layer.inputs.emplace_back(shape, DataType::kFloat32);
  return layer;
}

/// Asks, makes and runs such a layer; the output, or nothing after a failed expectation.
inline std::vector<float> RunIndexLayer(LayerType type, const BaseDescriptor& descriptor,
                                        FloatTensor values, IndexTensor indices,
                                        std::vector<FloatTensor> updates,
                                        const TensorShape& output) {
  std::vector<TensorShape> update_shapes;
  for (const FloatTensor& update : updates) update_shapes.push_back(update.shape);
  const TestLayer layer =
      MakeIndexLayer(type, descriptor, values.shape, indices.shape, update_shapes, output);
  const std::string refusal = GetRefusal(layer);
  EXPECT_EQ(refusal, "");
  if (!refusal.empty()) return {};
  FloatTensor result(output);
  result.data.assign(result.data.size(), 12345.0F);
  MemoryHandle values_handle(values.GetInfo(), values.data.data());
  MemoryHandle indices_handle(indices.GetInfo(), indices.data.data());
  MemoryHandle result_handle(result.GetInfo(), result.data.data());
  std::vector<ITensorHandle*> handles = {&values_handle, &indices_handle};
  const FloatHandles update_handles(updates);
  handles.insert(handles.end(), update_handles.Get().begin(), update_handles.Get().end());
  EXPECT_EQ(Execute(*MakeWorkload(layer), handles, {&result_handle}), Status::kSuccess);
  return result.data;
}

}  // namespace cpuref_test
}  // namespace backplane
