#pragma once

/// Runs one layer on tensors of any data type.

#include "test/typed_tensor.hpp"

#include <algorithm>

namespace backplane {
namespace cpuref_test {

/// The handles of tensors, which must outlive them.
class StoredHandles {
 public:
  explicit StoredHandles(std::vector<StoredTensor>& tensors) {
    for (StoredTensor& tensor : tensors) {
      handles_.push_back(std::make_unique<MemoryHandle>(tensor.info, tensor.bytes.data()));
      pointers_.push_back(handles_.back().get());
    }
  }

  const std::vector<ITensorHandle*>& Get() const { return pointers_; }

 private:
  std::vector<std::unique_ptr<MemoryHandle>> handles_;
  std::vector<ITensorHandle*> pointers_;
};

/// Elements as they are stored, of the C++ type that goes with the data type.
template <typename Element>
StoredTensor MakeStored(const TensorInfo& info, const std::vector<Element>& elements) {
  StoredTensor tensor(info);
  EXPECT_EQ(tensor.bytes.size(), elements.size() * sizeof(Element));
  std::copy_n(reinterpret_cast<const unsigned char*>(elements.data()), tensor.bytes.size(),
              tensor.bytes.begin());
  return tensor;
}

/// Elements as the numbers that they are.
inline StoredTensor MakeElements(const TensorInfo& info, const std::vector<long double>& elements) {
  StoredTensor tensor(info);
  EXPECT_EQ(tensor.info.shape.GetNumElements(), static_cast<std::int64_t>(elements.size()));
  for (std::size_t i = 0; i < elements.size(); ++i) SetElement(tensor, i, elements[i]);
  return tensor;
}

/// A tensor of rank 1.
template <typename Element>
StoredTensor MakeStored(DataType type, const std::vector<Element>& elements) {
  return MakeStored(TensorInfo({static_cast<std::int64_t>(elements.size())}, type), elements);
}

template <typename Element>
std::vector<Element> GetStored(const StoredTensor& tensor) {
  std::vector<Element> elements(tensor.bytes.size() / sizeof(Element));
  std::copy_n(tensor.bytes.begin(), tensor.bytes.size(),
              reinterpret_cast<unsigned char*>(elements.data()));
  return elements;
}

/// Asks, makes and runs a layer; what the outputs were filled with before after a refusal.
inline std::vector<StoredTensor> RunStoredForAll(LayerType type, const BaseDescriptor& descriptor,
                                                 std::vector<StoredTensor> inputs,
                                                 const std::vector<TensorInfo>& output_infos) {
  TestLayer layer(type, descriptor, {}, {});
  for (const StoredTensor& input : inputs) layer.inputs.push_back(input.info);
  layer.outputs = output_infos;
  std::vector<StoredTensor> outputs(output_infos.begin(), output_infos.end());
  for (StoredTensor& output : outputs) output.bytes.assign(output.bytes.size(), 77);
  const std::string refusal = GetRefusal(layer);
  EXPECT_EQ(refusal, "");
  if (!refusal.empty()) return outputs;
  const StoredHandles input_handles(inputs);
  const StoredHandles output_handles(outputs);
  std::unique_ptr<IWorkloadFactory> factory;
  const std::unique_ptr<IWorkload> workload = MakeWorkload(layer, &factory);
  const std::unique_ptr<IExecutionState> state = factory->CreateExecutionState();
  EXPECT_EQ(Execute(*workload, input_handles.Get(), output_handles.Get(), state.get()),
            Status::kSuccess);
  return outputs;
}

/// The same for a layer with one output.
inline StoredTensor RunStored(LayerType type, const BaseDescriptor& descriptor,
                              std::vector<StoredTensor> inputs, const TensorInfo& output_info) {
  return RunStoredForAll(type, descriptor, std::move(inputs), {output_info})[0];
}

}  // namespace cpuref_test
}  // namespace backplane
