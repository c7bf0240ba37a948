#include "scan_progress.hpp"

#include "command_line/terminal.hpp"

#include <backplane/host/diagnostic.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <system_error>

namespace backplane::list_backends {
namespace {

std::string MakeLine(const ScanStep& step) {
  if (step.deed == ScanDeed::kRunTogether) return "running all backends together";
  if (step.number == 0) return "";
  return (step.deed == ScanDeed::kRead ? "reading " : "running ") + std::to_string(step.number) +
         " of " + std::to_string(step.count) + ": " +
         EscapeForDisplay(step.path.substr(step.path.find_last_of('/') + 1));
}

}  // namespace

ScanProgress::ScanProgress() {
  if (isatty(STDERR_FILENO) == 0) return;
  try {
    thread_ = std::thread([this] { ShowUntilTheEnd(); });
  } catch (const std::system_error&) {
    return;  // the scan itself needs no thread
  }
}

ScanProgress::~ScanProgress() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    has_ended_ = true;
  }
  end_.notify_one();
  if (thread_.joinable()) thread_.join();
  if (num_columns_shown_ != 0) Show("");
}

void ScanProgress::Take(const ScanStep& step) {
  const std::lock_guard<std::mutex> lock(mutex_);
  step_ = step;
}

/// By the clock, not by steps: those that hang have begun all at once.
void ScanProgress::ShowUntilTheEnd() {
  constexpr std::chrono::milliseconds kFirst(600);
  constexpr std::chrono::milliseconds kInterval(200);
  std::unique_lock<std::mutex> lock(mutex_);
  auto wait = kFirst;
  while (!end_.wait_for(lock, wait, [this] { return has_ended_; })) {
    Show(MakeLine(step_));
    wait = kInterval;
  }
}

/// Over what was shown before.
void ScanProgress::Show(const std::string& line) {
  // The last column stays free, so that no terminal begins a new line.
  const std::size_t width = command_line::DescribeTerminal(STDERR_FILENO).width - 1;
  const std::string text = line.substr(0, width);
  const std::size_t rest =
      std::min(width, std::max(num_columns_shown_, text.size())) - std::min(width, text.size());
  std::fprintf(stderr, "\r%s%s\r%s", text.c_str(), std::string(rest, ' ').c_str(), text.c_str());
  std::fflush(stderr);
  num_columns_shown_ = text.size();
}

}  // namespace backplane::list_backends
