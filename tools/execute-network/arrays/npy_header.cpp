#include "arrays/npy_header.hpp"

#include "arrays/header_text.hpp"
#include "files/data_file.hpp"

#include <backplane/api/narrow_types.hpp>
#include <backplane/host/diagnostic.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace backplane::execute_network {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr std::size_t kLengthOffset = 8;  // behind the magic and two bytes of version

/// Where the text of the header stands in a file.
struct TextRange {
  std::size_t offset = 0;
  std::size_t size = 0;
};

// The first number of the version: 1, 2 or 3.
unsigned ReadVersion(std::string_view bytes, const std::string& path) {
  const std::string fix = "write it with numpy.save";
  if (bytes.substr(0, kMagic.size()) != kMagic) {
    ThrowUnreadable(path, "it is no NumPy array: it does not begin with \\x93NUMPY", fix);
  }
  if (bytes.size() < kLengthOffset) ThrowUnreadable(path, "it ends in its header", fix);
  const unsigned major = std::uint8_t(bytes[6]);
  const unsigned minor = std::uint8_t(bytes[7]);
  if (major >= 1 && major <= 3 && minor == 0) return major;
  ThrowUnreadable(path,
                  "its format is version " + std::to_string(major) + "." + std::to_string(minor) +
                      "; versions 1.0, 2.0 and 3.0 are known",
                  fix);
}

// The length has 2 bytes in version 1, and 4 in the others.
TextRange FindText(std::string_view bytes, const std::string& path) {
  const std::size_t length_size = ReadVersion(bytes, path) == 1 ? 2 : 4;
  const std::size_t text_offset = kLengthOffset + length_size;
  if (bytes.size() < text_offset) ThrowUnreadable(path, "it ends in its header", "copy it again");
  std::size_t text_size = 0;
  for (std::size_t i = length_size; i-- > 0;) {
    text_size = text_size * 256 + std::uint8_t(bytes[kLengthOffset + i]);
  }
  const std::size_t rest = bytes.size() - text_offset;
  if (text_size <= rest) return {text_offset, text_size};
  ThrowUnreadable(path,
                  "its header is to have " + std::to_string(text_size) +
                      " bytes, but the file ends after " + std::to_string(rest),
                  "copy it again");
}

TensorShape MakeShape(const std::vector<std::int64_t>& dims, const std::string& path) {
  if (dims.size() > kMaxRank) {
    ThrowUnreadable(path,
                    "it has " + std::to_string(dims.size()) + " dimensions; at most " +
                        std::to_string(kMaxRank) + " are supported",
                    "reshape it");
  }
  TensorShape shape;
  for (const std::int64_t dim : dims) shape.Append(dim);
  return shape;
}

// Also with dimensions of zero the others must multiply without overflow.
void CheckSize(const TensorInfo& info, const std::string& path) {
  std::int64_t size_bytes = GetDataTypeSizeBytes(info.data_type);
  for (std::uint32_t axis = 0; axis < info.shape.rank; ++axis) {
    const std::int64_t extent = std::max<std::int64_t>(info.shape[axis], 1);
    if (extent > std::numeric_limits<std::int64_t>::max() / size_bytes) {
      ThrowUnreadable(path, "its shape needs more than 2^63 bytes", "write it again");
    }
    size_bytes *= extent;
  }
}

struct NpyDataType {
  DataType data_type = DataType::kUndefined;
  ByteOrder byte_order = ByteOrder::kLittle;
};

struct DataTypeRow {
  DataType type;
  const char* text;  // without the byte order
};

constexpr DataTypeRow kDataTypeRows[] = {
    {DataType::kFloat32, "f4"}, {DataType::kFloat16, "f2"}, {DataType::kBFloat16, "V2"},
    {DataType::kFloat64, "f8"}, {DataType::kInt8, "i1"},    {DataType::kUInt8, "u1"},
    {DataType::kInt16, "i2"},   {DataType::kUInt16, "u2"},  {DataType::kInt32, "i4"},
    {DataType::kUInt32, "u4"},  {DataType::kInt64, "i8"},   {DataType::kUInt64, "u8"},
    {DataType::kBool, "b1"},
};

bool HasByteOrder(const DataTypeRow& row) {
  return row.text[0] != 'V' && row.text[1] != '1';
}

