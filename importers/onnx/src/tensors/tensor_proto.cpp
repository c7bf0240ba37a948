#include "tensors/tensor_proto.hpp"

#include "diagnostics/throw_diagnostic.hpp"
#include "tensors/data_types.hpp"
#include "tensors/shape.hpp"

#include <backplane/api/narrow_types.hpp>

#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "raw data of ONNX is little-endian");

namespace backplane::onnx {
namespace {

using ::onnx::TensorProto;

// Elements of fewer bits than a byte lie in one with others, the first in the lowest bits.
bool IsPacked(DataType type) {
  return type != DataType::kUndefined && GetDataTypeSizeBits(type) < 8;
}

std::uint64_t CountPackedBytes(const TensorInfo& info) {
  const auto count = static_cast<std::uint64_t>(info.shape.GetNumElements());
  const std::uint64_t in_byte = 8 / GetDataTypeSizeBits(info.data_type);
  return count / in_byte + (count % in_byte != 0 ? 1 : 0);
}

// A value of the typed field is such a byte.
template <typename Bytes>
void Unpack(const Bytes& packed, NamedTensor& tensor) {
  const DataType type = tensor.info.data_type;
  const std::uint32_t size_bits = GetDataTypeSizeBits(type);
  tensor.data.reserve(tensor.info.GetSizeBytes());
  for (const auto value : packed) {
    const auto byte = static_cast<std::uint8_t>(value);
    for (std::uint32_t bit = 0; bit < 8 && tensor.data.size() < tensor.info.GetSizeBytes();
         bit += size_bits) {
      const auto bits = static_cast<std::uint8_t>(byte >> bit & ((1U << size_bits) - 1));
      tensor.data.push_back(IsNarrowInteger(type) ? EncodeNarrowInteger(type, bits) : bits);
    }
  }
}

std::string Pack(const NamedTensor& tensor) {
  const std::uint32_t size_bits = GetDataTypeSizeBits(tensor.info.data_type);
  std::string packed(CountPackedBytes(tensor.info), '\0');
  for (std::size_t i = 0; i < tensor.data.size(); ++i) {
    const std::size_t bit = i * size_bits;
    const unsigned bits = tensor.data[i] & ((1U << size_bits) - 1);
    packed[bit / 8] =
        static_cast<char>(static_cast<unsigned char>(packed[bit / 8]) | bits << bit % 8);
  }
  return packed;
}

void CheckCount(std::uint64_t found, std::uint64_t expected, const char* unit,
                const TensorInfo& info, const TensorOrigin& origin) {
  if (found == expected) return;
  RefuseTensor(origin, "it has " + std::to_string(found) + " " + unit + " of data; " +
                           ToText(info.shape) + " " + GetDataTypeName(info.data_type) + " needs " +
                           std::to_string(expected));
}

// Copies the values of a typed field, each converted to Element. Sixteen-bit floats stand as their
// bits.
template <typename Element, typename Field>
void CopyField(const Field& field, NamedTensor& tensor, const TensorOrigin& origin) {
  tensor.data.resize(static_cast<std::size_t>(field.size()) * sizeof(Element));
  unsigned char* target = tensor.data.data();
  for (const auto value : field) {
    const auto element = static_cast<Element>(value);
    if constexpr (std::is_integral_v<Element>) {
      if (static_cast<std::decay_t<decltype(value)>>(element) != value) {
        RefuseTensor(origin, "it has the value " + std::to_string(value) + ", which " +
                                 GetDataTypeName(tensor.info.data_type) + " cannot hold");
      }
    }
    std::memcpy(target, &element, sizeof(element));
    target += sizeof(element);
  }
}

void CopyPackedField(const TensorProto& proto, NamedTensor& tensor, const TensorOrigin& origin) {
  for (const std::int32_t value : proto.int32_data()) {
    if (value >= 0 && value <= std::numeric_limits<std::uint8_t>::max()) continue;
    RefuseTensor(origin, "it has the value " + std::to_string(value) + "; a byte of packed " +
                             GetDataTypeName(tensor.info.data_type) + " is expected");
  }
  Unpack(proto.int32_data(), tensor);
}

void CopyTypedData(const TensorProto& proto, NamedTensor& tensor, const TensorOrigin& origin) {
  switch (tensor.info.data_type) {
    case DataType::kFloat32:
      return CopyField<float>(proto.float_data(), tensor, origin);
    case DataType::kFloat64:
      return CopyField<double>(proto.double_data(), tensor, origin);
    case DataType::kInt8:
      return CopyField<std::int8_t>(proto.int32_data(), tensor, origin);
    case DataType::kUInt8:
    case DataType::kFloat8E4M3FN:
    case DataType::kFloat8E4M3FNUZ:
    case DataType::kFloat8E5M2:
    case DataType::kFloat8E5M2FNUZ:
    case DataType::kFloat8E8M0FNU:
      return CopyField<std::uint8_t>(proto.int32_data(), tensor, origin);
    case DataType::kInt16:
      return CopyField<std::int16_t>(proto.int32_data(), tensor, origin);
    case DataType::kUInt16:
    case DataType::kFloat16:
    case DataType::kBFloat16:
      return CopyField<std::uint16_t>(proto.int32_data(), tensor, origin);
    case DataType::kInt32:
      return CopyField<std::int32_t>(proto.int32_data(), tensor, origin);
    case DataType::kUInt32:
      return CopyField<std::uint32_t>(proto.uint64_data(), tensor, origin);
    case DataType::kInt64:
      return CopyField<std::int64_t>(proto.int64_data(), tensor, origin);
    case DataType::kUInt64:
      return CopyField<std::uint64_t>(proto.uint64_data(), tensor, origin);
    case DataType::kBool:
      return CopyField<bool>(proto.int32_data(), tensor, origin);
    case DataType::kFloat4E2M1FN:
    case DataType::kInt4:
    case DataType::kUInt4:
    case DataType::kInt2:
    case DataType::kUInt2:
      return CopyPackedField(proto, tensor, origin);
    case DataType::kUndefined:
      break;
  }
}

// Calls `visit` with the typed field that has the values of a type.
template <typename Visit>
auto VisitField(const TensorProto& proto, DataType type, const Visit& visit) {
  switch (type) {
    case DataType::kFloat32:
      return visit(proto.float_data());
    case DataType::kFloat64:
      return visit(proto.double_data());
    case DataType::kInt64:
      return visit(proto.int64_data());
    case DataType::kUInt32:
    case DataType::kUInt64:
      return visit(proto.uint64_data());
    default:
      return visit(proto.int32_data());
  }
}

// Null: the values of the field are wider than the elements.
const void* FindFieldInPlace(const TensorProto& proto, DataType type) {
  return VisitField(proto, type, [type](const auto& field) -> const void* {
    return sizeof(*field.data()) == GetDataTypeSizeBytes(type) ? field.data() : nullptr;
  });
}

void RefuseExternalData(const TensorProto& proto, const TensorOrigin& origin) {
  if (proto.data_location() == TensorProto::EXTERNAL || proto.external_data_size() > 0) {
    RefuseTensor(origin, "its data lies in another file, which is not supported",
                 "save the model with all data in one file");
  }
  if (proto.has_segment()) RefuseTensor(origin, "it is only a segment of a tensor");
}

}  // namespace

void RefuseTensor(const TensorOrigin& origin, const std::string& why, const std::string& fix) {
  ThrowError(origin.code, origin.subject, origin.name + " cannot be read", why, fix);
}

TensorShape CheckDims(const std::vector<std::int64_t>& dims, DataType type,
                      const TensorOrigin& origin) {
  const auto shape = MakeShape(dims);
  if (!shape) {
    RefuseTensor(origin,
                 "it has " + std::to_string(dims.size()) + " dimensions; at most " +
                     std::to_string(kMaxRank) + " are supported",
                 "reshape it");
  }
  if (!ComputeSizeBytes(dims, type)) {
    RefuseTensor(origin, "the shape " + ToText(*shape) +
                             " has a negative dimension or more bytes than 2^63");
  }
  return *shape;
}

TensorInfo DecodeInfo(const TensorProto& proto, const TensorOrigin& origin) {
  const DataType type = FromOnnxType(proto.data_type());
  if (type == DataType::kUndefined) {
    RefuseTensor(origin,
                 "its elements are " + GetOnnxTypeName(proto.data_type()) +
                     "; supported are numbers and bool",
                 "convert it to one of those");
  }
  return {CheckDims({proto.dims().begin(), proto.dims().end()}, type, origin), type};
}

TensorInfo CheckTensor(const TensorProto& proto, const TensorOrigin& origin) {
  RefuseExternalData(proto, origin);
  const TensorInfo info = DecodeInfo(proto, origin);
  if (proto.has_raw_data()) {
    CheckCount(proto.raw_data().size(), GetStoredBytes(info), "bytes", info, origin);
    CheckBools(info, proto.raw_data().data(), origin);
  } else {
    const int count =
        VisitField(proto, info.data_type, [](const auto& field) { return field.size(); });
    CheckCount(static_cast<std::uint64_t>(count),
               IsPacked(info.data_type) ? CountPackedBytes(info)
                                        : static_cast<std::uint64_t>(info.shape.GetNumElements()),
               "values", info, origin);
  }
  return info;
}

std::uint64_t GetStoredBytes(const TensorInfo& info) {
  return IsPacked(info.data_type) ? CountPackedBytes(info) : info.GetSizeBytes();
}

const void* FindDataInPlace(const TensorProto& proto, const TensorInfo& info) {
  if (IsPacked(info.data_type)) return nullptr;
  const void* data =
      proto.has_raw_data() ? proto.raw_data().data() : FindFieldInPlace(proto, info.data_type);
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  return address % GetDataTypeSizeBytes(info.data_type) == 0 ? data : nullptr;
}

// Any byte but 0 and 1 in a bool would be undefined behaviour in every kernel that reads it.
void CheckBools(const TensorInfo& info, const void* data, const TensorOrigin& origin) {
  if (info.data_type != DataType::kBool) return;
  const auto* bytes = static_cast<const unsigned char*>(data);
  for (std::uint64_t i = 0; i < info.GetSizeBytes(); ++i) {
    if (bytes[i] > 1) {
      RefuseTensor(origin, "it has the byte " + std::to_string(bytes[i]) + "; a bool is 0 or 1");
    }
  }
}

NamedTensor DecodeTensor(const TensorProto& proto, const TensorOrigin& origin) {
  NamedTensor tensor;
  tensor.name = proto.name();
  tensor.info = CheckTensor(proto, origin);
  if (proto.has_raw_data()) {
    SetStoredData(proto.raw_data().data(), tensor);
  } else {
    CopyTypedData(proto, tensor, origin);
  }
  return tensor;
}

void SetStoredData(const void* data, NamedTensor& tensor) {
  const std::string_view stored(static_cast<const char*>(data), GetStoredBytes(tensor.info));
  if (IsPacked(tensor.info.data_type)) return Unpack(stored, tensor);
  tensor.data.assign(stored.begin(), stored.end());
}

TensorProto EncodeTensor(const NamedTensor& tensor) {
  TensorProto proto;
  proto.set_name(tensor.name);
  proto.set_data_type(ToOnnxType(tensor.info.data_type));
  for (std::uint32_t axis = 0; axis < tensor.info.shape.rank; ++axis) {
    proto.add_dims(tensor.info.shape[axis]);
  }
  if (IsPacked(tensor.info.data_type)) {
    proto.set_raw_data(Pack(tensor));
  } else {
    proto.set_raw_data(tensor.data.data(), tensor.data.size());
  }
  return proto;
}

}  // namespace backplane::onnx
