#pragma once

/// One layer by itself: what a host asks about it, makes of it and runs.

#include <backplane/api/i_backend_internal.hpp>
#include <backplane/api/run_arguments.hpp>

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

/// What CreateWorkload is lent for a layer. Borrows the layer, the constants and the ids.
class LayerWorkloadArgs {
 public:
  /// `constants`: one for each input, null for those that are none; empty: no constants. The other
  /// tensors are of these kinds.
  explicit LayerWorkloadArgs(const TestLayer& layer, std::vector<const ConstTensor*> constants = {},
                             const char* input_kind = kHostTensorHandleFactoryId,
                             const char* output_kind = kHostTensorHandleFactoryId)
      : inputs_(GetPointers(layer.inputs)),
        outputs_(GetPointers(layer.outputs)),
        constants_(std::move(constants)),
        output_factories_(layer.outputs.size(), output_kind) {
    constants_.resize(inputs_.size(), nullptr);
    for (const ConstTensor* constant : constants_) {
      input_factories_.push_back(constant == nullptr ? input_kind : "");
    }
    args_.layer_type = layer.type;
    args_.layer_name = "layer under test";
    args_.descriptor = layer.GetDescriptor();
    args_.inputs = inputs_.data();
    args_.outputs = outputs_.data();
    args_.num_inputs = static_cast<std::uint32_t>(inputs_.size());
    args_.num_outputs = static_cast<std::uint32_t>(outputs_.size());
    args_.constants = constants_.data();
    args_.input_factories = input_factories_.data();
    args_.output_factories = output_factories_.data();
  }
  LayerWorkloadArgs(const LayerWorkloadArgs&) = delete;
  LayerWorkloadArgs& operator=(const LayerWorkloadArgs&) = delete;

  const WorkloadArgs& Get() const { return args_; }

 private:
  std::vector<const TensorInfo*> inputs_;
  std::vector<const TensorInfo*> outputs_;
  std::vector<const ConstTensor*> constants_;
  std::vector<const char*> input_factories_;
  std::vector<const char*> output_factories_;
  WorkloadArgs args_;
};

/// Makes the workload. Everything it was made from but the factory and `constants` is gone when
/// this returns.
inline std::unique_ptr<IWorkload> MakeWorkload(IWorkloadFactory& factory, const TestLayer& layer,
                                               std::vector<const ConstTensor*> constants = {}) {
  return factory.CreateWorkload(LayerWorkloadArgs(layer, std::move(constants)).Get());
}

/// Runs a workload with the handles of its tensors.
inline Status Execute(const IWorkload& workload, const std::vector<ITensorHandle*>& inputs,
                      const std::vector<ITensorHandle*>& outputs,
                      IExecutionState* state = nullptr) {
  return workload.Execute(RunArguments(inputs, outputs, state).Show());
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
