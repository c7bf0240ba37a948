#include "options_backend.hpp"

#include <backplane/host/capabilities.hpp>

namespace backplane {
namespace {

const BackendCapabilities kStated{
    {"Fast", true}, {"Lanes", 4}, {"Share", 0.5}, {"Unit", "two"}, {"Lanes", 8}};

TEST(Capabilities, AbsenceTypeAndValueAreToldApart) {
  EXPECT_EQ(MatchCapability(kStated, {"Slow", true}), CapabilityMatch::kAbsent);
  EXPECT_EQ(MatchCapability(kStated, {"fast", true}), CapabilityMatch::kAbsent);
  EXPECT_EQ(MatchCapability(kStated, {"Fast", 1}), CapabilityMatch::kWrongType);
  EXPECT_EQ(MatchCapability(kStated, {"Fast", "true"}), CapabilityMatch::kWrongType);
  EXPECT_EQ(MatchCapability(kStated, {"Lanes", 4.0}), CapabilityMatch::kWrongType);
  EXPECT_EQ(MatchCapability(kStated, {"Lanes", true}), CapabilityMatch::kWrongType);
  EXPECT_EQ(MatchCapability(kStated, {"Fast", false}), CapabilityMatch::kDifferent);
  EXPECT_EQ(MatchCapability(kStated, {"Unit", "three"}), CapabilityMatch::kDifferent);
  EXPECT_EQ(MatchCapability(kStated, {"Fast", true}), CapabilityMatch::kSame);
  EXPECT_EQ(MatchCapability(kStated, {"Lanes", 4}), CapabilityMatch::kSame);
  EXPECT_EQ(MatchCapability(kStated, {"Share", 0.5}), CapabilityMatch::kSame);
  EXPECT_EQ(MatchCapability(kStated, {"Unit", "two"}), CapabilityMatch::kSame);
}

TEST(Capabilities, TheFirstValueOfANameCounts) {
  ASSERT_NE(FindCapability(kStated, "Lanes"), nullptr);
  EXPECT_EQ(FindCapability(kStated, "Lanes")->int_value, 4);
  EXPECT_EQ(FindCapability(kStated, "Absent"), nullptr);
}

TEST(Capabilities, OnlyTheBoolTrueCountsAsStated) {
  EXPECT_TRUE(HasCapability({{"X", true}}, "X"));
  EXPECT_FALSE(HasCapability({{"X", false}}, "X"));
  EXPECT_FALSE(HasCapability({{"X", 1}}, "X"));
  EXPECT_FALSE(HasCapability({{"X", "true"}}, "X"));
  EXPECT_FALSE(HasCapability({}, "X"));
}

TEST(Capabilities, ARankOfAnotherTypeDoesNotCount) {
  EXPECT_EQ(GetRank({{kCapabilityRank, -5}}), -5);
  EXPECT_EQ(GetRank({{kCapabilityRank, "first"}}), 0);
  EXPECT_EQ(GetRank({}), 0);
}

TEST(Capabilities, AreAskedOfTheBackend) {
  BackendRegistry registry;
  RegisterOptionsBackend(registry, {{"Lanes", 4}});
  EXPECT_TRUE(registry.GetRegistration("A").capabilities.empty()) << "nothing was stated there";
  EXPECT_EQ(MatchCapability(GetCapabilities(registry, "A"), {"Lanes", 4}), CapabilityMatch::kSame);
  EXPECT_EQ(CatchMistake([&] { GetCapabilities(registry, "B"); }).code,
            DiagnosticCode::kBackendNotRegistered);
}

TEST(Capabilities, HaveNamesAndTexts) {
  EXPECT_STREQ(GetCapabilityMatchName(CapabilityMatch::kAbsent), "absent");
  EXPECT_STREQ(GetCapabilityMatchName(CapabilityMatch::kWrongType), "wrong type");
  EXPECT_STREQ(GetCapabilityMatchName(CapabilityMatch::kDifferent), "different");
  EXPECT_STREQ(GetCapabilityMatchName(CapabilityMatch::kSame), "same");
  EXPECT_EQ(ToText(OptionValue(true)), "true");
  EXPECT_EQ(ToText(OptionValue(-3)), "-3");
  EXPECT_EQ(ToText(OptionValue(0.1)), "0.1");
  EXPECT_EQ(ToText(OptionValue("two")), "\"two\"");
  EXPECT_STREQ(GetOptionTypeName(OptionType::kFloat), "float");
}

}  // namespace
}  // namespace backplane
