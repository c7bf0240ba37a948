#include "tensors/tensor_proto.hpp"

#include "diagnostics/throw_diagnostic.hpp"
#include "tensors/data_types.hpp"
#include "tensors/shape.hpp"

#include <cstring>
#include <limits>
#include <type_traits>

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "raw data of ONNX is little-endian");

namespace backplane::onnx {
namespace {

using ::onnx::TensorProto;

[[noreturn]] void Refuse(const TensorOrigin& origin, const std::string& why,
                         const std::string& fix) {
  ThrowError(origin.code, origin.subject, origin.name + " cannot be read", why, fix);
}

[[noreturn]] void RefuseDamaged(const TensorOrigin& origin, const std::string& why) {
  Refuse(origin, why, "export it again");
}

TensorInfo DecodeInfo(const TensorProto& proto, const TensorOrigin& origin) {
  const DataType type = FromOnnxType(proto.data_type());
  if (type == DataType::kUndefined) {
    Refuse(origin,
           "its elements are " + GetOnnxTypeName(proto.data_type()) +
               "; supported are numbers and bool",
           "convert it to one of those");
  }
  const std::vector<std::int64_t> dims(proto.dims().begin(), proto.dims().end());
  const auto shape = MakeShape(dims);
  if (!shape) {
    Refuse(origin,
           "it has " + std::to_string(dims.size()) + " dimensions; at most " +
               std::to_string(kMaxRank) + " are supported",
           "reshape it");
  }
  if (!ComputeSizeBytes(dims, type)) {
    RefuseDamaged(origin, "the shape " + ToText(*shape) +
                              " has a negative dimension or more bytes than 2^63");
  }
  return {*shape, type};
}

void CheckCount(std::uint64_t found, std::uint64_t expected, const char* unit,
                const TensorInfo& info, const TensorOrigin& origin) {
  if (found == expected) return;
  RefuseDamaged(origin, "it has " + std::to_string(found) + " " + unit + " of data; " +
                            ToText(info.shape) + " " + GetDataTypeName(info.data_type) + " needs " +
                            std::to_string(expected));
}

// Copies the values of a typed field, each converted to Element. Sixteen-bit floats stand as their
// bits.
template <typename Element, typename Field>
void CopyField(const Field& field, NamedTensor& tensor, const TensorOrigin& origin) {
  const auto count = static_cast<std::uint64_t>(tensor.info.shape.GetNumElements());
  CheckCount(static_cast<std::uint64_t>(field.size()), count, "values", tensor.info, origin);
  tensor.data.resize(count * sizeof(Element));
  unsigned char* target = tensor.data.data();
  for (const auto value : field) {
    const auto element = static_cast<Element>(value);
    if constexpr (std::is_integral_v<Element>) {
      if (static_cast<std::decay_t<decltype(value)>>(element) != value) {
        RefuseDamaged(origin, "it has the value " + std::to_string(value) + ", which " +
                                  GetDataTypeName(tensor.info.data_type) + " cannot hold");
      }
    }
    std::memcpy(target, &element, sizeof(element));
    target += sizeof(element);
  }
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
    case DataType::kUndefined:
      break;
  }
}

// Any byte but 0 and 1 in a bool would be undefined behaviour in every kernel that reads it.
void CheckBools(const NamedTensor& tensor, const TensorOrigin& origin) {
  if (tensor.info.data_type != DataType::kBool) return;
  for (const unsigned char byte : tensor.data) {
    if (byte > 1) {
      RefuseDamaged(origin, "it has the byte " + std::to_string(byte) + "; a bool is 0 or 1");
    }
  }
}

}  // namespace

void RefuseExternalData(const TensorProto& proto, const TensorOrigin& origin) {
  if (proto.data_location() == TensorProto::EXTERNAL || proto.external_data_size() > 0) {
    Refuse(origin, "its data lies in another file, which is not supported",
           "save the model with all data in one file");
  }
  if (proto.has_segment()) RefuseDamaged(origin, "it is only a segment of a tensor");
}

NamedTensor DecodeTensor(const TensorProto& proto, const TensorOrigin& origin) {
  RefuseExternalData(proto, origin);
  NamedTensor tensor;
  tensor.name = proto.name();
  tensor.info = DecodeInfo(proto, origin);
  if (proto.has_raw_data()) {
    const std::string& raw = proto.raw_data();
    CheckCount(raw.size(), tensor.info.GetSizeBytes(), "bytes", tensor.info, origin);
    tensor.data.assign(raw.begin(), raw.end());
  } else {
    CopyTypedData(proto, tensor, origin);
  }
  CheckBools(tensor, origin);
  return tensor;
}

TensorProto EncodeTensor(const NamedTensor& tensor) {
  TensorProto proto;
  proto.set_name(tensor.name);
  proto.set_data_type(ToOnnxType(tensor.info.data_type));
  for (std::uint32_t axis = 0; axis < tensor.info.shape.rank; ++axis) {
    proto.add_dims(tensor.info.shape[axis]);
  }
  proto.set_raw_data(tensor.data.data(), tensor.data.size());
  return proto;
}

}  // namespace backplane::onnx
