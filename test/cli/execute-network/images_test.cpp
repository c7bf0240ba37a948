/// Images as data for inputs.

#include "execute_network_fixture.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>

namespace backplane::test {
namespace {

const std::string kSeven = kDigits + "/images/digit_7_1.pgm";

class Images : public ExecuteNetwork {
 protected:
  /// Runs the digit model on an image, and gives the digit that it finds.
  static int Recognise(const std::string& image, std::vector<std::string> arguments = {}) {
    arguments.insert(arguments.begin(),
                     {kModel, "--input", "image=" + image, "--top", "1", "--format", "json"});
    const CommandResult result = Run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    if (result.exit_code != 0) return -1;
    return nlohmann::json::parse(result.out).at("outputs").at(0).at("top").at(0).at(0).at("class");
  }

  /// The digit 7, black on white, twice as large and with a border.
  std::string WriteLarge() const {
    constexpr std::size_t kSide = 28;
    const std::string seven = ReadPixels();
    std::string file = "P6\n# a comment\n60 56\n255\n";
    for (std::size_t y = 0; y < 2 * kSide; ++y) {
      for (std::size_t x = 0; x < 60; ++x) {
        const bool is_border = x < 2 || x >= 58;
        const char pixel = is_border ? '\0' : seven[y / 2 * kSide + (x - 2) / 2];
        file += std::string(3, static_cast<char>(~pixel));
      }
    }
    return folder_.Write("large.ppm", file);
  }

 private:
  static std::string ReadPixels() {
    std::ifstream file(kSeven, std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(file), {}};
    return content.substr(content.size() - 28UL * 28);
  }
};

TEST_F(Images, AreData) {
  EXPECT_EQ(Recognise(kSeven), 7);
  EXPECT_EQ(Recognise(kDigits + "/images/digit_2_0.pgm"), 2);
}

TEST_F(Images, AreResizedScaledAndShifted) {
  const std::vector<std::string> inverted = {"--image-scale", "-1/255", "--image-mean", "-1"};
  for (const char* how : {"crop", "stretch"}) {
    std::vector<std::string> arguments = inverted;
    arguments.insert(arguments.end(), {"--image-resize", how});
    EXPECT_EQ(Recognise(WriteLarge(), arguments), 7) << how;
  }
}

TEST_F(Images, OfOtherExtentsNameTheOption) {
  const std::string large = WriteLarge();
  // The extents of this input are left open.
  const CommandResult result = Run({kModel, "--input", "image=" + large});
  ExpectRefusal(result, 2, DiagnosticCode::kWrongInput,
                {large + " is 60x56 pixels, the input 28x28", "--image-resize stretch"});
}

TEST_F(Images, AreDividedAsTheOptionsSay) {
  EXPECT_EQ(Recognise(kSeven, {"--image-scale", "1", "--image-std", "255"}), 7);
  EXPECT_EQ(Recognise(kSeven, {"--image-layout", "nchw", "--image-order", "bgr"}), 7);
}

TEST_F(Images, ThatAreNoneSaySo) {
  const std::string text = folder_.Write("text.png", "hello\n");
  ExpectRefusal(Run({kModel, "--input", "image=" + text}), 2, DiagnosticCode::kTensorFileUnreadable,
                {"it is no PGM, PPM or PNG image"});
  const std::string jpeg = folder_.Write("photo", "\xFF\xD8\xFF\xE0 JFIF");
  ExpectRefusal(Run({kModel, "--input", "image=" + jpeg}), 2, DiagnosticCode::kTensorFileUnreadable,
                {"it is no PGM, PPM or PNG image"});
  const std::string cut = folder_.Write("cut.png", "\x89PNG\r\n\x1A\n");
  ExpectRefusal(Run({kModel, "--input", "image=" + cut}), 2, DiagnosticCode::kTensorFileUnreadable,
                {cut + " cannot be read"});
  ExpectRefusal(RunDigits({"--expect", "scores=" + kSeven}), 2,
                DiagnosticCode::kTensorFileUnreadable, {"images are data for --input only"});
}

TEST_F(Images, AreWhatTheirOptionsAreFor) {
  ExpectRefusal(RunDigits({"--image-mean", "0.5"}), 64, DiagnosticCode::kUsageError,
                {"options of images are given, but no image"});
}

TEST_F(Images, HaveOptionsThatNameWhatTheyTake) {
  for (const char* text : {"x", "1/0", "inf", "1,2,3,4,5", "1,", "1//2"}) {
    ExpectRefusal(Run({kModel, "--image-mean=" + std::string(text)}), 64,
                  DiagnosticCode::kUsageError,
                  {"--image-mean cannot be \"" + std::string(text) + "\"",
                   "expected 1 to 4 numbers with commas between them"});
  }
  ExpectRefusal(Run({kModel, "--image-std", "0"}), 64, DiagnosticCode::kUsageError,
                {"--image-std cannot be \"0\"", "numbers above 0"});
  ExpectRefusal(Run({kModel, "--image-order", "gbr"}), 64, DiagnosticCode::kUsageError,
                {"expected rgb or bgr"});
  ExpectRefusal(Run({kModel, "--image-layout", "hwc"}), 64, DiagnosticCode::kUsageError,
                {"expected nchw or nhwc"});
  ExpectRefusal(Run({kModel, "--image-resize", "strech"}), 64, DiagnosticCode::kUsageError,
                {"did you mean stretch?"});
}

}  // namespace
}  // namespace backplane::test
