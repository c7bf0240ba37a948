#include "company/proto_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace backplane::company {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string MakeField(char tag, const std::string& text) {
  std::string field(1, tag);
  for (std::size_t rest = text.size();; rest >>= 7U) {
    const bool is_last = rest < 0x80;
    field += static_cast<char>((rest & 0x7fU) | (is_last ? 0U : 0x80U));
    if (is_last) return field + text;
  }
}

std::string MakeFile(const std::string& name, const std::string& package,
                     const std::string& message) {
  return MakeField('\x0a', name) + MakeField('\x12', package) +
         MakeField('\x22', MakeField('\x0a', message));
}

TEST(ProtoFiles, AreFoundWithTheirPackageAndMessages) {
  const auto files =
      FindProtoFiles("words before" + MakeFile("onnx/onnx-ml.proto", "onnx", "ModelProto") +
                     std::string(8, '\0') + MakeFile("b.proto", "", "Tensor"));
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].name, "onnx/onnx-ml.proto");
  EXPECT_THAT(files[0].symbols, ElementsAre("onnx.ModelProto"));
  EXPECT_EQ(files[1].name, "b.proto");
}

// The length that stands before the name is itself a letter, a line feed or two bytes.
TEST(ProtoFiles, MayHaveNamesOfAnyLength) {
  for (const std::size_t size_bytes :
       {7U, 9U, 10U, 13U, 31U, 32U, 36U, 97U, 126U, 127U, 128U, 200U, 255U, 300U, 1000U}) {
    const std::string name = std::string(size_bytes - 6, 'a') + ".proto";
    const auto files = FindProtoFiles(MakeFile(name, "p", "M"));
    ASSERT_EQ(files.size(), 1U) << size_bytes;
    EXPECT_EQ(files[0].name, name);
    EXPECT_THAT(files[0].symbols, ElementsAre("p.M"));
  }
}

TEST(ProtoFiles, AreNoOtherTexts) {
  EXPECT_THAT(FindProtoFiles("see onnx/onnx-ml.proto for more"), IsEmpty());
  EXPECT_THAT(FindProtoFiles(MakeField('\x1a', "imported.proto")), IsEmpty());
  EXPECT_THAT(FindProtoFiles(MakeField('\x0a', "a.proto") + "and nothing of a file"), IsEmpty());
  EXPECT_THAT(FindProtoFiles(MakeField('\x0a', "a.proto")), IsEmpty());
  EXPECT_THAT(FindProtoFiles(""), IsEmpty());
}

TEST(ProtoFiles, EndWhereTheDataEnds) {
  const std::string whole = MakeFile("a/file.proto", "package", "Message");
  for (std::size_t size_bytes = 0; size_bytes <= whole.size(); ++size_bytes) {
    FindProtoFiles(whole.substr(0, size_bytes));
  }
}

// Each name leads back over those before it, or forward over all fields behind them.
TEST(ProtoFiles, ThatWereMadeToCostTimeTakeNoMoreThanTheirBytes) {
  std::string endless;
  while (endless.size() < (8U << 20U)) endless += ".proto";
  std::string fields;
  while (fields.size() < (2U << 20U)) fields += MakeField('\x0a', "a.proto") + "\x12\x7f";
  while (fields.size() < (8U << 20U)) fields += std::string("\x12\0", 2);
  const auto start = std::chrono::steady_clock::now();
  FindProtoFiles(endless);
  FindProtoFiles(fields);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

}  // namespace
}  // namespace backplane::company
