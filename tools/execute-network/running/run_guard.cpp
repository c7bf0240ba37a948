#include "running/run_guard.hpp"

#include <string>
#include <utility>
#include <vector>

namespace backplane::execute_network {

using std::chrono::steady_clock;

RunGuard::RunGuard(const IRuntime& runtime, std::optional<std::chrono::milliseconds> timeout,
                   GiveUp give_up)
    : runtime_(runtime), timeout_(timeout), give_up_(std::move(give_up)) {
  if (timeout_) thread_ = std::thread([this] { Watch(); });
}

RunGuard::~RunGuard() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

RunOptions RunGuard::GetRunOptions() const {
  RunOptions options;
  if (timeout_) options.timeout = *timeout_;
  return options;
}

RunGuard::Guarded::Guarded(RunGuard& guard) : guard_(guard) {
  if (!guard_.timeout_) return;
  const Time end = steady_clock::now() + *guard_.timeout_ + kRunGrace;
  bool is_first = false;
  {
    const std::lock_guard<std::mutex> lock(guard_.mutex_);
    is_first = guard_.ends_.empty();
    end_ = guard_.ends_.insert(end);
  }
  if (is_first) guard_.changed_.notify_one();
}

RunGuard::Guarded::~Guarded() {
  if (!guard_.timeout_) return;
  const std::lock_guard<std::mutex> lock(guard_.mutex_);
  guard_.ends_.erase(end_);
}

// Runs that begin later end later: it needs to be woken for the first one only.
void RunGuard::Watch() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!is_ending_) {
    if (ends_.empty()) {
      changed_.wait(lock);
    } else if (const Time end = *ends_.begin(); steady_clock::now() < end) {
      changed_.wait_until(lock, end);
    } else {
      give_up_(DescribeHanging());
      return;
    }
  }
}

Diagnostic RunGuard::DescribeHanging() const {
  const std::vector<RunInProgress> runs = runtime_.GetRunsInProgress();
  std::vector<Diagnostic> hanging;
  hanging.reserve(runs.size());
  for (const RunInProgress& run : runs) hanging.push_back(DescribeHang(run));
  Diagnostic diagnostic{DiagnosticCode::kRunHangs};
  if (hanging.size() == 1) {
    diagnostic = std::move(hanging.front());
  } else {
    diagnostic.what = std::to_string(hanging.size()) + " runs have not come back";
    diagnostic.causes = std::move(hanging);
  }
  diagnostic.why += (diagnostic.why.empty() ? "" : "; ") + std::string("--run-timeout allows ") +
                    std::to_string(timeout_->count()) + " ms, and the command ends without it";
  diagnostic.fix =
      "use another backend for this layer (--backends, --layer-backend), or allow more "
      "with --run-timeout";
  return diagnostic;
}

}  // namespace backplane::execute_network
