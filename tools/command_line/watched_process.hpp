#pragma once

#include <backplane/host/diagnostic.hpp>

#include "command_line/fail_on_warning.hpp"

#include <sys/stat.h>
#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace backplane::command_line {

/// What the process that works tells the one that watches it: memory that both have mapped, which
/// nothing that a backend does to its descriptors can lose.
struct WatchedState;

/// The process in which a command runs code of backends, as the command needs it: being one and not
/// two, with its standard output and error, its working directory and its umask.
class WatchedProcess {
 public:
  /// Remembers how the process is. `state` must stay.
  explicit WatchedProcess(WatchedState& state);
  WatchedProcess(const WatchedProcess&) = delete;
  WatchedProcess& operator=(const WatchedProcess&) = delete;

  /// Says what is done from now on, as "while the backends were opened", and takes back, as
  /// TakeBack.
  void Begin(const std::string& step);

  /// As Begin, for one file whose code runs from now on: should that end the process, it is named.
  void BeginFile(const std::string& path);

  /// Puts back what backends changed. Ends the process when it is a copy that one of them made by
  /// fork, and when nothing can be written any more, which the watching process then says.
  void TakeBack();

  /// Ends the process here and now, from any thread, when the command has said what it had to say.
  [[noreturn]] void End(int exit_code);

  /// From now on, what backends print goes to standard error, and only results to standard output.
  /// Without a standard error, nothing changes.
  void KeepResultsApart();

  /// Standard output is there for results, for the life of the object.
  class Results;

  /// A warning for all that was put back until now.
  std::optional<Diagnostic> GetWarning() const;

 private:
  struct Output {
    int descriptor = -1;
    int copy = -1;  // -1: it was closed from the beginning
    struct stat target {};
  };

  void Keep(int descriptor);
  void ShowResults();
  void HideResults();
  [[noreturn]] void EndMute();
  void TakeBackOutput(const Output& output);

  WatchedState& state_;
  const pid_t process_;
  std::vector<Output> outputs_;
  Output results_;  // what standard output was, when results are kept apart
  bool are_results_apart_ = false;
  std::string directory_;  // "" when it has no name
  mode_t umask_;
  std::vector<std::string> changes_;
};

class WatchedProcess::Results {
 public:
  /// Borrows the process. Ends it when nothing can be written any more, as TakeBack.
  explicit Results(WatchedProcess& process) : process_(process) { process_.ShowResults(); }
  ~Results() { process_.HideResults(); }
  Results(const Results&) = delete;
  Results& operator=(const Results&) = delete;

 private:
  WatchedProcess& process_;
};

/// Runs `work` in a process of its own, which another one watches, so that a backend that ends it
/// does not end the command without a word. Gives the exit code of the command: that of `work`, or
/// what `explain` returns, which is called in the watching process when `work` did not return.
/// A signal that means the command ends it as well. A command that is traced does the work itself:
/// debuggers follow that process. No thread may run yet. With WarningPolicy::kFail, an end that a
/// backend spoils after the results are out is kExitWarned instead of 0.
int RunWatched(const std::function<int(WatchedProcess&)>& work,
               const std::function<int(const Diagnostic&)>& explain, WarningPolicy warnings);

}  // namespace backplane::command_line
