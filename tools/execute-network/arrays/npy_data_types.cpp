#include "arrays/npy_data_types.hpp"

#include "files/data_file.hpp"

#include <backplane/api/narrow_types.hpp>
#include <backplane/host/diagnostic.hpp>

namespace backplane::execute_network {
namespace {

struct Row {
  DataType type;
  const char* text;  // without the byte order
};

constexpr Row kRows[] = {
    {DataType::kFloat32, "f4"}, {DataType::kFloat16, "f2"}, {DataType::kBFloat16, "V2"},
    {DataType::kFloat64, "f8"}, {DataType::kInt8, "i1"},    {DataType::kUInt8, "u1"},
    {DataType::kInt16, "i2"},   {DataType::kUInt16, "u2"},  {DataType::kInt32, "i4"},
    {DataType::kUInt32, "u4"},  {DataType::kInt64, "i8"},   {DataType::kUInt64, "u8"},
    {DataType::kBool, "b1"},
};

bool HasByteOrder(const Row& row) {
  return row.text[0] != 'V' && row.text[1] != '1';
}

}  // namespace

NpyDataType ReadNpyDataType(const std::string& text, const std::string& path) {
  const char order = text.empty() ? '\0' : text.front();
  const bool is_order = order == '<' || order == '>' || order == '|' || order == '=';
  for (const Row& row : kRows) {
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

// NumPy knows narrow types as bytes only.
std::string GetNpyDataType(DataType type) {
  if (IsNarrowType(type)) return "|V1";
  for (const Row& row : kRows) {
    if (row.type == type) return (HasByteOrder(row) ? "<" : "|") + std::string(row.text);
  }
  return "";
}

}  // namespace backplane::execute_network
