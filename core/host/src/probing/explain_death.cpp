#include "probing/explain_death.hpp"

#include <csignal>
#include <cstdio>
#include <cstring>
#include <utility>

namespace backplane::probing {
namespace {

constexpr char kReport[] =
    "report this to the vendor of the backend, with this text; until then remove the file, or "
    "disable it";

/// "while it was being opened, in a constructor of libcrash.so.1".
std::string DescribeWhere(const ProbeAccount& account) {
  if (!account.call.empty()) {
    if (account.call == "dlclose") return "while it was being closed";
    return "in " + account.call;
  }
  if (account.stage != Stage::kOpen) {
    return std::string("in the stage \"") + GetStageName(account.stage) + '"';
  }
  if (account.constructor_of.empty()) {
    return "while it was being opened, before any constructor ran (it is mapped and relocated "
           "then)";
  }
  return "while it was being opened, in a static constructor of " + account.constructor_of;
}

std::string GetSignalText(int signal) {
  const char* name = sigabbrev_np(signal);
  const char* text = sigdescr_np(signal);
  if (name == nullptr) return "signal " + std::to_string(signal);
  return std::string("SIG") + name + (text != nullptr ? std::string(" (") + text + ')' : "");
}

std::string GetMebibytes(std::uint64_t bytes) {
  return std::to_string(bytes >> 20U) + " MiB";
}

/// What it wrote last, as the end of a sentence.
std::string QuoteLastLines(const ProbeAccount& account) {
  return account.stderr_end.empty() ? "" : "; it wrote last: \"" + account.stderr_end + '"';
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
  std::string fix = kReport;
};

Explanation ExplainException(const ProbeAccount& account, const std::string& thrown) {
  if (IsOutOfMemory(thrown)) {
    std::string limit = account.max_data_bytes == 0
                            ? ""
                            : "; the limit was " + GetMebibytes(account.max_data_bytes);
    return {DiagnosticCode::kPluginOutOfMemory, "ran out of memory " + DescribeWhere(account),
            thrown + limit + "; at most " + GetMebibytes(account.peak_memory_bytes) + " were used" +
                QuoteLastLines(account),
            "free memory, or report this to the vendor of the backend"};
  }
  return {DiagnosticCode::kUncaughtException,
          "threw an exception that cannot be caught " + DescribeWhere(account),
          "it says: " + thrown};
}

Explanation ExplainSignal(const ProbeAccount& account) {
  const std::string thrown = FindThrown(account);
  if (account.signal == SIGABRT && !thrown.empty()) return ExplainException(account, thrown);
  if (account.is_stack_overflow) {
    return {DiagnosticCode::kStackOverflow, "overflowed its stack " + DescribeWhere(account),
            GetSignalText(account.signal) +
                " at the end of the main thread's stack, as endless "
                "recursion gives" +
                QuoteLastLines(account)};
  }
  if (account.signal == SIGKILL) {
    return {DiagnosticCode::kPluginKilled, "was killed " + DescribeWhere(account),
            "SIGKILL, which a system sends that is out of memory; at most " +
                GetMebibytes(account.peak_memory_bytes) + " were used" + QuoteLastLines(account),
            "look for \"out of memory\" in the system's log (dmesg), free memory and try again"};
  }
  std::string why = GetSignalText(account.signal);
  if (account.has_fault) {
    char address[32];
    std::snprintf(address, sizeof(address), " at address 0x%llx",
                  static_cast<unsigned long long>(account.fault_address));
    why += address;
  }
  Explanation crash{DiagnosticCode::kPluginCrashed, "crashed " + DescribeWhere(account),
                    why + QuoteLastLines(account)};
  if (account.signal == SIGILL) {
    crash.why += "; an instruction that this processor does not have is the usual cause";
    crash.fix = "get a build of the backend for this processor, or " + crash.fix;
  }
  return crash;
}

Explanation Explain(const ProbeAccount& account) {
  switch (account.end) {
    case ProcessEnd::kTimedOut:
      return {DiagnosticCode::kPluginTimedOut, "did not come to an end " + DescribeWhere(account),
              "expected an end within " + std::to_string(account.timeout_ms) +
                  " ms; the process was ended" + QuoteLastLines(account),
              "if it needs longer, allow more (list-backends --timeout S); otherwise " +
                  std::string(kReport)};
    case ProcessEnd::kSignalled:
      return ExplainSignal(account);
    case ProcessEnd::kExited:
      return {DiagnosticCode::kPluginExited,
              "ended the process that loaded it " + DescribeWhere(account),
              "found that it called exit or _exit with code " + std::to_string(account.exit_code) +
                  QuoteLastLines(account)};
    case ProcessEnd::kNotStarted:
      break;
  }
  return {DiagnosticCode::kProbeNotStarted, "could not be checked",
          "no process could be made to run it in",
          "check the limits of processes and memory (ulimit -u, ulimit -v), then scan again"};
}

}  // namespace

Diagnostic ExplainDeath(const ProbeAccount& account, const std::string& path) {
  Explanation explanation = Explain(account);
  Diagnostic diagnostic{explanation.code};
  diagnostic.subject = {SubjectKind::kFile, path};
  diagnostic.what = path + ' ' + explanation.what;
  diagnostic.why = std::move(explanation.why);
  diagnostic.fix = std::move(explanation.fix);
  return diagnostic;
}

}  // namespace backplane::probing
