#include "conflicts/proto_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <limits>
#include <string>

namespace backplane::conflicts {
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

// Of this thread, in seconds; the least of a few turns.
template <typename Action>
double MeasureProcessorTime(const Action& action) {
  const auto read = [] {
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  };
  double least = std::numeric_limits<double>::infinity();
  for (int turn = 0; turn < 3; ++turn) {
    const double begin = read();
    action();
    least = std::min(least, read() - begin);
  }
  return least;
}

// Each name leads back over those before it, or forward over all fields behind them. What looks at
// all bytes for each name takes 64 times as long for 8 times as many bytes.
TEST(ProtoFiles, ThatWereMadeToCostTimeTakeNoMoreThanTheirBytes) {
  const auto make_endless = [](std::size_t size_bytes) {
    std::string endless;
    while (endless.size() < size_bytes) endless += ".proto";
    return endless;
  };
  const auto make_fields = [](std::size_t size_bytes) {
    std::string fields;
    while (fields.size() < size_bytes / 4) fields += MakeField('\x0a', "a.proto") + "\x12\x7f";
    while (fields.size() < size_bytes) fields += std::string("\x12\0", 2);
    return fields;
  };
  constexpr std::size_t kBytes = 128U << 10U;
  for (const std::function<std::string(std::size_t)>& make :
       {std::function<std::string(std::size_t)>(make_endless),
        std::function<std::string(std::size_t)>(make_fields)}) {
    const std::string small = make(kBytes);
    const std::string large = make(8 * kBytes);
    EXPECT_LT(MeasureProcessorTime([&] { FindProtoFiles(large); }),
              24 * MeasureProcessorTime([&] { FindProtoFiles(small); }));
  }
}

}  // namespace
}  // namespace backplane::conflicts
