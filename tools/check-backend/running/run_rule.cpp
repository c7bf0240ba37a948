#include "running/run_rule.hpp"

#include "spawn/child_program.hpp"
#include "spawn/ends.hpp"
#include "spawn/output_tail.hpp"
#include "spawn/status_file.hpp"

#include <backplane/host/diagnostic.hpp>

#include <cxxabi.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <system_error>
#include <typeinfo>

namespace backplane::check_backend {
namespace {

constexpr int kMaxDeaths = 5;
/// Each of them begins the rule anew.
constexpr int kMaxExceptions = 20;

/// A directory with nothing but a link to a file, in which a runtime finds it; for the life of the
/// object. It belongs to the process that watches: the other may die at any time.
class LinkDirectory {
 public:
  explicit LinkDirectory(const std::string& file) {
    namespace fs = std::filesystem;
    try {
      std::string path = fs::temp_directory_path() / "check-backend-XXXXXX";
      if (mkdtemp(path.data()) == nullptr) {
        throw std::system_error(errno, std::generic_category(), path);
      }
      path_ = path;
      fs::create_symlink(fs::absolute(file), fs::path(path) / fs::path(file).filename());
    } catch (const std::system_error& error) {
      fault_ = error.what();
    }
  }
  ~LinkDirectory() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  LinkDirectory(const LinkDirectory&) = delete;
  LinkDirectory& operator=(const LinkDirectory&) = delete;

  /// "" when it cannot be made.
  const std::string& GetPath() const { return path_; }
  /// Why it cannot be made.
  const std::string& GetFault() const { return fault_; }

 private:
  std::string path_;
  std::string fault_;
};

std::string NameType(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), &std::free);
  return name != nullptr ? name.get() : type.name();
}

/// False: the rule was left by an exception, and is to be run again behind the case.
bool Apply(const Rule& rule, Session& session) {
  const char* const expected = "no exception here";
  try {
    rule.check(session);
    return true;
  } catch (const CannotCheck& exception) {
    session.Skip(exception.what());
    return true;
  } catch (const DiagnosticException& exception) {
    session.Report(ToText(exception.GetDiagnostic()), expected);
  } catch (const std::exception& exception) {
    session.Report(NameType(typeid(exception)) + ": " + exception.what(), expected);
  } catch (...) {
    session.Report("an exception that is not derived from std::exception", expected);
  }
  return false;
}

void WorkInChild(const Rule& rule, SessionSettings settings, SharedRecord& record) {
  for (int num_exceptions = 0; num_exceptions < kMaxExceptions; ++num_exceptions) {
    bool is_whole = false;
    {
      Session session(rule, settings, record);
      is_whole = Apply(rule, session);
    }
    const std::uint64_t at = record.case_index.load();
    if (is_whole || at == SharedRecord::kNoCase || at < settings.first_case) break;
    settings.first_case = at + 1;
  }
  record.has_finished.store(1);
}

enum class ChildOutcome {
  kFinished,  // the work returned
  kDied,      // the process ended before
  kHung,      // no sign of life for too long; it was killed
};

struct ChildEnd {
  ChildOutcome outcome = ChildOutcome::kFinished;
  std::string how;     // "was ended by SIGSEGV", ...; "" when it finished
  std::string output;  // the last lines that it wrote to standard output and error
};

using spawn::GetSignalName;

constexpr std::size_t kMaxOutput = 2000;

