#include "probing/explain_death.hpp"

#include "inspection/file_words.hpp"
#include "probing/signal_name.hpp"

#include <csignal>
#include <cstring>
#include <utility>

namespace backplane::probing {
namespace {

using inspection::GetFileName;

std::string MakeAdvice(const std::string& path) {
  return "disable it with BACKPLANE_DISABLE_BACKENDS=" + GetFileName(path) +
         ", and send this text to its vendor";
}

bool IsOfOwnConstructor(const ProbeAccount& account, const std::string& path) {
  return GetFileName(account.constructor_of) == GetFileName(path);
}

/// "while it was being opened, in a static constructor of libcrash.so.1".
std::string DescribeWhere(const ProbeAccount& account, const std::string& path) {
  if (!account.call.empty()) {
    if (account.call == "dlclose") return "while it was being closed";
    if (account.call == "exit") return "when the process that had closed it ended";
    return "in " + account.call;
  }
  if (account.stage != Stage::kOpen) {
    return std::string("in the stage \"") + GetStageName(account.stage) + '"';
  }
  if (account.constructor_of.empty()) {
    return "while it was being opened, before any constructor ran";
  }
  return "while it was being opened, in a static constructor of " +
         (IsOfOwnConstructor(account, path) ? "its own" : GetFileName(account.constructor_of));
}

/// "SIGSEGV (Segmentation fault)".
std::string GetSignalText(int signal) {
  const char* text = sigdescr_np(signal);
  return GetSignalName(signal) + (text != nullptr ? std::string(" (") + text + ')' : "");
}

std::string GetMebibytes(std::uint64_t bytes) {
  return std::to_string(bytes >> 20U) + " MiB";
}

/// What belongs to every death, as the end of a sentence: which library that was, and what was
/// written last.
std::string DescribeTraces(const ProbeAccount& account, const std::string& path) {
  std::string text;
  const bool is_named = account.stage == Stage::kOpen && account.call.empty() &&
                        !account.constructor_of.empty() && !IsOfOwnConstructor(account, path);
  if (is_named) text += "; the constructor is of " + account.constructor_of;
  if (!account.stderr_end.empty()) text += "; it wrote last: \"" + account.stderr_end + '"';
  return text;
}

/// What an exception says that nobody caught; of a plugin with a C++ runtime of its own only what
/// it wrote is known.
std::string FindThrown(const ProbeAccount& account) {
  constexpr char kTerminate[] = "terminate called";
  if (!account.thrown.empty()) return account.thrown;
  const std::size_t begin = account.stderr_end.find(kTerminate);
  return begin == std::string::npos ? "" : account.stderr_end.substr(begin);
}

bool IsOutOfMemory(const std::string& thrown) {
  return thrown.find("std::bad_alloc") != std::string::npos;
}

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
        advice_(MakeAdvice(path)) {}

  Explanation Explain() const {
    switch (account_.end) {
      case ProcessEnd::kTimedOut:
        return ExplainTimeout();
      case ProcessEnd::kSignalled:
        return ExplainSignal();
      case ProcessEnd::kExited:
        return account_.is_closed ? ExplainLostReport() : ExplainExit();
      case ProcessEnd::kNotStarted:
        break;
    }
    return {DiagnosticCode::kProbeNotStarted, "was not checked, and not opened",
            "no process could be made to run it in",
            "check the limits of processes and memory (ulimit -u, ulimit -v), then scan again"};
  }

 private:
  Explanation ExplainTimeout() const {
    return {DiagnosticCode::kPluginTimedOut, "did not come to an end " + where_,
            "expected an end within " + std::to_string(account_.timeout_ms) +
                " ms; it was still running then, and was ended" + traces_,
            "if it needs longer, allow more (list-backends --timeout S); otherwise " + advice_};
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
            "the report of its process is larger than 1 MiB, or was overwritten by it" + traces_,
            advice_};
  }

  Explanation ExplainSignal() const {
    const std::string thrown = FindThrown(account_);
    if (account_.signal == SIGABRT && !thrown.empty()) {
      return IsOutOfMemory(thrown) ? ExplainMemory(thrown) : ExplainException(thrown);
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
    const std::string limit = account_.max_data_bytes == 0
                                  ? ""
                                  : "; the limit was " + GetMebibytes(account_.max_data_bytes);
    return {DiagnosticCode::kPluginOutOfMemory, "ran out of memory " + where_,
            thrown + limit + "; at most " + GetMebibytes(account_.peak_memory_bytes) +
                " were used" + traces_,
            "free memory and scan again; otherwise " + advice_};
  }

  Explanation ExplainException(const std::string& thrown) const {
    return {DiagnosticCode::kUncaughtException,
            "threw an exception that cannot be caught " + where_, "it says: " + thrown, advice_};
  }

  Explanation ExplainKill() const {
    return {DiagnosticCode::kPluginKilled, "was killed " + where_,
            "SIGKILL, which a system sends that is out of memory; at most " +
                GetMebibytes(account_.peak_memory_bytes) + " were used" + traces_,
            "look for \"out of memory\" in the system's log (dmesg), free memory and scan again"};
  }

  Explanation ExplainCrash() const {
    std::string why = GetSignalText(account_.signal);
    if (account_.has_fault) why += " at address " + inspection::ToHex(account_.fault_address);
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
};

}  // namespace

Diagnostic ExplainDeath(const ProbeAccount& account, const std::string& path) {
  Explanation explanation = Death(account, path).Explain();
  return inspection::DescribeFile(explanation.code, path, explanation.what,
                                  std::move(explanation.why), std::move(explanation.fix));
}

}  // namespace backplane::probing