/// What a text such as "<f4" stands for. "V2", two bytes of no stated kind, is bfloat16: NumPy has
/// no name for it, and packages that add one write it so.
/// Errors: DiagnosticException with kTensorFileUnreadable for what Backplane lacks.
NpyDataType ReadNpyDataType(const std::string& text, const std::string& path) {
  const char order = text.empty() ? '\0' : text.front();
  const bool is_order = order == '<' || order == '>' || order == '|' || order == '=';
  for (const DataTypeRow& row : kDataTypeRows) {
    if (!is_order || text.substr(1) != row.text) continue;
    if (!HasByteOrder(row)) return {row.type, ByteOrder::kLittle};
    if (order == '|') break;
    return {row.type, order == '>' ? ByteOrder::kBig : ByteOrder::kLittle};
  }
  ThrowUnreadable(path,
                  "its elements are \"" + EscapeForDisplay(text.substr(0, 16)) +
                      "\"; supported are f2, f4, f8, i1 to i8, u1 to u8, b1, and V2 for bfloat16, "
                      "each behind < or >, or | where the order of bytes does not matter",
                  "convert it with astype before it is saved");
}

/// The text for little-endian data. `type` must not be kUndefined. NumPy knows narrow
/// types as bytes only.
std::string GetNpyDataType(DataType type) {
  if (IsNarrowType(type)) return "|V1";
  for (const DataTypeRow& row : kDataTypeRows) {
    if (row.type == type) return (HasByteOrder(row) ? "<" : "|") + std::string(row.text);
  }
  return "";
}

/// The entries of the dictionary, in any order.
class Entries {
 public:
  Entries(HeaderText& text, const std::string& path) : text_(text), path_(path) {}

  /// Up to the end of the text.
  void ReadAll(NpyHeader& header) {
    text_.Expect('{');
    while (!text_.Take('}')) {
      ReadOne(header);
      if (text_.Take(',')) continue;
      text_.Expect('}');
      break;
    }
    text_.ExpectEnd();
    if (has_type_ && has_order_ && has_shape_) return;
    ThrowUnreadable(path_, "its header lacks one of the keys descr, fortran_order and shape",
                    "write it with numpy.save");
  }

 private:
  void ReadOne(NpyHeader& header) {
    const std::string key = text_.ReadString();
    text_.Expect(':');
    if (key == "descr" && !std::exchange(has_type_, true)) {
      const NpyDataType type = ReadNpyDataType(text_.ReadDataType(), path_);
      header.info.data_type = type.data_type;
      header.byte_order = type.byte_order;
    } else if (key == "fortran_order" && !std::exchange(has_order_, true)) {
      header.array_order = text_.ReadBool() ? ArrayOrder::kFortran : ArrayOrder::kC;
    } else if (key == "shape" && !std::exchange(has_shape_, true)) {
      header.info.shape = MakeShape(text_.ReadTuple(), path_);
    } else {
      text_.Refuse("the key \"" + EscapeForDisplay(key) + "\"",
                   "each of descr, fortran_order and shape once");
    }
  }

  HeaderText& text_;
  const std::string& path_;
  bool has_type_ = false;
  bool has_order_ = false;
  bool has_shape_ = false;
};

}  // namespace

NpyHeader ParseNpyHeader(std::string_view bytes, const std::string& path) {
  const TextRange range = FindText(bytes, path);
  HeaderText text(bytes.substr(range.offset, range.size), path);
  NpyHeader header;
  header.data_offset = range.offset + range.size;
  Entries(text, path).ReadAll(header);
  CheckSize(header.info, path);
  return header;
}

std::string MakeNpyHeader(const TensorInfo& info) {
  std::string shape;
  for (std::uint32_t axis = 0; axis < info.shape.rank; ++axis) {
    shape += std::to_string(info.shape[axis]) + (info.shape.rank == 1 ? "," : "");
    if (axis + 1 < info.shape.rank) shape += ", ";
  }
  std::string text = "{'descr': '" + GetNpyDataType(info.data_type) +
                     "', 'fortran_order': False, 'shape': (" + shape + "), }";
  constexpr std::size_t kAlignment = 64;
  const std::size_t text_offset = kLengthOffset + 2;
  while ((text_offset + text.size() + 1) % kAlignment != 0) text += ' ';
  text += '\n';
  const std::string length = {static_cast<char>(text.size() % 256),
                              static_cast<char>(text.size() / 256)};
  return std::string(kMagic) + std::string("\x01\x00", 2) + length + text;
}

}  // namespace backplane::execute_network
