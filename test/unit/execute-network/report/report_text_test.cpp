#include "report/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace backplane::execute_network::test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string ShowLatency(const Latency& latency) {
  Report report;
  report.latency = latency;
  return ToText(report, false, {});
}

TEST(ReportText, HasThreeDecimalsOfMilliseconds) {
  Latency latency;
  latency.iterations = 1;
  latency.median_ms = 12.3456;
  EXPECT_THAT(ShowLatency(latency), HasSubstr("latency   12.346 ms, one run\n"));
}

TEST(ReportText, HasMoreDecimalsOfTimesThatAreShort) {
  Latency latency;
  latency.iterations = 3;
  latency.min_ms = latency.median_ms = latency.mean_ms = 0.00071;
  latency.p90_ms = latency.p95_ms = latency.p99_ms = latency.max_ms = 0.01234;
  EXPECT_THAT(ShowLatency(latency),
              HasSubstr("latency   0.00071 ms median of 3 runs\n"
                        "          min 0.00071, mean 0.00071, p90 0.012, p95 0.012, p99 0.012, max "
                        "0.012\n"));
}

TEST(ReportText, HasALineForEachTimeThatTheModelWasPlacedElsewhere) {
  Report report;
  EXPECT_THAT(ToText(report, false, {}), Not(HasSubstr("fallback")));
  report.fallbacks.resize(2);
  report.fallbacks[0].failed_backend = "Npu";
  report.fallbacks[0].num_repeated_runs = 1;
  report.fallbacks[1].failed_backend = "Gpu\n";
  report.fallbacks[1].num_repeated_runs = 4;
  EXPECT_THAT(
      ToText(report, false, {}),
      HasSubstr("fallback  placed again without Npu, which failed; 1 run repeated\n"
                "fallback  placed again without Gpu\\x0a, which failed; 4 runs repeated\n"));
}

}  // namespace
}  // namespace backplane::execute_network::test
