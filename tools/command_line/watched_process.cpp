#include "command_line/watched_process.hpp"

#include <backplane/host/crash_notes.hpp>

#include "command_line/usage.hpp"
#include "spawn/ends.hpp"
#include "spawn/shared_text.hpp"
#include "spawn/status_file.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

namespace backplane::command_line {

/// A backend may overwrite it; readers take nothing in it for granted.
struct WatchedState {
  std::atomic<int> has_result;       // the command has said what it had to say
  std::atomic<int> exit_code;        // then
  std::atomic<int> is_mute;          // nothing can be written any more
  spawn::SharedText<512> step;       // "while ..."
  spawn::SharedText<PATH_MAX> file;  // of the backend whose code runs; "" when that is not known
};

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
  std::error_code error;
  return std::filesystem::current_path(error).string();
}

std::string ToOctal(mode_t mask) {
  char text[8];
  std::snprintf(text, sizeof(text), "%04o", static_cast<unsigned>(mask));
  return text;
}

/// Those that someone outside sends to a command, and that mean the watching process too.
constexpr int kMeantForCommand[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};

/// "its process was ended by SIGSEGV (Segmentation fault)".
std::string DescribeEnd(int status) {
  return "its process " + spawn::DescribeStatus(status) +
         (WIFEXITED(status) ? ", by exit or _exit" : "");
}

/// "; thread 12 was in layer ...", for each of them.
std::string DescribePlaces(const std::vector<ThreadPlace>& places) {
  std::string text;
  for (const ThreadPlace& place : places) {
    text += "; thread " + std::to_string(place.thread) + " was " + place.place;
  }
  return text;
}

/// The backend is known.
Diagnostic DescribeLossBy(const std::string& path, int status, const WatchedState& state) {
  Diagnostic diagnostic{DiagnosticCode::kCommandEnded};
  diagnostic.subject = {SubjectKind::kFile, path};
  diagnostic.what = path + " ended the process that opened it, and with it the command";
  diagnostic.why = DescribeEnd(status) + " " + state.step.Get() +
                   "; nothing is known of this file and those behind it";
  diagnostic.fix =
      "run without --probe in-process, so that each backend runs in a process of its own first; or "
      "add --disable " +
      path.substr(path.find_last_of('/') + 1);
  return diagnostic;
}

Diagnostic DescribeLoss(int status, const WatchedState& state) {
  const std::string file = state.file.Get();
  if (!file.empty() && state.is_mute.load() == 0) return DescribeLossBy(file, status, state);
  Diagnostic diagnostic{DiagnosticCode::kCommandEnded};
  diagnostic.subject = {SubjectKind::kOption, "--probe"};
  std::vector<ThreadPlace> places = GetThreadPlaces();
  diagnostic.what = "a backend ended the command before it had a result";
  diagnostic.fix =
      "name the backends to use with --backends, or leave them out one after the other with "
      "--disable, to see which it is; with --probe child, most such backends are rejected by name";
  if (!places.empty() && (places.size() == 1 || places.front().has_written)) {
    diagnostic.what = "the command ended before it had a result, " + places.front().place;
    diagnostic.fix =
        "run this backend in a process of its own with --isolate, or leave it out with --disable; "
        "tell its vendor";
    places.erase(places.begin());
  }
  diagnostic.why = DescribeEnd(status) + " " + state.step.Get() + DescribePlaces(places) +
                   "; expected that backends leave the end to the command";
  if (state.is_mute.load() != 0) {
    diagnostic.what = "a backend took standard output and error from the command";
    diagnostic.why = "found them closed or redirected " + state.step.Get() +
                     ", with every descriptor that was kept aside; expected that backends touch "
                     "only their own";
  }
  return diagnostic;
}

/// The results are out; only how it ended is worth a word.
Diagnostic DescribeLateEnd(int status) {
  Diagnostic diagnostic{DiagnosticCode::kCommandEnded, Severity::kWarning};
  diagnostic.subject = {SubjectKind::kOption, "--probe"};
  diagnostic.what = "a backend ended the command when its results were written";
  diagnostic.why = DescribeEnd(status) + " while everything was being closed";
  diagnostic.fix = "the results stand; report it to the backend's vendor";
  return diagnostic;
}

bool IsTraced() {
  const std::string tracer = spawn::ReadStatusLine("self", "TracerPid");
  return !tracer.empty() && tracer != "0";
}

void EndAsOneself(int signal) {
  std::signal(signal, SIG_DFL);
  raise(signal);
}

int EndLate(int status, int exit_code, WarningPolicy warnings) {
  const Diagnostic late = DescribeLateEnd(status);
  PrintDiagnostic(late);
  if (warnings != WarningPolicy::kFail || exit_code != 0) return exit_code;
  PrintDiagnostic(DescribeWarnings({late}));
  return kExitWarned;
}

int Watch(pid_t process, const WatchedState& state,
          const std::function<int(const Diagnostic&)>& explain, WarningPolicy warnings) {
  const int status = spawn::WaitForChild(process);
  const int exit_code = state.exit_code.load();
  if (state.has_result.load() != 0) {
    const bool is_as_told = WIFEXITED(status) && WEXITSTATUS(status) == exit_code;
    return is_as_told ? exit_code : EndLate(status, exit_code, warnings);
  }
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  const auto* end = std::end(kMeantForCommand);
  if (std::find(std::begin(kMeantForCommand), end, signal) != end) EndAsOneself(signal);
  return explain(DescribeLoss(status, state));
}

int Work(const std::function<int(WatchedProcess&)>& work, WatchedState& state) {
  WatchedProcess process(state);
  const int exit_code = work(process);
  state.exit_code.store(exit_code);
  state.has_result.store(1);
  return exit_code;
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
    changes_.push_back("the working directory from " + directory_ + " to " + directory);
  }
  const mode_t mask = umask(umask_);
  if (mask != umask_)
    changes_.push_back("the umask from " + ToOctal(umask_) + " to " + ToOctal(mask));
}

void WatchedProcess::TakeBackOutput(const Output& output) {
  if (IsSame(output.descriptor, output.target)) return;
  if (!IsSame(output.copy, output.target) || dup2(output.copy, output.descriptor) < 0) EndMute();
  changes_.push_back(output.descriptor == STDOUT_FILENO ? "standard output, closed or redirected"
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

int RunWatched(const std::function<int(WatchedProcess&)>& work,
               const std::function<int(const Diagnostic&)>& explain, WarningPolicy warnings) {
  static WatchedState here;  // where there is no other process
  WatchedState* state = IsTraced() ? nullptr : spawn::MapShared<WatchedState>();
  if (state == nullptr) return Work(work, here);
  ShareThreadPlaces();  // without memory for that, the places are not told
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process > 0) return Watch(process, *state, explain, warnings);
  if (process == 0) spawn::EndWithParent(parent);
  return Work(work, *state);
}

}  // namespace backplane::command_line
