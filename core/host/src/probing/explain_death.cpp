#include "probing/explain_account.hpp"

#include "diagnostics/file_words.hpp"
#include "probing/shared_report.hpp"
#include "sandbox/call_filter.hpp"
#include "spawn/ends.hpp"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace backplane::probing {
namespace {

using diagnostics::GetFileName;
using spawn::GetSignalText;

std::string MakeAdvice(const std::string& path) {
  const std::string advice = "disable it with BACKPLANE_DISABLE_BACKENDS=" + GetFileName(path) +
                             ", and send this text to its vendor";
  const char* const preload = std::getenv("LD_PRELOAD");
  if (preload == nullptr || *preload == '\0') return advice;
  return "scan again without LD_PRELOAD, which brings " + std::string(preload) +
         " into its process too and may be the cause; only if it comes back, " + advice;
}

bool IsOfOwnConstructor(const ProbeAccount& account, const std::string& path) {
  return GetFileName(account.constructor_of) == GetFileName(path);
}

/// "while it was being opened, in a static constructor of libcrash.so.1".
std::string DescribeWhere(const ProbeAccount& account, const std::string& path) {
  if (!account.call.empty()) {
    if (account.call == "look") return "when what it had changed was looked at";
    if (account.call == "dlclose") return "while it was being closed";
    if (account.call == "exit") return "when the process that had closed it ended";
    return "in " + account.call;
  }
  if (account.stage != Stage::kOpen) {
    return std::string("in the stage \"") + GetStageName(account.stage) + '"';
  }
  if (account.constructor_of.empty()) {
    return "while it was being opened, before any constructor ran (the loader was reading it and "
           "the libraries that it needs, or running resolvers of theirs)";
  }
  return "while it was being opened, in a static constructor of " +
         (IsOfOwnConstructor(account, path) ? "its own" : GetFileName(account.constructor_of));
}

std::string GetMebibytes(std::uint64_t bytes) {
  return std::to_string(bytes >> 20U) + " MiB";
}

/// Names the library of the constructor and the last words, as every death does at the end of a
/// sentence.
std::string DescribeTraces(const ProbeAccount& account, const std::string& path) {
  std::string text;
  const bool is_named = account.stage == Stage::kOpen && account.call.empty() &&
                        !account.constructor_of.empty() && !IsOfOwnConstructor(account, path);
  if (is_named) text += "; the constructor is of " + account.constructor_of;
  if (!account.stderr_end.empty()) text += "; it wrote last: \"" + account.stderr_end + '"';
  return text;
}

/// Finds the words of an exception that nobody caught; a plugin with a C++ runtime of its own has
/// only written them.
std::string FindThrown(const ProbeAccount& account) {
  constexpr char kTerminate[] = "terminate called";
  if (!account.thrown.empty()) return account.thrown;
  const std::size_t begin = account.stderr_end.find(kTerminate);
  return begin == std::string::npos ? "" : account.stderr_end.substr(begin);
}

// The kernel numbers the modes of seccomp so.
constexpr int kNoFilter = 0;
constexpr int kStrictMode = 1;
constexpr int kKilledMode = 3;  // what newer kernels make of the mode of what they killed for it

struct Explanation {
  DiagnosticCode code;
  std::string what;
  std::string why;
  std::string fix;
};

/// One death, of the backend with this path.
class Death {
 public:
  Death(const ProbeAccount& account, const std::string& path)
      : account_(account),
        where_(DescribeWhere(account, path)),
        traces_(DescribeTraces(account, path)),
        advice_(MakeAdvice(path)),
        scan_again_("scan again: nothing is kept of this end; only if it comes back, " + advice_) {}

  /// Says why a contradictory report was rejected, where else it would only be lost.
  Explanation Explain() const {
    Explanation explanation = ExplainKind();
    const bool is_lost =
        explanation.code == DiagnosticCode::kProbeFailed && !account_.report_fault.empty();
    return is_lost ? ExplainImpossibleReport() : explanation;
  }

