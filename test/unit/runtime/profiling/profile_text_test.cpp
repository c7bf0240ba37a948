#include <backplane/runtime/profiling.hpp>

#include "expect_diagnostic.hpp"

#include <gtest/gtest.h>

namespace backplane {
namespace {

LayerProfile MakeLayer(const std::string& name, std::uint64_t total_ns, double share) {
  LayerProfile layer;
  layer.network = "digits";
  layer.network_id = 1;
  layer.name = name;
  layer.type = LayerType::kConvolution;
  layer.backend_id = "A";
  layer.num_runs = total_ns == 0 ? 0 : 2;
  layer.total_ns = total_ns;
  layer.share = share;
  return layer;
}

Profile MakeProfile() {
  Profile profile;
  profile.layers = {MakeLayer("first", 1'000'000, 0.25), MakeLayer("second", 3'000'000, 0.75),
                    MakeLayer("third", 0, 0)};
  return profile;
}

TEST(ProfileText, IsATableOfLayersAsTheyRun) {
  EXPECT_EQ(ToText(MakeProfile()),
            "network 1 (digits)\n"
            "layer   type         backend  runs     total         mean   share\n"
            "first   Convolution  A           2  1.000 ms   500.000 us  25.0 %\n"
            "second  Convolution  A           2  3.000 ms  1500.000 us  75.0 %\n"
            "third   Convolution  A           0  0.000 ms            -   0.0 %\n"
            "\n");
}

TEST(ProfileText, IsSortedByTimeOnDemand) {
  const std::string text = ToText(MakeProfile(), LayerOrder::kByTime);
  EXPECT_LT(text.find("second"), text.find("first"));
  EXPECT_LT(text.find("first"), text.find("third"));
}

TEST(ProfileText, HasATableForEachNetwork) {
  Profile profile = MakeProfile();
  profile.layers[2].network_id = 2;
  const std::string text = ToText(profile);
  EXPECT_NE(text.find("network 1 (digits)\n"), std::string::npos);
  EXPECT_NE(text.find("network 2 (digits)\n"), std::string::npos);
}

TEST(ProfileText, TellsCountersAndWhatIsMissing) {
  Profile profile;
  profile.counters = {{"A", "power", "mW", "", {{1, 2.5}, {2, 7.0}, {3, 4.0}}},
                      {"A", "silent", "", "", {}}};
  profile.num_lost_events = 3;
  profile.num_lost_values = 4;
  profile.num_lost_networks = 5;
  Diagnostic diagnostic{DiagnosticCode::kProfilingDataRefused};
  diagnostic.what = "the backend is odd";
  profile.diagnostics = {diagnostic};
  const std::string text = ToText(profile);
  ExpectContains(text, "A: power: 3 values, from 2.5 to 7, the last 4 mW\n");
  ExpectContains(text, "A: silent: no values\n");
  ExpectContains(text, "3 events were lost");
  ExpectContains(text, "4 values of counters were lost");
  ExpectContains(text, "5 networks were lost");
  ExpectContains(text, "the backend is odd");
}

TEST(ProfileText, EscapesNames) {
  Profile profile = MakeProfile();
  profile.layers[0].name = "a\nb";
  EXPECT_EQ(ToText(profile).find("a\nb"), std::string::npos);
}

TEST(ProfileText, NamesEveryKindOfEvent) {
  for (std::uint32_t kind = 0; kind <= static_cast<std::uint32_t>(ProfileEventKind::kBackend);
       ++kind) {
    EXPECT_STRNE(GetProfileEventKindName(static_cast<ProfileEventKind>(kind)), "unknown");
  }
}

}  // namespace
}  // namespace backplane