[[noreturn]] void ThrowLastError(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

void Redirect(int writer) {
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  dup2(writer, STDOUT_FILENO);
  dup2(writer, STDERR_FILENO);
}

[[noreturn]] void Work(const std::function<void()>& work, const RunSettings& settings, pid_t parent,
                       int writer) {
  spawn::EndWithParent(parent);
  Redirect(writer);
  spawn::BoundChild(settings.max_data_bytes);
  work();
  std::fflush(nullptr);
  _exit(0);
}

/// The work, and what has lost its parent. Whoever keeps them then ends all that is left.
void KillChildren(pid_t process) {
  for (const pid_t child : spawn::ListChildren(process)) kill(child, SIGKILL);
}

/// The process that code of the backend can find as its parent.
[[noreturn]] void Keep(const std::function<void()>& work, const RunSettings& settings, pid_t parent,
                       int writer, SharedRecord& record) {
  spawn::EndWithParent(parent);
  setpgid(0, 0);  // to be ended together with all that the work starts
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t self = getpid();
  const pid_t worker = fork();
  if (worker == 0) Work(work, settings, self, writer);
  if (worker < 0) _exit(1);
  record.end_status.store(spawn::WaitForChild(worker));
  record.is_end_known.store(1);
  spawn::EndDescendants(worker);
  _exit(0);
}

std::string DescribeEnd(int keeper_status, const SharedRecord& record) {
  if (record.is_end_known.load() == 0) {
    if (!WIFSIGNALED(keeper_status)) return "no process could be made for it";
    return "ended the process that had started it, by " + GetSignalName(WTERMSIG(keeper_status));
  }
  const int status = record.end_status.load();
  if (WIFSIGNALED(status)) return "ended the process, by " + GetSignalName(WTERMSIG(status));
  return "ended the process with exit code " + std::to_string(WEXITSTATUS(status)) +
         ", by exit or _exit";
}

spawn::Watched WaitForEnd(pid_t keeper, int ended, spawn::OutputTail& output,
                          const RunSettings& settings, const SharedRecord& record) {
  spawn::ChildWatch watch;
  watch.process = keeper;
  watch.outputs = {&output};
  watch.timeout = settings.timeout;
  watch.count_signs = [&] { return record.num_signs.load(); };
  watch.is_to_stop = [&] {
    if (settings.on_progress) settings.on_progress(record.num_cases.load());
    return false;
  };
  watch.descriptor = ended;
  watch.step = std::chrono::milliseconds(200);
  return spawn::WatchChild(watch);
}

/// Runs `work` in a process of its own, in whose parent nothing of value is: a third one, here,
/// watches both. Whatever it starts ends with it.
/// Errors: std::system_error when no process can be made.
ChildEnd RunChild(const std::function<void()>& work, const RunSettings& settings,
                  SharedRecord& record) {
  record.is_end_known.store(0);
  record.has_finished.store(0);
  record.fault.Set("");
  auto pipe = spawn::MakePipe();
  if (!pipe) ThrowLastError("a pipe for a backend");
  fcntl(pipe->read.Get(), F_SETFL, O_NONBLOCK);
  std::fflush(nullptr);  // else what is not written yet would be written twice
  const pid_t parent = getpid();
  const pid_t keeper = fork();
  if (keeper < 0) ThrowLastError("a process for a backend");
  if (keeper == 0) Keep(work, settings, parent, pipe->write.Get(), record);
  pipe->write = wire::FileDescriptor();
  spawn::OutputTail output(std::move(pipe->read));
  const spawn::StartedProcess process(keeper);
  ChildEnd end;
  const spawn::Watched watched =
      WaitForEnd(keeper, process.GetDescriptor(), output, settings, record);
  if (watched.end != spawn::WatchEnd::kEnded) {
    KillChildren(keeper);
    constexpr int kPatienceMs = 2000;
    pollfd ended{process.GetDescriptor(), POLLIN, 0};
    poll(&ended, 1, kPatienceMs);
  }
  kill(-keeper, SIGKILL);
  process.Kill();
  const int status = process.Reap().value_or(0);
  output.Drain();
  const std::string& written = output.GetEnd();
  end.output = written.substr(written.size() - std::min(written.size(), kMaxOutput));
  if (watched.end == spawn::WatchEnd::kStopped) {
    end.outcome = ChildOutcome::kDied;
    end.how = "stopped the process that had started it, by " + GetSignalName(watched.stop_signal);
  } else if (watched.end != spawn::WatchEnd::kEnded) {
    end.outcome = ChildOutcome::kHung;
    end.how = "did not come back for " + std::to_string(settings.timeout.count() / 1000) + " s";
  } else if (record.has_finished.load() == 0) {
    end.outcome = ChildOutcome::kDied;
    end.how = DescribeEnd(status, record);
  }
  return end;
}

std::string DescribeLoss(const ChildEnd& end, const SharedRecord& record) {
  std::string text = end.how;
  const std::string fault = record.fault.Get();
  if (!fault.empty()) text += ": " + fault;
  if (!end.output.empty()) text += "; its last output: " + end.output;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::vector<std::pair<std::string, std::string>> ReadNotes(const std::string& lines) {
  std::vector<std::pair<std::string, std::string>> notes;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    std::pair<std::string, std::string> note(line.substr(0, tab), line.substr(tab + 1));
    // Several cases may say the same.
    if (std::find(notes.begin(), notes.end(), note) == notes.end())
      notes.push_back(std::move(note));
  }
  return notes;
}

}  // namespace

RuleResult RunRule(const Rule& rule, const RunSettings& settings) {
  const auto begin = std::chrono::steady_clock::now();
  const std::shared_ptr<SharedRecord> record = MapSharedRecord();
  const LinkDirectory directory(settings.session.path);
  SessionSettings session = settings.session;
  session.link_directory = directory.GetPath();
  session.link_fault = directory.GetFault();
  RuleResult result;
  result.rule = &rule;
  std::vector<Finding> losses;
  for (int num_deaths = 0; num_deaths < kMaxDeaths && !result.has_hung; ++num_deaths) {
    record->case_index.store(SharedRecord::kNoCase);
    const ChildEnd end = RunChild([&] { WorkInChild(rule, session, *record); }, settings, *record);
    if (end.outcome == ChildOutcome::kFinished) break;
    const std::uint64_t at = record->case_index.load();
    const bool is_before_cases = at == SharedRecord::kNoCase;
    losses.push_back({is_before_cases ? 0 : at,
                      is_before_cases ? "opens the backend" : record->done.Get(),
                      DescribeLoss(end, *record), "that the backend leaves the process alone"});
    result.has_hung = end.outcome == ChildOutcome::kHung;
    if (is_before_cases) break;
    session.first_case = at + 1;
  }
  result.findings = ReadFindings(record->findings.Get());
  result.num_findings = record->num_findings.load() + losses.size();
  // What was seen in a case stands before what ended it.
  result.findings.insert(result.findings.end(), losses.begin(), losses.end());
  std::stable_sort(result.findings.begin(), result.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.case_index < b.case_index; });
  result.num_cases = record->num_cases.load();
  result.skipped = record->skipped.Get();
  result.notes = ReadNotes(record->notes.Get());
  result.code = record->code.Get();
  result.duration = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begin);
  return result;
}

}  // namespace backplane::check_backend
