#include "command_line/watched_process.hpp"

#include "command_line/watched_state.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <utility>

namespace backplane::command_line {
namespace {

bool IsSame(int descriptor, const struct stat& target) {
  struct stat found {};
  return fstat(descriptor, &found) == 0 && found.st_dev == target.st_dev &&
         found.st_ino == target.st_ino;
}

/// Where a backend that closes or redirects the first descriptors does not come by.
int CopyFarAway(int descriptor) {
  for (const int least : {900, 100, STDERR_FILENO + 1}) {
    const int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, least);
    if (copy >= 0) return copy;
  }
  return -1;
}

int OpenOutputOfParent() {
  const std::string path = "/proc/" + std::to_string(getppid()) + "/fd/1";
  return open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
}

std::string GetDirectory() {
  char path[PATH_MAX];
  return getcwd(path, sizeof(path)) != nullptr ? path : "";
}

std::string ToOctal(mode_t mask) {
  char text[8];
  std::snprintf(text, sizeof(text), "%04o", static_cast<unsigned>(mask));
  return text;
}

}  // namespace

WatchedProcess::WatchedProcess(WatchedState& state)
    : state_(state), process_(getpid()), directory_(GetDirectory()), umask_(umask(0)) {
  umask(umask_);
  Keep(STDOUT_FILENO);
  Keep(STDERR_FILENO);
}

void WatchedProcess::End(int exit_code) {
  state_.exit_code.store(exit_code);
  state_.has_result.store(1);
  _exit(exit_code);
}

void WatchedProcess::Keep(int descriptor) {
  Output output;
  output.descriptor = descriptor;
  if (fstat(descriptor, &output.target) != 0) return;
  output.copy = CopyFarAway(descriptor);
  outputs_.push_back(output);
}

void WatchedProcess::KeepResultsApart() {
  if (outputs_.size() < 2 || are_results_apart_) return;
  Output& output = outputs_.front();
  const Output& error = outputs_.back();
  std::fflush(stdout);
  if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return;
  results_ = output;
  output.target = error.target;
  output.copy = error.copy;
  are_results_apart_ = true;
}

void WatchedProcess::Begin(const std::string& step) {
  TakeBack();
  state_.step.Set(step);
  state_.file.Set("");
}

void WatchedProcess::BeginFile(const std::string& path) {
  Begin("while it was opened");
  state_.file.Set(path);
}

void WatchedProcess::TakeBack() {
  constexpr int kEndedQuietly = 0;
  if (getpid() != process_) _exit(kEndedQuietly);  // the first process goes on with the work
  for (const Output& output : outputs_) TakeBackOutput(output);
  const std::string directory = GetDirectory();
  if (!directory_.empty() && directory != directory_ && chdir(directory_.c_str()) == 0) {
    Note("the working directory from " + directory_ + " to " + directory);
  }
  const mode_t mask = umask(umask_);
  if (mask != umask_) Note("the umask from " + ToOctal(umask_) + " to " + ToOctal(mask));
}

void WatchedProcess::TakeBackOutput(const Output& output) {
  if (IsSame(output.descriptor, output.target)) return;
  if (!IsSame(output.copy, output.target) || dup2(output.copy, output.descriptor) < 0) EndMute();
  Note(output.descriptor == STDOUT_FILENO ? "standard output, closed or redirected"
                                          : "standard error, closed or redirected");
}

// Backends may have closed the copy with all descriptors; the process that watches has its own.
void WatchedProcess::ShowResults() {
  if (!are_results_apart_) return;
  std::fflush(stdout);  // of backends
  if (!IsSame(results_.copy, results_.target)) results_.copy = OpenOutputOfParent();
  if (!IsSame(results_.copy, results_.target) || dup2(results_.copy, STDOUT_FILENO) < 0) EndMute();
}

void WatchedProcess::HideResults() {
  if (!are_results_apart_) return;
  std::fflush(stdout);
  dup2(STDERR_FILENO, STDOUT_FILENO);
}

void WatchedProcess::EndMute() {
  state_.is_mute.store(1);
  _exit(1);
}

void WatchedProcess::Note(const std::string& change) {
  changes_.push_back(change);
}

std::optional<Diagnostic> WatchedProcess::GetWarning() const {
  if (changes_.empty()) return std::nullopt;
  Diagnostic diagnostic{DiagnosticCode::kChangedProcessState, Severity::kWarning};
  diagnostic.subject.kind = SubjectKind::kOption;
  diagnostic.subject.name = "--probe";
  diagnostic.what = "a backend that was opened here changed the process";
  for (const std::string& change : changes_) {
    diagnostic.why += (diagnostic.why.empty() ? "found changed: " : "; ") + change;
  }
  diagnostic.why += "; it was put back";
  diagnostic.fix =
      "run with --probe child and without --allow-intrusive, which names and rejects such backends";
  return diagnostic;
}

}  // namespace backplane::command_line
