#pragma once

/// Runs one layer on CpuRef, or another backend, as a host would: through the entry points of the
/// static backend.

#include <gtest/gtest.h>
#include <backplane/api/i_backend_internal.hpp>
#include <backplane/api/static_backend.hpp>

#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

BACKPLANE_DECLARE_STATIC_BACKEND(Backplane_CpuRef);

namespace backplane {
namespace cpuref_test {

inline std::unique_ptr<IBackendInternal> MakeBackend() {
  const StaticEntryPoints entry_points = BACKPLANE_STATIC_ENTRY_POINTS(Backplane_CpuRef);
  return std::unique_ptr<IBackendInternal>(
      static_cast<IBackendInternal*>(entry_points.backend_factory()));
}

/// How a refusal of a data type ends.
constexpr char kOnlyFloats[] =
    " is not supported, only float32, float16, bfloat16, float64, and quantised int8, uint8, "
    "int16, uint16, int32";
constexpr char kOnlyNumbers[] =
    " is not supported, only float32, float16, bfloat16, float64, int8, uint8, int16, uint16, "
    "int32, uint32, int64, uint64, and quantised int8, uint8, int16, uint16, int32";

/// A dense float32 tensor.
struct FloatTensor {
  FloatTensor(const TensorShape& tensor_shape, std::vector<float> elements)
      : shape(tensor_shape), data(std::move(elements)) {}
  /// Zeros.
  explicit FloatTensor(const TensorShape& tensor_shape)
      : shape(tensor_shape), data(static_cast<std::size_t>(tensor_shape.GetNumElements())) {}

  TensorInfo GetInfo() const { return TensorInfo(shape, DataType::kFloat32); }

  TensorShape shape;
  std::vector<float> data;
};

/// Seeded numbers and tensors.
class Random {
 public:
  explicit Random(std::uint32_t seed) : generator_(seed) {}

  std::int64_t Integer(std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(generator_);
  }
  std::uint32_t Word(std::uint32_t least, std::uint32_t most) {
    return static_cast<std::uint32_t>(Integer(least, most));
  }
  FloatTensor Tensor(const TensorShape& shape) {
    FloatTensor tensor(shape);
    std::uniform_real_distribution<float> distribution(-2.0F, 2.0F);
    for (float& element : tensor.data) element = distribution(generator_);
    return tensor;
  }
  TensorShape Shape(std::uint32_t rank, std::int64_t least, std::int64_t most) {
    TensorShape shape;
    for (std::uint32_t axis = 0; axis < rank; ++axis) shape.Append(Integer(least, most));
    return shape;
  }

 private:
  std::mt19937 generator_;
};

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
      stride *= info.shape[axis];
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

/// Why a backend refuses the layer; empty when it is supported.
inline std::string GetRefusal(IBackendInternal& backend, const TestLayer& layer) {
  const std::vector<const TensorInfo*> inputs = GetPointers(layer.inputs);
  const std::vector<const TensorInfo*> outputs = GetPointers(layer.outputs);
  const std::vector<std::uint8_t> input_is_constant(inputs.size(), 0);
  LayerSupportQuery query;
  query.layer_type = layer.type;
  query.layer_name = "layer under test";
  query.descriptor = layer.GetDescriptor();
  query.inputs = inputs.data();
  query.outputs = outputs.data();
  query.num_inputs = static_cast<std::uint32_t>(inputs.size());
  query.num_outputs = static_cast<std::uint32_t>(outputs.size());
  query.input_is_constant = input_is_constant.data();
  const std::string untouched = "untouched";
  std::string reason = untouched;
  const bool is_supported =
      backend.GetLayerSupport(LayerSupportArgs())->IsLayerSupported(query, reason);
  EXPECT_EQ(is_supported, reason == untouched) << "a reason goes with a refusal, and only with it";
  EXPECT_FALSE(reason.empty());
  return is_supported ? "" : reason;
}

inline std::string GetRefusal(const TestLayer& layer) {
  return GetRefusal(*MakeBackend(), layer);
}

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
  return factory.CreateWorkload(args);
}

/// The same of CpuRef. The factory is gone, too, when there is no place to keep it.
inline std::unique_ptr<IWorkload> MakeWorkload(
    const TestLayer& layer, std::unique_ptr<IWorkloadFactory>* kept_factory = nullptr) {
  std::unique_ptr<IWorkloadFactory> factory =
      MakeBackend()->CreateWorkloadFactory(WorkloadFactoryArgs());
  std::unique_ptr<IWorkload> workload = MakeWorkload(*factory, layer);
  if (kept_factory != nullptr) *kept_factory = std::move(factory);
  return workload;
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

/// The handles of dense float32 tensors, which must outlive them.
class FloatHandles {
 public:
  explicit FloatHandles(std::vector<FloatTensor>& tensors) {
    for (FloatTensor& tensor : tensors) {
      handles_.push_back(std::make_unique<MemoryHandle>(tensor.GetInfo(), tensor.data.data()));
      pointers_.push_back(handles_.back().get());
    }
  }

  const std::vector<ITensorHandle*>& Get() const { return pointers_; }

 private:
  std::vector<std::unique_ptr<MemoryHandle>> handles_;
  std::vector<ITensorHandle*> pointers_;
};

/// Asks, makes and runs a float32 layer with one output; the result, or nothing after a failed
/// expectation. The output is filled with a number that no test expects before.
inline std::vector<float> RunLayer(LayerType type, const BaseDescriptor& descriptor,
                                   std::vector<FloatTensor> inputs, const TensorShape& output) {
  std::vector<FloatTensor> results = {FloatTensor(output)};
  results[0].data.assign(results[0].data.size(), 12345.0F);
  TestLayer layer(type, descriptor, {}, results[0].GetInfo());
  for (const FloatTensor& input : inputs) layer.inputs.push_back(input.GetInfo());
  const std::string refusal = GetRefusal(layer);
  EXPECT_EQ(refusal, "");
  if (!refusal.empty()) return {};
  const FloatHandles input_handles(inputs);
  const FloatHandles output_handles(results);
  std::unique_ptr<IWorkloadFactory> factory;
  const std::unique_ptr<IWorkload> workload = MakeWorkload(layer, &factory);
  const std::unique_ptr<IExecutionState> state = factory->CreateExecutionState();
  EXPECT_EQ(Execute(*workload, input_handles.Get(), output_handles.Get(), state.get()),
            Status::kSuccess);
  return std::move(results[0].data);
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

}  // namespace cpuref_test
}  // namespace backplane
