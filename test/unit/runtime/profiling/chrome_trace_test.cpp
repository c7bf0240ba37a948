#include "profiling/profiling_fixture.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <set>

namespace backplane {
namespace {

using Json = nlohmann::json;

// What every event of the format needs, and that events of one thread lie one behind the other or
// one within the other.
void ExpectWellFormedChromeTrace(const Json& trace) {
  std::set<std::pair<int, int>> named;
  std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> lanes;
  for (const Json& event : trace.at("traceEvents")) {
    const std::string phase = event.at("ph");
    ASSERT_TRUE(event.at("name").is_string());
    ASSERT_TRUE(event.at("pid").is_number_unsigned());
    ASSERT_TRUE(event.at("args").is_object());
    const std::pair<int, int> lane{event.at("pid"), event.at("tid")};
    if (phase == "M") {
      if (event.at("name") == "thread_name") named.insert(lane);
      continue;
    }
    ASSERT_GE(event.at("ts").get<double>(), 0.0);
    if (phase == "C") {
      ASSERT_TRUE(event.at("args").at("value").is_number());
      continue;
    }
    ASSERT_EQ(phase, "X");
    EXPECT_EQ(named.count(lane), 1U) << event;
    const double begin = event.at("ts");
    const double end = begin + event.at("dur").get<double>();
    ASSERT_GE(end, begin);
    auto& open = lanes[lane];
    constexpr double kRounding = 0.0005;
    while (!open.empty() && open.back().second <= begin + kRounding) open.pop_back();
    if (!open.empty()) {
      EXPECT_LE(end, open.back().second + kRounding) << event;
    }
    open.emplace_back(begin, end);
  }
}

class ChromeTrace : public ProfilingFixture {
 protected:
  Json MakeTrace() const { return Json::parse(ToChromeTrace(GetProfile())); }

  static std::vector<Json> Select(const Json& trace, const std::string& key,
                                  const std::string& value) {
    std::vector<Json> selected;
    for (const Json& event : trace.at("traceEvents")) {
      if (event.value(key, "") == value) selected.push_back(event);
    }
    return selected;
  }
};

TEST_F(ChromeTrace, IsEmptyOfAnEmptyProfile) {
  const Json trace = Json::parse(ToChromeTrace(Profile()));
  ExpectWellFormedChromeTrace(trace);
  EXPECT_EQ(trace.at("otherData").at("lost_events"), 0);
}

TEST_F(ChromeTrace, HasAProcessForTheCoreAndForEachBackend) {
  Start();
  EXPECT_EQ(Report("kernel", "queue", 10), Status::kSuccess);
  const Json trace = MakeTrace();
  ExpectWellFormedChromeTrace(trace);
  std::map<std::string, int> processes;
  for (const Json& event : Select(trace, "name", "process_name")) {
    processes.emplace(event.at("args").at("name"), event.at("pid"));
  }
  EXPECT_EQ(processes, (std::map<std::string, int>{{"Backplane", 1}, {"backend P", 2}}));
  const Json kernel = Select(trace, "name", "kernel").at(0);
  EXPECT_EQ(kernel.at("pid"), 2);
  EXPECT_EQ(kernel.at("cat"), "backend");
}

TEST_F(ChromeTrace, TellsTimesInMicroseconds) {
  Profile profile;
  profile.begin_ns = 1'000'000;
  profile.lanes = {{"", "lane"}};
  ProfileEvent event;
  event.begin_ns = 1'002'500;
  event.end_ns = 1'010'000;
  event.kind = ProfileEventKind::kLayer;
  event.name = "conv";
  event.type = "Convolution";
  event.backend_id = "A";
  event.has_failed = true;
  profile.events = {event};
  const Json trace = Json::parse(ToChromeTrace(profile));
  const Json found = Select(trace, "ph", "X").at(0);
  EXPECT_EQ(found.at("ts"), 2.5);
  EXPECT_EQ(found.at("dur"), 7.5);
  EXPECT_EQ(found.at("args"), (Json{{"backend", "A"}, {"type", "Convolution"}, {"failed", true}}));
}

TEST_F(ChromeTrace, NamesEveryLaneThatHasEvents) {
  Start();
  const NetworkId network = Load({"one", "two"});
  EXPECT_EQ(Run(network), Status::kSuccess);
  runtime_->UnloadNetwork(network);
  const Json trace = MakeTrace();
  ExpectWellFormedChromeTrace(trace);
  EXPECT_EQ(Select(trace, "cat", "layer").size(), 2U);
  EXPECT_EQ(Select(trace, "cat", "optimize").size(), 1U);
  EXPECT_EQ(Select(trace, "cat", "copy").size(), 2U);
}

TEST_F(ChromeTrace, HasTheValuesOfCounters) {
  backend_->counters = {MakeCounter(1, "power", "mW")};
  options_.counters = CounterChoice::kAll;
  Start();
  EXPECT_EQ(Report(1, 12.5), Status::kSuccess);
  EXPECT_EQ(Report(1, 13.0), Status::kSuccess);
  const Json trace = MakeTrace();
  ExpectWellFormedChromeTrace(trace);
  const auto values = Select(trace, "ph", "C");
  ASSERT_EQ(values.size(), 2U);
  EXPECT_EQ(values[0].at("name"), "power [mW]");
  EXPECT_EQ(values[1].at("args").at("value"), 13.0);
}

TEST_F(ChromeTrace, IsValidWhateverTheTextsAre) {
  const std::string odd("\x01\xff\"\\\n\0</script>\xed\xa0\x80", 19);
  backend_->counters = {MakeCounter(1, odd, odd)};
  options_.counters = CounterChoice::kAll;
  Start();
  EXPECT_EQ(Report(odd, odd, 1), Status::kSuccess);
  EXPECT_EQ(Report(std::string(100'000, 'x'), "", 1), Status::kSuccess);
  EXPECT_EQ(Report(1, std::numeric_limits<double>::denorm_min()), Status::kSuccess);
  EXPECT_EQ(Report(1, std::numeric_limits<double>::max()), Status::kSuccess);
  EXPECT_EQ(Report(1, std::nan("")), Status::kInvalidArgument);
  const std::string text = ToChromeTrace(GetProfile());
  EXPECT_EQ(text.find("nan"), std::string::npos);
  EXPECT_LT(text.size(), 10'000U);
  ExpectWellFormedChromeTrace(Json::parse(text));
}

TEST_F(ChromeTrace, TellsWhatIsMissing) {
  options_.max_events = 2;
  Start();
  EXPECT_EQ(Run(Load({"one"})), Status::kSuccess);
  TimelineEvent event;
  EXPECT_EQ(backend_->sink->ReportTimelineEvent(event), Status::kInvalidArgument);
  const Json other = MakeTrace().at("otherData");
  EXPECT_GT(other.at("lost_events"), 0);
  EXPECT_EQ(other.at("diagnostics").size(), 1U);
}

}  // namespace
}  // namespace backplane
