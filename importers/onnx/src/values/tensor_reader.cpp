#include "values/tensor_reader.hpp"

#include "diagnostics/throw_diagnostic.hpp"
#include "tensors/shape.hpp"

#include <charconv>
#include <cstring>
#include <stdexcept>

namespace backplane::onnx {
namespace {

using ::onnx::TensorProto;

bool IsExternal(const TensorProto& proto) {
  return proto.data_location() == TensorProto::EXTERNAL;
}

std::uint64_t ParseNumber(const std::string& key, const std::string& text,
                          const TensorOrigin& origin) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) {
    RefuseTensor(origin, "its " + key + " is '" + text + "'; a number of bytes is expected");
  }
  return number;
}

ExternalPlace ReadPlace(const TensorProto& proto, const TensorOrigin& origin) {
  ExternalPlace place;
  for (const auto& entry : proto.external_data()) {
    if (entry.key() == "location") place.location = entry.value();
    if (entry.key() == "offset") place.offset = ParseNumber("offset", entry.value(), origin);
    if (entry.key() == "length") place.length = ParseNumber("length", entry.value(), origin);
  }
  return place;
}

// The position of each value in the dense tensor: indices are given flat, or one for each axis.
std::vector<std::int64_t> ReadPositions(const Value& indices, std::int64_t count,
                                        const TensorShape& shape, const TensorOrigin& origin) {
  const TensorShape flat = {count};
  const TensorShape by_axis = {count, static_cast<std::int64_t>(shape.rank)};
  const TensorShape& found = indices.info.shape;
  if (indices.info.data_type != DataType::kInt64 || (found != flat && found != by_axis)) {
    RefuseTensor(origin, "its indices are " + ToText(found) + " " +
                             GetDataTypeName(indices.info.data_type) + "; " + ToText(flat) +
                             " or " + ToText(by_axis) + " int64 is expected");
  }
  const auto* source = static_cast<const std::int64_t*>(indices.data.get());
  const std::int64_t num_elements = shape.GetNumElements();
  std::vector<std::int64_t> positions;
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t position = found == flat ? source[i] : 0;
    bool is_inside = position >= 0 && position < num_elements;
    for (std::uint32_t axis = 0; found != flat && axis < shape.rank; ++axis) {
      const std::int64_t index = source[i * shape.rank + axis];
      is_inside = is_inside && index >= 0 && index < shape[axis];
      position = is_inside ? position * shape[axis] + index : 0;
    }
    if (!is_inside) RefuseTensor(origin, "an index of it lies outside of " + ToText(shape));
    positions.push_back(position);
  }
  return positions;
}

}  // namespace

void TensorReader::TakeMemory(std::uint64_t size_bytes, const TensorOrigin& origin) {
  if (budget_.Take(size_bytes)) return;
  RefuseTensor(
      origin,
      "it needs " + std::to_string(size_bytes) + " bytes that the file does not hold; at most " +
          std::to_string(MemoryBudget::kMaxBytes) + " are taken for all such tensors together",
      "export the model with dense tensors");
}

Value TensorReader::Read(const TensorProto& proto, const TensorOrigin& origin,
                         const std::shared_ptr<const void>& owner) {
  if (IsExternal(proto)) return ReadExternal(proto, origin);
  const TensorInfo info = CheckTensor(proto, origin);
  const void* in_place = FindDataInPlace(proto, info);
  if (owner == nullptr) TakeMemory(info.GetSizeBytes(), origin);
  if (in_place != nullptr && owner != nullptr) {
    return MakeConstant(info, std::shared_ptr<const void>(owner, in_place));
  }
  Converted once;
  // Those in a function are read with each call.
  Converted& known = owner != nullptr ? converted_[&proto] : once;
  if (!known.tensor) {
    known = {owner, std::make_shared<const NamedTensor>(DecodeTensor(proto, origin))};
  }
  return MakeConstant(info, std::shared_ptr<const void>(known.tensor, known.tensor->data.data()));
}

Value TensorReader::ReadExternal(const TensorProto& proto, const TensorOrigin& origin) {
  const TensorInfo info = DecodeInfo(proto, origin);
  try {
    const auto data = external_.Read(ReadPlace(proto, origin), GetStoredBytes(info));
    CheckBools(info, data.get(), origin);
    if (GetStoredBytes(info) == info.GetSizeBytes()) return MakeConstant(info, data);
    const auto tensor = std::make_shared<NamedTensor>(NamedTensor{proto.name(), info, {}});
    SetStoredData(data.get(), *tensor);
    return MakeConstant(info, std::shared_ptr<const void>(tensor, tensor->data.data()));
  } catch (const std::runtime_error& error) {
    RefuseTensor(origin, error.what(),
                 "put the data of the model into its folder, and as it was exported");
  }
}

Value TensorReader::ReadSparse(const ::onnx::SparseTensorProto& proto, const TensorOrigin& origin) {
  const Value values = Read(proto.values(), origin, nullptr);
  const Value indices = Read(proto.indices(), origin, nullptr);
  const TensorInfo info = {
      CheckDims({proto.dims().begin(), proto.dims().end()}, values.info.data_type, origin),
      values.info.data_type};
  if (values.info.shape.rank != 1) {
    RefuseTensor(origin, "its values are " + ToText(values.info.shape) + "; a list is expected");
  }
  const std::int64_t count = values.info.shape[0];
  const auto positions = ReadPositions(indices, count, info.shape, origin);
  TakeMemory(info.GetSizeBytes(), origin);
  const auto dense = std::make_shared<std::vector<unsigned char>>(info.GetSizeBytes());
  const std::size_t element_bytes = GetDataTypeSizeBytes(info.data_type);
  const auto* source = static_cast<const unsigned char*>(values.data.get());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    std::memcpy(dense->data() + static_cast<std::size_t>(positions[i]) * element_bytes,
                source + i * element_bytes, element_bytes);
  }
  return MakeConstant(info, std::shared_ptr<const void>(dense, dense->data()));
}

}  // namespace backplane::onnx
