#include <backplane/runtime/profiling.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <utility>
#include <vector>

namespace backplane {

namespace {

constexpr std::size_t kNumColumns = 7;
// Numbers stand under each other.
constexpr std::size_t kFirstNumber = 3;

using ProfileRow = std::array<std::string, kNumColumns>;

std::string Format(const char* format, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

ProfileRow MakeRow(const LayerProfile& layer) {
  constexpr double kNsPerMs = 1e6;
  constexpr double kNsPerUs = 1e3;
  const auto total = static_cast<double>(layer.total_ns);
  const std::string mean =
      layer.num_runs == 0
          ? "-"
          : Format("%.3f us", total / static_cast<double>(layer.num_runs) / kNsPerUs);
  return {EscapeForDisplay(layer.name),        GetLayerTypeName(layer.type),
          EscapeForDisplay(layer.backend_id),  std::to_string(layer.num_runs),
          Format("%.3f ms", total / kNsPerMs), mean,
          Format("%.1f %%", layer.share * 100)};
}

std::string Align(const std::vector<ProfileRow>& rows) {
  std::array<std::size_t, kNumColumns> widths{};
  for (const ProfileRow& row : rows) {
    for (std::size_t i = 0; i < kNumColumns; ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const ProfileRow& row : rows) {
    for (std::size_t i = 0; i < kNumColumns; ++i) {
      const std::string padding(widths[i] - row[i].size(), ' ');
      text += (i == 0 ? "" : "  ") + (i < kFirstNumber ? row[i] + padding : padding + row[i]);
    }
    text += "\n";
  }
  return text;
}

std::string DescribeNetwork(std::vector<LayerProfile> layers, LayerOrder order) {
  if (order == LayerOrder::kByTime) {
    std::stable_sort(layers.begin(), layers.end(),
                     [](const auto& a, const auto& b) { return a.total_ns > b.total_ns; });
  }
  std::vector<ProfileRow> rows{{"layer", "type", "backend", "runs", "total", "mean", "share"}};
  for (const LayerProfile& layer : layers) rows.push_back(MakeRow(layer));
  const LayerProfile& first = layers.front();
  return "network " + std::to_string(first.network_id) + " (" + EscapeForDisplay(first.network) +
         ")\n" + Align(rows);
}

std::string DescribeCounter(const CounterSeries& counter) {
  std::string text = EscapeForDisplay(counter.backend_id + ": " + counter.name);
  if (counter.values.empty()) return text + ": no values\n";
  double least = counter.values.front().value;
  double greatest = least;
  for (const CounterValue& value : counter.values) {
    least = std::min(least, value.value);
    greatest = std::max(greatest, value.value);
  }
  const std::string unit = counter.unit.empty() ? "" : " " + EscapeForDisplay(counter.unit);
  return text + ": " + std::to_string(counter.values.size()) + " values, from " +
         Format("%.6g", least) + " to " + Format("%.6g", greatest) + ", the last " +
         Format("%.6g", counter.values.back().value) + unit + "\n";
}

std::string DescribeLoss(const char* what, std::uint64_t count) {
  if (count == 0) return "";
  return std::to_string(count) + " " + what + " were lost: there was no room for them\n";
}

}  // namespace

std::string ToText(const Profile& profile, LayerOrder order) {
  std::string text;
  for (auto begin = profile.layers.begin(); begin != profile.layers.end();) {
    const auto end = std::find_if(begin, profile.layers.end(), [&](const LayerProfile& layer) {
      return layer.network_id != begin->network_id;
    });
    text += DescribeNetwork({begin, end}, order) + "\n";
    begin = end;
  }
  for (const CounterSeries& counter : profile.counters) text += DescribeCounter(counter);
  text += DescribeLoss("events", profile.num_lost_events);
  text += DescribeLoss("values of counters", profile.num_lost_values);
  text += DescribeLoss("networks", profile.num_lost_networks);
  for (const Diagnostic& diagnostic : profile.diagnostics) text += ToText(diagnostic) + "\n";
  return text;
}

}  // namespace backplane
