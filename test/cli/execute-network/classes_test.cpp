/// The best classes of outputs, with --top and --labels.

#include "execute_network_fixture.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace backplane::test {
namespace {

const std::string kWords = "zero\none\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n";

class Classes : public ExecuteNetwork {
 protected:
  static CommandResult Recognise(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(),
                     {kModel, "--input", "image=" + kDigits + "/images/digit_2_0.pgm"});
    return Run(arguments);
  }
};

TEST_F(Classes, AreShownWithTheirLabels) {
  const std::string labels = folder_.Write("labels.txt", kWords);
  const CommandResult result = Recognise({"--labels", labels, "--top", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectContains(result.out, "\ntop 2 of scores\n  ");
  ExpectContains(result.out, "  2  two\n");
}

TEST_F(Classes, AreFiveUnlessToldOtherwise) {
  const std::string labels = folder_.Write("labels.txt", kWords);
  ExpectContains(Recognise({"--labels", labels}).out, "\ntop 5 of scores\n  ");
  EXPECT_EQ(Recognise({}).out.find("top "), std::string::npos);
}

TEST_F(Classes, MayHaveLabelsOfAnySystem) {
  const std::string labels =
      folder_.Write("labels.txt", "a\r\nb\r\n\xC3\xA4\r\n\r\n\r\n\r\n\r\n\r\n\r\nj");
  ExpectContains(Recognise({"--labels", labels, "--top", "1"}).out, "  2  \xC3\xA4\n");
}

TEST_F(Classes, StandInJsonForEveryDataSetAndRow) {
  const std::string labels = folder_.Write("labels.txt", kWords);
  const CommandResult result =
      Run({kModel, "--test-data", kDigits, "--labels", labels, "--top", "3", "--format", "json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto outputs = nlohmann::json::parse(result.out).at("outputs");
  EXPECT_EQ(outputs.at(0).at("top").size(), 1U);
  ASSERT_EQ(outputs.at(1).at("top").size(), 4U);
  const auto best = outputs.at(1).at("top").at(3);
  ASSERT_EQ(best.size(), 3U);
  EXPECT_GE(best.at(0).at("score"), best.at(1).at("score"));
  EXPECT_TRUE(best.at(0).at("class").is_number_unsigned());
  EXPECT_TRUE(best.at(0).at("label").is_string());
}

TEST_F(Classes, NamesHowManyLabelsFit) {
  const std::string few = folder_.Write("few.txt", "a\nb\n");
  ExpectRefusal(Recognise({"--labels", few}), 2, DiagnosticCode::kWrongInput,
                {"the labels in " + few + " fit no output",
                 "there are 2 labels, one in each line; of classes, scores has 10"});
  ExpectRefusal(Recognise({"--labels", folder_.Write("none.txt", "")}), 2,
                DiagnosticCode::kTensorFileUnreadable, {"none.txt cannot be read", "it is empty"});
  ExpectRefusal(Recognise({"--labels", folder_ / "absent.txt"}), 2,
                DiagnosticCode::kTensorFileUnreadable, {"absent.txt", "it does not exist"});
  ExpectRefusal(Recognise({"--top", "0"}), 64, DiagnosticCode::kUsageError,
                {"expected a whole number from 1 to 4294967295"});
}

}  // namespace
}  // namespace backplane::test
