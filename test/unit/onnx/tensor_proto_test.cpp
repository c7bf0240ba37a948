#include "tensors/tensor_proto.hpp"

#include "model_builder.hpp"
#include "tensors/data_types.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <ostream>
#include <vector>

namespace backplane::onnx::test {
namespace {

using ::onnx::TensorProto;

const TensorOrigin kOrigin = {
    DiagnosticCode::kInvalidModel, {SubjectKind::kModel, "m"}, "tensor t"};

struct TypeCase {
  DataType type;
  const char* field;  // the typed field that carries it
};

void PrintTo(const TypeCase& row, std::ostream* stream) {
  *stream << GetDataTypeName(row.type);
}

class EveryDataType : public testing::TestWithParam<TypeCase> {};

constexpr TypeCase kTypeCases[] = {
    {DataType::kFloat32, "float"},        {DataType::kFloat16, "int32"},
    {DataType::kBFloat16, "int32"},       {DataType::kFloat64, "double"},
    {DataType::kInt8, "int32"},           {DataType::kUInt8, "int32"},
    {DataType::kInt16, "int32"},          {DataType::kUInt16, "int32"},
    {DataType::kInt32, "int32"},          {DataType::kUInt32, "uint64"},
    {DataType::kInt64, "int64"},          {DataType::kUInt64, "uint64"},
    {DataType::kBool, "int32"},           {DataType::kFloat8E4M3FN, "int32"},
    {DataType::kFloat8E4M3FNUZ, "int32"}, {DataType::kFloat8E5M2, "int32"},
    {DataType::kFloat8E5M2FNUZ, "int32"}, {DataType::kFloat8E8M0FNU, "int32"},
};

// Several elements in each byte; of each the elements that the byte 0x91 holds.
struct PackedCase {
  DataType type;
  std::vector<unsigned char> elements;
};

void PrintTo(const PackedCase& row, std::ostream* stream) {
  *stream << GetDataTypeName(row.type);
}

const PackedCase kPackedCases[] = {{DataType::kInt4, {0x01, 0xf9}},
                                   {DataType::kUInt4, {0x01, 0x09}},
                                   {DataType::kFloat4E2M1FN, {0x01, 0x09}},
                                   {DataType::kInt2, {0x01, 0x00, 0x01, 0xfe}},
                                   {DataType::kUInt2, {0x01, 0x00, 0x01, 0x02}}};

constexpr std::size_t kNumDataTypes = 0
#define BACKPLANE_DATA_TYPE(name, ...) +1
#include <backplane/api/data_types.def>
#undef BACKPLANE_DATA_TYPE
    ;
static_assert(std::size(kTypeCases) + std::size(kPackedCases) == kNumDataTypes,
              "each data type has a case");

void AddTyped(TensorProto& proto, const std::string& field, int value) {
  if (field == "float") proto.add_float_data(static_cast<float>(value));
  if (field == "double") proto.add_double_data(value);
  if (field == "int32") proto.add_int32_data(value);
  if (field == "int64") proto.add_int64_data(value);
  if (field == "uint64") proto.add_uint64_data(static_cast<std::uint64_t>(value));
}

TensorProto MakeProto(DataType type, const Dims& dims) {
  TensorProto proto;
  proto.set_name("t");
  proto.set_data_type(ToOnnxType(type));
  for (const std::int64_t dim : dims) proto.add_dims(dim);
  return proto;
}

Diagnostic DecodeError(const TensorProto& proto) {
  return Catch([&] { DecodeTensor(proto, kOrigin); });
}

TEST_P(EveryDataType, ComesFromRawDataUnchanged) {
  TensorProto proto = MakeProto(GetParam().type, {3});
  std::string raw;
  for (std::uint32_t i = 0; i < 3 * GetDataTypeSizeBytes(GetParam().type); ++i) {
    raw += static_cast<char>(i % 2);
  }
  proto.set_raw_data(raw);
  const NamedTensor tensor = DecodeTensor(proto, kOrigin);
  EXPECT_EQ(tensor.info, TensorInfo({3}, GetParam().type));
  EXPECT_EQ(std::string(tensor.data.begin(), tensor.data.end()), raw);
}

TEST_P(EveryDataType, ComesFromItsTypedField) {
  TensorProto proto = MakeProto(GetParam().type, {2, 1});
  AddTyped(proto, GetParam().field, 0);
  AddTyped(proto, GetParam().field, 1);
  const NamedTensor tensor = DecodeTensor(proto, kOrigin);
  const std::size_t size = GetDataTypeSizeBytes(GetParam().type);
  ASSERT_EQ(tensor.data.size(), 2 * size);
  EXPECT_EQ(tensor.info.shape, (TensorShape{2, 1}));
  const std::vector<unsigned char> zero(size, 0);
  EXPECT_EQ(std::memcmp(tensor.data.data(), zero.data(), size), 0);
  EXPECT_NE(std::memcmp(tensor.data.data() + size, zero.data(), size), 0);
}

TEST_P(EveryDataType, RefusesTooLittleAndTooMuchRawData) {
  for (const std::size_t count : {std::size_t{1}, std::size_t{3}}) {
    TensorProto proto = MakeProto(GetParam().type, {2});
    proto.set_raw_data(std::string(count * GetDataTypeSizeBytes(GetParam().type), '\0'));
    const Diagnostic error = DecodeError(proto);
    EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
    EXPECT_TRUE(
        Contains(error.why, "needs " + std::to_string(2 * GetDataTypeSizeBytes(GetParam().type))))
        << error.why;
  }
}

TEST_P(EveryDataType, RefusesAnotherNumberOfValues) {
  TensorProto proto = MakeProto(GetParam().type, {2});
  AddTyped(proto, GetParam().field, 1);
  EXPECT_TRUE(Contains(DecodeError(proto).why, "it has 1 values of data"));
}

class EveryPackedType : public testing::TestWithParam<PackedCase> {
 protected:
  // As many elements as fill a byte and another one.
  static TensorInfo GetInfo() {
    const auto count = static_cast<std::int64_t>(GetParam().elements.size());
    return {{count + 1}, GetParam().type};
  }
  static std::vector<unsigned char> GetElements() {
    std::vector<unsigned char> elements = GetParam().elements;
    elements.push_back(elements.front());
    return elements;
  }
  static TensorProto MakePacked() { return MakeProto(GetParam().type, {GetInfo().shape[0]}); }
};

TEST_P(EveryPackedType, ComesFromRawDataWithTheFirstElementInTheLowestBits) {
  TensorProto proto = MakePacked();
  proto.set_raw_data("\x91\x91");
  const NamedTensor tensor = DecodeTensor(proto, kOrigin);
  EXPECT_EQ(tensor.info, GetInfo());
  EXPECT_EQ(tensor.data, GetElements());
}

TEST_P(EveryPackedType, ComesFromItsTypedField) {
  TensorProto proto = MakePacked();
  proto.add_int32_data(0x91);
  proto.add_int32_data(0x91);
  EXPECT_EQ(DecodeTensor(proto, kOrigin).data, GetElements());
}

TEST_P(EveryPackedType, RefusesTooLittleAndTooMuch) {
  for (const std::size_t count : {1, 3}) {
    TensorProto proto = MakePacked();
    proto.set_raw_data(std::string(count, '\0'));
    EXPECT_TRUE(Contains(DecodeError(proto).why, "needs 2")) << DecodeError(proto).why;
    TensorProto typed = MakePacked();
    for (std::size_t i = 0; i < count; ++i) typed.add_int32_data(0);
    EXPECT_TRUE(Contains(DecodeError(typed).why, "needs 2")) << DecodeError(typed).why;
  }
}

TEST_P(EveryPackedType, RefusesWhatIsNoByte) {
  for (const int value : {-1, 256}) {
    TensorProto proto = MakePacked();
    proto.add_int32_data(0);
    proto.add_int32_data(value);
    EXPECT_TRUE(Contains(DecodeError(proto).why, "it has the value " + std::to_string(value)));
  }
}

TEST_P(EveryPackedType, SurvivesEncoding) {
  const NamedTensor tensor{"t", GetInfo(), GetElements()};
  const TensorProto proto = EncodeTensor(tensor);
  EXPECT_EQ(proto.raw_data().size(), 2U);
  EXPECT_EQ(DecodeTensor(proto, kOrigin).data, tensor.data);
}

INSTANTIATE_TEST_SUITE_P(TensorProto, EveryPackedType, testing::ValuesIn(kPackedCases),
                         [](const auto& row) { return GetDataTypeName(row.param.type); });

TEST_P(EveryDataType, SurvivesEncoding) {
  NamedTensor tensor{"t", {{2, 2}, GetParam().type}, {}};
  tensor.data.assign(tensor.info.GetSizeBytes(), 1);
  const NamedTensor again = DecodeTensor(EncodeTensor(tensor), kOrigin);
  EXPECT_EQ(again.name, "t");
  EXPECT_EQ(again.info, tensor.info);
  EXPECT_EQ(again.data, tensor.data);
}

INSTANTIATE_TEST_SUITE_P(TensorProto, EveryDataType, testing::ValuesIn(kTypeCases),
                         [](const auto& row) { return GetDataTypeName(row.param.type); });

TEST(TensorProto, RefusesValuesThatTheTypeCannotHold) {
  TensorProto proto = MakeProto(DataType::kUInt8, {1});
  proto.add_int32_data(300);
  EXPECT_EQ(DecodeError(proto).why, "it has the value 300, which uint8 cannot hold");
}

TEST(TensorProto, RefusesBytesThatAreNoBool) {
  TensorProto proto = MakeProto(DataType::kBool, {1});
  proto.set_raw_data("\x02");
  EXPECT_EQ(DecodeError(proto).why, "it has the byte 2; a bool is 0 or 1");
}

TEST(TensorProto, RefusesTypesThatBackplaneLacks) {
  TensorProto proto = MakeProto(DataType::kFloat32, {1});
  proto.set_data_type(TensorProto::STRING);
  EXPECT_TRUE(Contains(DecodeError(proto).why, "its elements are STRING"));
  proto.set_data_type(99);
  EXPECT_TRUE(Contains(DecodeError(proto).why, "its elements are type 99"));
}

TEST(TensorProto, RefusesNegativeDimensions) {
  EXPECT_TRUE(Contains(DecodeError(MakeProto(DataType::kFloat32, {2, -1})).why, "2x-1"));
}

TEST(TensorProto, RefusesSizesThatOverflow) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  EXPECT_TRUE(Contains(DecodeError(MakeProto(DataType::kFloat32, {kHuge, 4})).why, "2^63"));
  EXPECT_TRUE(Contains(DecodeError(MakeProto(DataType::kFloat32, {kHuge, 4, 0})).why, "2^63"));
  EXPECT_TRUE(Contains(
      DecodeError(MakeProto(DataType::kInt8, {std::numeric_limits<std::int64_t>::max(), 2})).why,
      "2^63"));
}

TEST(TensorProto, TakesNoMemoryForDataThatIsNotThere) {
  TensorProto proto = MakeProto(DataType::kFloat32, {std::int64_t{1} << 50});
  proto.set_raw_data("abcd");
  EXPECT_TRUE(Contains(DecodeError(proto).why, "it has 4 bytes of data"));
}

TEST(TensorProto, RefusesMoreDimensionsThanATensorHas) {
  EXPECT_TRUE(Contains(DecodeError(MakeProto(DataType::kFloat32, Dims(9, 1))).why,
                       "it has 9 dimensions; at most 8"));
}

TEST(TensorProto, RefusesDataInOtherFiles) {
  TensorProto proto = MakeProto(DataType::kFloat32, {1});
  proto.set_data_location(TensorProto::EXTERNAL);
  EXPECT_TRUE(Contains(DecodeError(proto).why, "in another file"));
}

TEST(TensorProto, AcceptsScalarsAndEmptyTensors) {
  TensorProto scalar = MakeProto(DataType::kFloat32, {});
  scalar.add_float_data(3);
  EXPECT_EQ(DecodeTensor(scalar, kOrigin).data.size(), sizeof(float));
  EXPECT_TRUE(DecodeTensor(MakeProto(DataType::kFloat32, {0, 3}), kOrigin).data.empty());
}

}  // namespace
}  // namespace backplane::onnx::test
