#pragma once

#include <backplane/api/data_type.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>

namespace backplane {

/// A set of data types, in which operators say what they accept.
class TypeSet {
 public:
  constexpr TypeSet() = default;
  constexpr TypeSet(std::initializer_list<DataType> types) {
    for (const DataType type : types) bits_ |= GetBit(type);
  }

  constexpr bool Has(DataType type) const { return (bits_ & GetBit(type)) != 0; }

  constexpr TypeSet operator|(TypeSet other) const {
    other.bits_ |= bits_;
    return other;
  }

 private:
  static constexpr std::uint64_t GetBit(DataType type) {
    const auto number = static_cast<std::uint32_t>(type);
    return number < 64 ? std::uint64_t{1} << number : 0;
  }

  std::uint64_t bits_ = 0;
};

constexpr TypeSet kFloatTypes = {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16,
                                 DataType::kFloat64};
constexpr TypeSet kIntegerTypes = {DataType::kInt8,   DataType::kUInt8, DataType::kInt16,
                                   DataType::kUInt16, DataType::kInt32, DataType::kUInt32,
                                   DataType::kInt64,  DataType::kUInt64};
constexpr TypeSet kNumberTypes = kFloatTypes | kIntegerTypes;
/// All that is calculated with, and compared.
constexpr TypeSet kAllTypes = kNumberTypes | TypeSet{DataType::kBool};

constexpr TypeSet kNarrowFloatTypes = {DataType::kFloat8E4M3FN,  DataType::kFloat8E4M3FNUZ,
                                       DataType::kFloat8E5M2,    DataType::kFloat8E5M2FNUZ,
                                       DataType::kFloat8E8M0FNU, DataType::kFloat4E2M1FN};
constexpr TypeSet kNarrowTypes = kNarrowFloatTypes | TypeSet{DataType::kInt4, DataType::kUInt4,
                                                             DataType::kInt2, DataType::kUInt2};
/// All that is moved, and cast.
constexpr TypeSet kStoredTypes = kAllTypes | kNarrowTypes;

/// The types of indices and lengths.
constexpr TypeSet kIndexTypes = {DataType::kInt32, DataType::kInt64};
constexpr TypeSet kBoolType = {DataType::kBool};
/// The operands of integer products.
constexpr TypeSet kByteTypes = {DataType::kInt8, DataType::kUInt8};

/// The types whose elements may be quantized.
constexpr TypeSet kQuantizableTypes = {DataType::kInt8, DataType::kUInt8, DataType::kInt16,
                                       DataType::kUInt16, DataType::kInt32};

/// "float32, float16", in the order of data_types.def.
std::string DescribeTypes(TypeSet types);

}  // namespace backplane
