#include "arrays/npy_file.hpp"

#include "arrays/npy_maker.hpp"
#include "refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace backplane::execute_network::test {
namespace {

using testing::ElementsAre;

template <typename Element>
std::vector<Element> ReadAs(const onnx::NamedTensor& tensor) {
  std::vector<Element> elements(tensor.data.size() / sizeof(Element));
  std::memcpy(elements.data(), tensor.data.data(), tensor.data.size());
  return elements;
}

template <typename Element>
std::string ToBytes(const std::vector<Element>& elements) {
  return {reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(Element)};
}

constexpr DataType kAllTypes[] = {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16,
                                  DataType::kFloat64, DataType::kInt8,    DataType::kUInt8,
                                  DataType::kInt16,   DataType::kUInt16,  DataType::kInt32,
                                  DataType::kUInt32,  DataType::kInt64,   DataType::kUInt64,
                                  DataType::kBool};

TEST(NpyFile, IsReadAsItWasWrittenInEveryType) {
  for (const DataType type : kAllTypes) {
    for (const TensorShape& shape : {TensorShape{}, TensorShape{3}, TensorShape{2, 3},
                                     TensorShape{2, 0, 5}, TensorShape{1, 1, 2, 1, 1, 1, 1, 3}}) {
      onnx::NamedTensor tensor{"", {shape, type}, {}};
      for (std::size_t i = 0; i < tensor.info.GetSizeBytes(); ++i) tensor.data.push_back(i % 2);
      const onnx::NamedTensor again = ParseNpy(MakeNpy(tensor), kPath);
      EXPECT_EQ(again.info, tensor.info) << GetDataTypeName(type);
      EXPECT_EQ(again.data, tensor.data) << GetDataTypeName(type);
    }
  }
}

// What numpy.save writes for numpy.array([[1, 2, 3]], numpy.float32).
TEST(NpyFile, IsWrittenByteForByteAsNumPyWritesIt) {
  const std::vector<float> values = {1, 2, 3};
  onnx::NamedTensor tensor{"x", {{1, 3}, DataType::kFloat32}, {}};
  tensor.data.resize(sizeof(float) * values.size());
  std::memcpy(tensor.data.data(), values.data(), tensor.data.size());
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }";
  EXPECT_EQ(MakeNpy(tensor),
            MakeFile(header + std::string(117 - header.size(), ' ') + "\n", ToBytes(values)));
}

TEST(NpyFile, MayBeOfAnyVersion) {
  const std::vector<std::int32_t> values = {7, -8};
  for (const int version : {1, 2, 3}) {
    const auto tensor =
        ParseNpy(MakeFile(MakeHeader("<i4", "(2,)"), ToBytes(values), version), kPath);
    EXPECT_EQ(ReadAs<std::int32_t>(tensor), values);
    EXPECT_EQ(tensor.info, TensorInfo({2}, DataType::kInt32));
  }
}

TEST(NpyFile, MayBeWrittenInAnyStyle) {
  for (const char* header :
       {"{\"shape\":(2,),\"descr\":\"|u1\",\"fortran_order\":True}",
        " { 'fortran_order' :False , 'shape' : ( 2 , ) , 'descr' : '<u1' }\n\n",
        "{'descr': '=u1', 'shape': (1, 2,), 'fortran_order': False, }",
        "{'descr': '>u1', 'shape': (1, 2), 'fortran_order': False}"}) {
    EXPECT_THAT(ParseNpy(MakeFile(header, "\x05\x06"), kPath).data, ElementsAre(5, 6)) << header;
  }
}

TEST(NpyFile, MayBeBigEndian) {
  const auto tensor = ParseNpy(
      MakeFile(MakeHeader(">i2", "(3,)"), std::string("\x01\x02\x00\x07\xFF\xFE", 6)), kPath);
  EXPECT_THAT(ReadAs<std::int16_t>(tensor), ElementsAre(0x102, 7, -2));
}

TEST(NpyFile, MayBeInFortranOrder) {
  const std::vector<double> values = {0, 3, 1, 4, 2, 5};  // columns one after the other
  const auto tensor = ParseNpy(
      MakeFile("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3)}", ToBytes(values)), kPath);
  EXPECT_THAT(ReadAs<double>(tensor), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(NpyFile, MayBeInFortranOrderWithManyAxesAndBigEndian) {
  constexpr std::int64_t kExtents[] = {2, 3, 4};
  std::string data;
  for (int k = 0; k < kExtents[2]; ++k) {
    for (int j = 0; j < kExtents[1]; ++j) {
      for (int i = 0; i < kExtents[0]; ++i) {
        data += {'\0', static_cast<char>((i * 3 + j) * 4 + k)};
      }
    }
  }
  const auto tensor = ParseNpy(
      MakeFile("{'descr': '>u2', 'fortran_order': True, 'shape': (2, 3, 4)}", data), kPath);
  std::vector<std::uint16_t> expected;
  for (std::uint16_t i = 0; i < 24; ++i) expected.push_back(i);
  EXPECT_EQ(ReadAs<std::uint16_t>(tensor), expected);
}

TEST(NpyFile, NamesTypesThatAreNotSupported) {
  for (const char* type : {"<c8", "|O", "<U5", "|S3", "<M8[ns]", "f4", "|f4", "<f16", "<i3", ""}) {
    ExpectUnreadable([&] { ParseNpy(MakeFile(MakeHeader(type, "(1,)"), "12345678"), kPath); },
                     {"its elements are \"" + std::string(type) + "\"; supported are f2"});
  }
  ExpectUnreadable(
      [&] {
        ParseNpy(
            MakeFile("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "1234"),
            kPath);
      },
      {"its elements are structures"});
}

TEST(NpyFile, NamesWhatItsHeaderLacks) {
  ExpectUnreadable([&] { ParseNpy(MakeFile("{'descr': '<f4', 'shape': (1,)}", "1234"), kPath); },
                   {"lacks one of the keys descr, fortran_order and shape"});
}

}  // namespace
}  // namespace backplane::execute_network::test
