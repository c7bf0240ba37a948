#include "values/elements.hpp"

#include "tensors/aligned_memory.hpp"

#include <backplane/reference/kernel.hpp>

#include <new>

namespace backplane::onnx {
namespace {

template <typename Number>
constexpr DataType kTypeOf = DataType::kFloat64;
template <>
constexpr DataType kTypeOf<std::int64_t> = DataType::kInt64;
template <>
constexpr DataType kTypeOf<std::uint64_t> = DataType::kUInt64;

void RunCast(const Value& from, const TensorInfo& info, void* to) {
  CastDescriptor descriptor;
  descriptor.to = info.data_type;
  const TensorInfo plain = {from.info.shape, from.info.data_type};
  const TensorInfo* const infos[] = {&plain, &info};
  reference::Layer layer;
  layer.type = LayerType::kCast;
  layer.descriptor = &descriptor;
  layer.inputs = &infos[0];
  layer.outputs = &infos[1];
  layer.num_inputs = layer.num_outputs = 1;
  reference::PlainMemory memory;
  memory.inputs = {from.data.get()};
  memory.outputs = {to};
  reference::MakeKernel(layer)->Run(reference::RunTensors(memory, 1, nullptr));
}

}  // namespace

Value CastConstant(const Value& constant, DataType to) {
  if (constant.info.data_type == to) return constant;
  const TensorInfo info = {constant.info.shape, to};
  const auto bytes = AllocateAligned(info.GetSizeBytes());
  if (bytes == nullptr) throw std::bad_alloc();
  if (info.GetSizeBytes() != 0) RunCast(constant, info, bytes.get());
  return MakeConstant(info, bytes);
}

template <typename Number>
std::vector<Number> ReadElements(const Value& constant) {
  const auto count = static_cast<std::size_t>(constant.info.shape.GetNumElements());
  const Value numbers = CastConstant(constant, kTypeOf<Number>);
  const auto* const first = static_cast<const Number*>(numbers.data.get());
  return count == 0 ? std::vector<Number>() : std::vector<Number>(first, first + count);
}

template <typename Number>
Value MakeElements(const TensorInfo& info, const std::vector<Number>& numbers) {
  const TensorInfo given = {info.shape, kTypeOf<Number>};
  return CastConstant(MakeConstant(given, static_cast<const void*>(numbers.data())),
                      info.data_type);
}

template std::vector<double> ReadElements(const Value& constant);
template std::vector<std::int64_t> ReadElements(const Value& constant);
template std::vector<std::uint64_t> ReadElements(const Value& constant);
template Value MakeElements(const TensorInfo& info, const std::vector<double>& numbers);
template Value MakeElements(const TensorInfo& info, const std::vector<std::int64_t>& numbers);

}  // namespace backplane::onnx