 private:
  Explanation ExplainKind() const {
    const bool has_called_exec = account_.evidence.has_called_exec;
    switch (account_.end) {
      case ProcessEnd::kTimedOut:
        return ExplainTimeout();
      case ProcessEnd::kSignalled:
        return has_called_exec ? ExplainExec() : ExplainSignal();
      case ProcessEnd::kExited:
        return has_called_exec ? ExplainExec() : ExplainEnd();
      case ProcessEnd::kStopped:
        return ExplainStop();
      case ProcessEnd::kInterrupted:
        return ExplainInterruption();
      case ProcessEnd::kNotStarted:
        break;
    }
    std::string why = "no process could be made to run it in";
    if (account_.start_error != 0) why += std::string(": ") + std::strerror(account_.start_error);
    return {DiagnosticCode::kProbeNotStarted, "was not checked, and not opened", std::move(why),
            AdviseOnStart(account_.start_error, "")};
  }

  Explanation ExplainTimeout() const {
    return {DiagnosticCode::kPluginTimedOut, "did not come to an end " + where_,
            "expected an end within " + std::to_string(account_.timeout_ms) +
                " ms; it was still running then, and was ended" + traces_,
            "if it needs longer, allow more (list-backends --timeout S); otherwise " + advice_};
  }

  Explanation ExplainStop() const {
    return {DiagnosticCode::kPluginStopped, "was stopped " + where_,
            "it was stopped by " + GetSignalText(account_.signal) +
                ", and nobody would continue it; a process from outside or the backend itself sent "
                "that, which the kernel does not tell; expected it to go on" +
                traces_,
            scan_again_};
  }

  Explanation ExplainInterruption() const {
    const std::string sender = account_.sender == 0
                                   ? "a process of another namespace"
                                   : "the process " + std::to_string(account_.sender);
    return {DiagnosticCode::kProbeFailed, "was not checked to the end",
            sender + " sent " + GetSignalText(account_.signal) +
                " to the process that watches it, " + where_,
            "scan again, and let backplane-probe come to its end"};
  }

  Explanation ExplainEnd() const {
    if (!account_.is_closed) return ExplainExit();
    if (account_.report_bytes > SharedReport::kMaxBodyBytes) return ExplainLongReport();
    return account_.report && (account_.exit_code != 0 || !account_.is_ended) ? ExplainLateExit()
                                                                              : ExplainLostReport();
  }

  Explanation ExplainLateExit() const {
    return {DiagnosticCode::kPluginExited, "cut the end of the process short, " + where_,
            "it called _exit with code " + std::to_string(account_.exit_code) +
                " from a destructor of a static object or a handler of the process's end, so that "
                "what the application and other libraries do then does not happen; expected it "
                "to return" +
                traces_,
            "vendor: call neither exit nor _exit; until then " + advice_};
  }

  Explanation ExplainLongReport() const {
    return {DiagnosticCode::kProbeFailed, "says more of itself than can be read",
            "what it says of its capabilities, options and tensor-handle factories, and what was "
            "found, has " +
                std::to_string(account_.report_bytes) + " bytes, expected at most " +
                std::to_string(SharedReport::kMaxBodyBytes) + traces_,
            advice_};
  }

  Explanation ExplainExec() const {
    const std::string end = account_.end == ProcessEnd::kExited
                                ? "exit code " + std::to_string(account_.exit_code)
                                : GetSignalText(account_.signal);
    return {DiagnosticCode::kPluginExited, "replaced the process that loaded it " + where_,
            "it called exec, and the program that took its place ended with " + end +
                "; expected it to return or to throw" + traces_,
            "vendor: start programs in a process of their own; until then " + advice_};
  }

  Explanation ExplainExit() const {
    return {DiagnosticCode::kPluginExited, "ended the process that loaded it " + where_,
            "it called exit or _exit with code " + std::to_string(account_.exit_code) +
                ", expected it to return or to throw" + traces_,
            advice_};
  }

  /// It ran to its end, but its own part of the account is not there.
  Explanation ExplainLostReport() const {
    return {DiagnosticCode::kProbeFailed, "ran to its end, but what was found cannot be read",
            "the report of its process was overwritten while its code ran; expected it to write "
            "into no memory but its own" +
                traces_,
            advice_};
  }

