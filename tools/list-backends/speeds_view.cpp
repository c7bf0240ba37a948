#include "speeds_view.hpp"

#include "command_line/diagnostic_view.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <vector>

namespace backplane::list_backends {

using namespace command_line;

namespace {

constexpr std::size_t kLabelWidth = 7;

std::string ToText(double number, int decimals) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.*f", decimals, number);
  return text;
}

const std::vector<NetworkTime>& GetTimes(const LoadReport& report, const std::string& path) {
  static const std::vector<NetworkTime> kNone;
  const auto found =
      std::find_if(report.candidates.begin(), report.candidates.end(),
                   [&](const Candidate& candidate) { return candidate.path == path; });
  return found != report.candidates.end() ? found->times : kNone;
}

std::string DescribeFile(const VariantSpeed& file, const std::vector<NetworkTime>& times) {
  std::string text = file.path + ", rank " + std::to_string(file.rank);
  std::string missing;
  for (const NetworkTime& time : times) {
    const double microseconds = static_cast<double>(time.time.count()) / 1000;
    if (time.refusal.empty()) {
      text += ", " + time.network + ' ' + ToText(microseconds, 1) + " us";
    } else {
      missing += (missing.empty() ? "; does not run " : " and ") + time.network;
    }
  }
  return text + missing;
}

std::string ShowFile(const VariantSpeed& file, const std::vector<NetworkTime>& times,
                     const Terminal& terminal) {
  std::string label = file.ratio > 0 ? ToText(file.ratio, 2) : "-";
  label.resize(std::max<std::size_t>(label.size() + 1, kLabelWidth), ' ');
  const std::string text = WrapBehindLabel(terminal, 2, label, DescribeFile(file, times));
  return file.fault ? text + ShowDiagnostic(terminal, 2 + kLabelWidth, *file.fault) : text;
}

}  // namespace

std::string ShowSpeeds(const LoadReport& report, const Terminal& terminal) {
  std::string text;
  for (const VariantSpeeds& speeds : report.speeds) {
    text += '\n' + Paint(terminal, Colour::kHeading, "times of " + EscapeForDisplay(speeds.id));
    std::string networks;
    for (const std::string& network : speeds.networks) {
      networks += (networks.empty() ? ", by " : ", ") + EscapeForDisplay(network);
    }
    text += networks + '\n';
    for (const VariantSpeed& file : speeds.files) {
      if (speeds.files.size() == 1) break;  // the sentence names it
      text += ShowFile(file, GetTimes(report, file.path), terminal);
    }
    text += WrapBehindLabel(terminal, 2, "", speeds.text);
  }
  return text;
}

}  // namespace backplane::list_backends
