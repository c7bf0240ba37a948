#include "watched_scan.hpp"

#include "command_line/usage.hpp"
#include "exit_code.hpp"

#include <backplane/host/diagnostic.hpp>

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <fstream>
#include <new>

namespace backplane::list_backends {
namespace {

/// What the process that scans leaves for the one that waits, in memory of both.
struct Note {
  std::atomic<bool> has_ended_well{false};
  char path[PATH_MAX]{};  // of the file whose code runs, or ran last
};

Note* MapNote() {
  void* memory =
      mmap(nullptr, sizeof(Note), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : new (memory) Note;
}

void Write(const std::string& path, Note& note) {
  const std::size_t bytes = std::min(path.size(), sizeof(note.path) - 1);
  std::memcpy(note.path, path.data(), bytes);
  note.path[bytes] = '\0';
}

bool IsTraced() {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.rfind("TracerPid:", 0) == 0) return line.find_first_of("123456789") != line.npos;
  }
  return false;
}

std::string DescribeEnd(int status) {
  if (!WIFSIGNALED(status)) {
    return "it called exit or _exit with code " + std::to_string(WEXITSTATUS(status)) +
           ", expected it to return or to throw";
  }
  const char* text = strsignal(WTERMSIG(status));
  return "signal " + std::to_string(WTERMSIG(status)) + (text != nullptr ? " (" : "") +
         (text != nullptr ? text : "") + (text != nullptr ? ")" : "") + " ended it";
}

enum class Results { kLost, kWritten };

Diagnostic DescribeLoss(const std::string& path, int status, Results results) {
  const bool is_exit = !WIFSIGNALED(status);
  Diagnostic diagnostic{is_exit ? DiagnosticCode::kPluginExited : DiagnosticCode::kPluginCrashed};
  diagnostic.subject = {SubjectKind::kFile, path};
  diagnostic.what = results == Results::kLost
                        ? path + " ended the process that opened it, and with it the scan"
                        : "code that a backend left behind ended the scan's process";
  diagnostic.why = DescribeEnd(status) +
                   (results == Results::kLost
                        ? "; nothing is known of this file and those behind it"
                        : "; the results were written before, and " + path + " was opened last");
  diagnostic.fix =
      "scan without --probe in-process, so that each backend runs in a process of its own; or add "
      "--disable " +
      path.substr(path.find_last_of('/') + 1);
  return diagnostic;
}

int Wait(pid_t process, const Note& note) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return kExitNoneUsable;
  }
  if (note.has_ended_well.load() && WIFEXITED(status)) return WEXITSTATUS(status);
  const std::string path(note.path, strnlen(note.path, sizeof(note.path)));
  const Results results = note.has_ended_well.load() ? Results::kWritten : Results::kLost;
  command_line::PrintDiagnostic(DescribeLoss(path, status, results));
  return kExitNoneUsable;
}

}  // namespace

int RunWatched(const std::function<int(const OpeningNote&)>& work) {
  const auto work_here = [&work] { return work([](const std::string& /*path*/) {}); };
  Note* note = IsTraced() ? nullptr : MapNote();
  if (note == nullptr) return work_here();
  const pid_t watcher = getpid();
  const pid_t process = fork();
  if (process < 0) return work_here();
  if (process > 0) return Wait(process, *note);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != watcher) _exit(kExitNoneUsable);
  const int code = work([note](const std::string& path) { Write(path, *note); });
  note->has_ended_well.store(true);
  return code;
}

}  // namespace backplane::list_backends