  Explanation ExplainImpossibleReport() const {
    return {DiagnosticCode::kProbeReportInvalid,
            "was run, and the report of its process cannot be true",
            "found " + account_.report_fault +
                ", expected what the stages write; code of the backend shares memory with the "
                "report and must have changed it",
            "remove it, or " + advice_};
  }

  Explanation ExplainSignal() const {
    const std::string thrown = FindThrown(account_);
    if (account_.signal == SIGABRT && !thrown.empty()) {
      const bool is_memory = thrown.find("std::bad_alloc") != std::string::npos;
      return is_memory ? ExplainMemory(thrown) : ExplainException(thrown);
    }
    if (account_.is_stack_overflow) {
      return {DiagnosticCode::kStackOverflow, "overflowed its stack " + where_,
              GetSignalText(account_.signal) +
                  " at the end of the main thread's stack, as endless recursion gives" + traces_,
              advice_};
    }
    if (account_.signal == SIGKILL) return ExplainKill();
    return ExplainCrash();
  }

  Explanation ExplainMemory(const std::string& thrown) const {
    const bool is_limited = account_.max_data_bytes != 0;
    return {DiagnosticCode::kPluginOutOfMemory, "ran out of memory " + where_,
            thrown + NameDataLimit(account_) + "; at most " +
                GetMebibytes(account_.peak_memory_bytes) + " were used" + traces_,
            (!is_limited ? "free memory and scan again; otherwise "
             : account_.is_worker
                 ? "if it needs so much, allow more (IsolationSettings::max_data_bytes); otherwise "
                 : "if it needs so much, allow more MiB (BACKPLANE_PROBE_DATA_LIMIT, or "
                   "ProbeSettings::max_data_bytes in bytes), or free memory and scan again; "
                   "otherwise ") +
                advice_};
  }

  Explanation ExplainException(const std::string& thrown) const {
    return {
        DiagnosticCode::kUncaughtException, "threw an exception that cannot be caught " + where_,
        "it says: " + thrown + (SpeaksOfMemory(thrown) ? NameDataLimit(account_) : ""), advice_};
  }

  /// Nobody is told who sent it, but what the kernel does on its own leaves traces.
  Explanation ExplainKill() const {
    const EndEvidence& evidence = account_.evidence;
    const auto killed = [this](const std::string& why, std::string fix) -> Explanation {
      return {DiagnosticCode::kPluginKilled, "was killed " + where_,
              "SIGKILL " + why + "; at most " + GetMebibytes(account_.peak_memory_bytes) +
                  " were used" + traces_,
              std::move(fix)};
    };
    const bool is_strict =
        evidence.seccomp_mode == kStrictMode || evidence.seccomp_mode == kKilledMode;
    if (is_strict && evidence.watcher_seccomp_mode == kNoFilter) {
      return killed(
          "for a system call: it had set the strict mode of seccomp, which allows no more than "
          "read, write and exit",
          "vendor: leave seccomp to the application; until then " + advice_);
    }
    if (evidence.cpu_limit_s >= 0 && evidence.used_cpu_s >= evidence.cpu_limit_s) {
      return killed("at the limit of processor time (RLIMIT_CPU), which is " +
                        Count(static_cast<std::uint64_t>(evidence.cpu_limit_s), "second"),
                    "raise the limit (ulimit -t) if it needs longer; otherwise " + advice_);
    }
    if (evidence.num_oom_kills > 0) {
      return killed("for lack of memory: the kernel killed " +
                        Count(static_cast<std::uint64_t>(evidence.num_oom_kills), "time") +
                        " for that in this control group meanwhile",
                    "free memory, or raise the limit of the service or container, and scan again");
    }
    if (evidence.num_oom_kills == 0) {
      return killed(
          "that a process from outside or the backend itself sent, which the kernel does not tell; "
          "not for lack of memory, for which the kernel killed nothing in this control group "
          "meanwhile",
          scan_again_);
    }
    return killed(
        "from outside: by another process, or by the kernel for lack of memory; or the backend "
        "sent it to itself, which the kernel does not tell",
        "look for \"out of memory\" in the system's log (dmesg), and free memory if it is there; " +
            scan_again_);
  }

