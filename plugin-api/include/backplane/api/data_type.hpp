#pragma once

/// The element types of tensors.

#include <cstdint>

namespace backplane {

enum class DataType : std::uint32_t {
  kUndefined = 0,
#define BACKPLANE_DATA_TYPE(name, number, size, text, major, minor) k##name = number,
#include <backplane/api/data_types.def>
#undef BACKPLANE_DATA_TYPE
};

/// Bytes of one element; 0 for a type that these headers do not know.
constexpr std::uint32_t GetDataTypeSizeBytes(DataType type) {
  switch (type) {
    case DataType::kUndefined:
      return 0;
#define BACKPLANE_DATA_TYPE(name, number, size, text, major, minor) \
  case DataType::k##name:                                           \
    return size;
#include <backplane/api/data_types.def>
#undef BACKPLANE_DATA_TYPE
  }
  return 0;
}

/// The name of a type as users write it, for example "float32". Static storage.
constexpr const char* GetDataTypeName(DataType type) {
  switch (type) {
    case DataType::kUndefined:
      return "undefined";
#define BACKPLANE_DATA_TYPE(name, number, size, text, major, minor) \
  case DataType::k##name:                                           \
    return text;
#include <backplane/api/data_types.def>
#undef BACKPLANE_DATA_TYPE
  }
  return "unknown data type";
}

}  // namespace backplane
