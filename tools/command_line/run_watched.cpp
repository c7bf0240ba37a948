#include <backplane/host/crash_notes.hpp>

#include "command_line/usage.hpp"
#include "command_line/watched_process.hpp"
#include "command_line/watched_state.hpp"
#include "spawn/ends.hpp"
#include "spawn/status_file.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iterator>

namespace backplane::command_line {
namespace {

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