  /// The sandbox is ours, so that it is known what it forbids.
  Explanation ExplainSandbox() const {
    const std::string call =
        account_.has_fault ? sandbox::GetCallName(account_.fault_address) : "a system call";
    const std::string permission =
        account_.has_fault ? sandbox::GetPermissionForCall(account_.fault_address) : "";
    return {
        DiagnosticCode::kForbiddenCall,
        "called " + call + ", which its sandbox does not allow, " + where_,
        GetSignalText(account_.signal) +
            ": the process was ended by the filter of system calls (docs/isolation.md#sandbox)" +
            traces_,
        (permission.empty() ? ""
                            : "vendor: if the backend needs it, state the permission \"" +
                                  permission + "\" in its manifest; operator: ") +
            advice_};
  }

  Explanation ExplainForbiddenCall() const {
    if (account_.is_sandboxed) return ExplainSandbox();
    const EndEvidence& evidence = account_.evidence;
    const bool is_own =
        evidence.seccomp_mode > kNoFilter && evidence.watcher_seccomp_mode == kNoFilter;
    std::string why = GetSignalText(account_.signal);
    if (account_.has_fault) why += " at system call " + std::to_string(account_.fault_address);
    why += is_own ? ", which a filter of system calls (seccomp) gives that it, or a library that "
                    "it needs, had installed in the process; expected none"
                  : ", which a filter of system calls (seccomp) gives: one of the service or "
                    "container in which this runs, or one that it installed itself";
    return {
        DiagnosticCode::kPluginCrashed,
        is_own ? "forbade the process that loaded it a system call that is needed, and it died " +
                     where_
               : "made a system call that is forbidden " + where_,
        why + traces_,
        is_own ? "vendor: leave filters of system calls to the application; until then " + advice_
               : "allow what it needs (SystemCallFilter= of a service, the seccomp profile of a "
                 "container); otherwise " +
                     advice_};
  }

  Explanation ExplainCrash() const {
    if (account_.signal == SIGSYS) return ExplainForbiddenCall();
    std::string why = GetSignalText(account_.signal);
    if (account_.has_fault) why += " at address " + diagnostics::ToHex(account_.fault_address);
    if (account_.signal != SIGILL) {
      return {DiagnosticCode::kPluginCrashed, "crashed " + where_, why + traces_, advice_};
    }
    return {DiagnosticCode::kPluginCrashed, "crashed " + where_,
            why + ", which an instruction gives that this processor does not have" + traces_,
            "get a build of the backend for this processor; otherwise " + advice_};
  }

  const ProbeAccount& account_;
  std::string where_;
  std::string traces_;
  std::string advice_;
  std::string scan_again_;
};

}  // namespace

bool SpeaksOfMemory(const std::string& text) {
  // The last is what it says that finds no memory for the stack of a thread.
  for (const char* sign : {"bad_alloc", "Cannot allocate memory", "ENOMEM", "ut of memory",
                           "Resource temporarily unavailable"}) {
    if (text.find(sign) != std::string::npos) return true;
  }
  return false;
}

std::string NameDataLimit(const ProbeAccount& account) {
  if (account.max_data_bytes == 0) return "";
  const char* const whose = account.is_worker
                                ? " (IsolationSettings::max_data_bytes)"
                                : ", which the check sets and an application need not have "
                                  "(BACKPLANE_PROBE_DATA_LIMIT, ProbeSettings::max_data_bytes)";
  return "; the limit was " + GetMebibytes(account.max_data_bytes) + " of data" + whose;
}

Diagnostic ExplainDeath(const ProbeAccount& account, const std::string& path) {
  Explanation explanation = Death(account, path).Explain();
  return diagnostics::DescribeFile(explanation.code, path, explanation.what,
                                   std::move(explanation.why), std::move(explanation.fix));
}

}  // namespace backplane::probing
