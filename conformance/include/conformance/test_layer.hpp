#pragma once

/// One layer by itself: what a host asks about it, makes of it and runs.

#include <backplane/api/i_backend_internal.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace backplane {
namespace conformance {

/// A tensor in memory of the test. The view is open, so that tests can spoil it.
class MemoryHandle : public ITensorHandle {
 public:
  ~MemoryHandle() noexcept override = default;
  MemoryHandle(const TensorInfo& info, void* data) {
    view.data = data;
    view.source = MemorySource::kMalloc;
    view.size_bytes = info.GetSizeBytes();
    view.data_type = info.data_type;
    view.rank = info.shape.rank;
    std::int64_t stride = GetDataTypeSizeBytes(info.data_type);
    for (std::uint32_t axis = view.rank; axis-- > 0;) {
      view.dims[axis] = info.shape[axis];
      view.strides_bytes[axis] = stride;
      // Extents of 0 count as 1, as the core has it: strides stay positive.
      stride *= info.shape[axis] > 0 ? info.shape[axis] : 1;
    }
  }

  const MemoryView* GetMemoryView() const override { return is_bound ? &view : nullptr; }
  Status Bind(const MemoryBlock&, std::uint64_t) override { return Status::kUnsupported; }
  Status Map(MemoryAccess, MemoryView*) override { return Status::kUnsupported; }
  Status Unmap() override { return Status::kUnsupported; }
  Status Import(const MemoryView&) override { return Status::kUnsupported; }
  Status Unimport() override { return Status::kUnsupported; }
  Status Export(MemorySource, MemoryView*) override { return Status::kUnsupported; }

  MemoryView view;
  bool is_bound = true;
};

/// A layer without data. Keeps a copy of the descriptor, of the length that it states.
struct TestLayer {
  TestLayer(LayerType layer_type, const BaseDescriptor& descriptor,
            std::vector<TensorInfo> input_infos, const TensorInfo& output_info)
      : type(layer_type), inputs(std::move(input_infos)), outputs{output_info} {
    const auto* bytes = reinterpret_cast<const unsigned char*>(&descriptor);
    descriptor_bytes.assign(bytes, bytes + descriptor.size_bytes);
  }

  /// Null: when the bytes were taken away.
  const BaseDescriptor* GetDescriptor() const {
    if (descriptor_bytes.empty()) return nullptr;
    return reinterpret_cast<const BaseDescriptor*>(descriptor_bytes.data());
  }

  LayerType type;
  std::vector<unsigned char> descriptor_bytes;
  std::vector<TensorInfo> inputs;
  std::vector<TensorInfo> outputs;
};

inline std::vector<const TensorInfo*> GetPointers(const std::vector<TensorInfo>& infos) {
  std::vector<const TensorInfo*> pointers;
  for (const TensorInfo& info : infos) pointers.push_back(&info);
  return pointers;
}

/// A question that borrows from the layer, and what it points to.
class LayerQuestion {
 public:
  explicit LayerQuestion(const TestLayer& layer)
      : inputs_(GetPointers(layer.inputs)),
        outputs_(GetPointers(layer.outputs)),
        input_is_constant_(layer.inputs.size(), 0) {
    query_.layer_type = layer.type;
    query_.layer_name = "layer under test";
    query_.descriptor = layer.GetDescriptor();
    query_.inputs = inputs_.data();
    query_.outputs = outputs_.data();
    query_.num_inputs = static_cast<std::uint32_t>(inputs_.size());
    query_.num_outputs = static_cast<std::uint32_t>(outputs_.size());
    query_.input_is_constant = input_is_constant_.data();
  }
  LayerQuestion(const LayerQuestion&) = delete;
  LayerQuestion& operator=(const LayerQuestion&) = delete;

  const LayerSupportQuery& Get() const { return query_; }

 private:
  std::vector<const TensorInfo*> inputs_;
  std::vector<const TensorInfo*> outputs_;
  std::vector<std::uint8_t> input_is_constant_;
  LayerSupportQuery query_;
};

/// Makes the workload. Everything it was made from but the factory and `constants` is gone when
/// this returns. `constants`: one for each input, null for those that are none; empty: no
/// constants.
inline std::unique_ptr<IWorkload> MakeWorkload(IWorkloadFactory& factory, const TestLayer& layer,
                                               std::vector<const ConstTensor*> constants = {}) {
  const std::vector<const TensorInfo*> inputs = GetPointers(layer.inputs);
  const std::vector<const TensorInfo*> outputs = GetPointers(layer.outputs);
  constants.resize(inputs.size(), nullptr);
  WorkloadArgs args;
  args.layer_type = layer.type;
  args.layer_name = "layer under test";
  args.descriptor = layer.GetDescriptor();
  args.inputs = inputs.data();
  args.outputs = outputs.data();
  args.num_inputs = static_cast<std::uint32_t>(inputs.size());
  args.num_outputs = static_cast<std::uint32_t>(outputs.size());
  args.constants = constants.data();
  std::vector<const char*> input_factories;
  for (const ConstTensor* constant : constants) {
    input_factories.push_back(constant == nullptr ? kHostTensorHandleFactoryId : "");
  }
  const std::vector<const char*> output_factories(outputs.size(), kHostTensorHandleFactoryId);
  args.input_factories = input_factories.data();
  args.output_factories = output_factories.data();
  return factory.CreateWorkload(args);
}

/// Runs a workload with the handles of its tensors.
inline Status Execute(const IWorkload& workload, const std::vector<ITensorHandle*>& inputs,
                      const std::vector<ITensorHandle*>& outputs,
                      IExecutionState* state = nullptr) {
  ExecuteArgs args;
  args.state = state;
  args.inputs = inputs.data();
  args.outputs = outputs.data();
  args.num_inputs = static_cast<std::uint32_t>(inputs.size());
  args.num_outputs = static_cast<std::uint32_t>(outputs.size());
  return workload.Execute(args);
}

/// The indices of an element of a dense tensor.
inline std::vector<std::int64_t> GetIndices(const TensorShape& shape, std::int64_t element) {
  std::vector<std::int64_t> indices(shape.rank);
  for (std::uint32_t axis = shape.rank; axis-- > 0;) {
    indices[axis] = element % shape[axis];
    element /= shape[axis];
  }
  return indices;
}

}  // namespace conformance
}  // namespace backplane
