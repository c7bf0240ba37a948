#include "probing/loader_trace.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace backplane::probing {
namespace {

constexpr std::string_view kInit = "calling init: ";

std::vector<std::string_view> SplitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Where a line of the loader begins: behind what the plugin wrote without ending its line.
/// npos: there is none. A line of the loader is "   <process>:\t<text>".
std::size_t FindLoaderText(std::string_view line, const std::string& mark, std::string_view& text) {
  const std::size_t number = line.find(mark);
  const bool is_end_of_number = number != std::string_view::npos && number > 0 &&
                                line[number - 1] >= '0' && line[number - 1] <= '9';
  if (number == std::string_view::npos || is_end_of_number) return std::string_view::npos;
  text = line.substr(number + mark.size());
  const std::size_t before_spaces = line.substr(0, number).find_last_not_of(' ');
  return before_spaces == std::string_view::npos ? 0 : before_spaces + 1;
}

}  // namespace

LoaderTrace SplitLoaderTrace(std::string_view output, pid_t process) {
  const std::string mark = std::to_string(process) + ":\t";
  LoaderTrace trace;
  for (const std::string_view line : SplitLines(output)) {
    std::string_view text;
    const std::size_t begin = FindLoaderText(line, mark, text);
    if (begin == std::string_view::npos) {
      trace.plugin_output.append(line).push_back('\n');
      continue;
    }
    trace.plugin_output.append(line.substr(0, begin));
    if (text.substr(0, kInit.size()) == kInit) trace.constructor_of = text.substr(kInit.size());
  }
  return trace;
}

void AnnounceNoConstructor() {
  dprintf(STDERR_FILENO, "%10d:\t%s\n", getpid(), kInit.data());
}

std::string JoinLastLines(std::string_view text, std::size_t max_lines, std::size_t max_bytes) {
  std::string joined;
  std::vector<std::string_view> lines = SplitLines(text);
  lines.erase(std::remove_if(lines.begin(), lines.end(),
                             [](std::string_view line) {
                               return line.find_first_not_of(" \t\r") == std::string_view::npos;
                             }),
              lines.end());
  const std::size_t first = lines.size() > max_lines ? lines.size() - max_lines : 0;
  for (std::size_t i = first; i < lines.size(); ++i) {
    joined.append(joined.empty() ? "" : " | ").append(lines[i]);
  }
  if (joined.size() > max_bytes) joined.replace(0, joined.size() - max_bytes, "...");
  return joined;
}

}  // namespace backplane::probing
