#include "arrays/npy_file.hpp"

#include "arrays/npy_header.hpp"
#include "files/data_file.hpp"
#include "tensors/shape_text.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "arrays are written as they lie");

namespace backplane::execute_network {
namespace {

using Bytes = std::vector<unsigned char>;

void SwapBytes(Bytes& data, std::size_t element_size) {
  for (auto element = data.begin(); element != data.end();) {
    const auto end = element + static_cast<std::ptrdiff_t>(element_size);
    std::reverse(element, end);
    element = end;
  }
}

/// Goes through an array in C order, and knows where each element lies in Fortran order.
class FortranOffset {
 public:
  explicit FortranOffset(const TensorShape& shape) : shape_(shape) {
    std::int64_t stride = 1;
    for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
      strides_[axis] = stride;
      stride *= shape[axis];
    }
  }

  std::size_t Get() const { return static_cast<std::size_t>(offset_); }

  void Advance() {
    for (std::uint32_t axis = shape_.rank; axis-- > 0;) {
      offset_ += strides_[axis];
      if (++index_[axis] < shape_[axis]) return;
      offset_ -= index_[axis] * strides_[axis];
      index_[axis] = 0;
    }
  }

 private:
  const TensorShape& shape_;
  std::int64_t strides_[kMaxRank] = {};
  std::int64_t index_[kMaxRank] = {};
  std::int64_t offset_ = 0;
};

Bytes FromFortranOrder(const Bytes& data, const TensorInfo& info) {
  Bytes ordered(data.size());
  const std::size_t element_size = GetDataTypeSizeBytes(info.data_type);
  FortranOffset source(info.shape);
  for (std::size_t target = 0; target < data.size(); target += element_size) {
    std::memcpy(&ordered[target], &data[source.Get() * element_size], element_size);
    source.Advance();
  }
  return ordered;
}

// Any byte but 0 and 1 in a bool would be undefined behaviour in every kernel that reads it.
void CheckBools(const onnx::NamedTensor& tensor, const std::string& path) {
  if (tensor.info.data_type != DataType::kBool) return;
  for (const unsigned char byte : tensor.data) {
    if (byte > 1) {
      ThrowUnreadable(path, "it has the byte " + std::to_string(byte) + "; a bool is 0 or 1",
                      "write it again");
    }
  }
}

}  // namespace

onnx::NamedTensor ParseNpy(std::string_view bytes, const std::string& path) {
  const NpyHeader header = ParseNpyHeader(bytes, path);
  const std::string_view data = bytes.substr(header.data_offset);
  if (data.size() != header.info.GetSizeBytes()) {
    ThrowUnreadable(path,
                    "it has " + std::to_string(data.size()) + " bytes of data; " +
                        ToText(header.info.shape) + " " + GetDataTypeName(header.info.data_type) +
                        " needs " + std::to_string(header.info.GetSizeBytes()),
                    "copy it again, or write it with numpy.save");
  }
  onnx::NamedTensor tensor{"", header.info, {data.begin(), data.end()}};
  if (header.byte_order == ByteOrder::kBig) {
    SwapBytes(tensor.data, GetDataTypeSizeBytes(header.info.data_type));
  }
  if (header.array_order == ArrayOrder::kFortran) {
    tensor.data = FromFortranOrder(tensor.data, header.info);
  }
  CheckBools(tensor, path);
  return tensor;
}

std::string MakeNpy(const onnx::NamedTensor& tensor) {
  return MakeNpyHeader(tensor.info).append(tensor.data.begin(), tensor.data.end());
}

}  // namespace backplane::execute_network
