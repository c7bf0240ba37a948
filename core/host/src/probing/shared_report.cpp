#include "probing/shared_report.hpp"

#include <boost/core/demangle.hpp>

#include <pthread.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <string>
#include <typeinfo>

namespace backplane::probing {
namespace {

// Handlers get no argument of ours; there is one report in the process that runs a plugin.
SharedReport* death_report = nullptr;
std::uintptr_t stack_begin = 0;  // the lowest address the main thread's stack can have

constexpr std::size_t kHandlerStackBytes = std::size_t{64} * 1024;
// How far from the end of the stack a fault still means that it overflowed.
constexpr std::uintptr_t kStackSlackBytes = std::uintptr_t{1} << 20U;

void FindStack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* address = nullptr;
  std::size_t bytes = 0;
  if (pthread_attr_getstack(&attributes, &address, &bytes) == 0) {
    stack_begin = reinterpret_cast<std::uintptr_t>(address);
  }
  pthread_attr_destroy(&attributes);
}

bool IsNearEndOfStack(std::uintptr_t address) {
  return stack_begin != 0 && address + kStackSlackBytes > stack_begin &&
         address < stack_begin + kStackSlackBytes;
}

void NoteFault(int signal, siginfo_t* info, void* /*context*/) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  death_report->fault_address =
      signal == SIGSYS ? static_cast<std::uint64_t>(info->si_syscall) : address;
  death_report->is_stack_overflow = signal == SIGSEGV && IsNearEndOfStack(address) ? 1 : 0;
  death_report->dead_thread.store(static_cast<std::uint32_t>(gettid()));
  death_report->has_fault.store(1);
  // SA_RESETHAND restored the default: the fault happens again, or the signal is sent again, and
  // ends the process.
  if (info->si_code <= 0 || signal == SIGSYS) raise(signal);
}

/// Says so when the text does not fit.
void NoteThrown(const std::string& text) {
  constexpr std::size_t kRoomForNotice = 64;
  std::string kept = text;
  if (text.size() > SharedReport::kMaxThrownBytes) {
    kept.resize(SharedReport::kMaxThrownBytes - kRoomForNotice);
    kept += "... (cut here: the text has " + std::to_string(text.size()) + " bytes)";
  }
  death_report->thrown.Set(kept);
}

/// "std::runtime_error: text".
std::string DescribeException(const std::exception& exception) {
  const char* what = exception.what();
  return boost::core::demangle(typeid(exception).name()) + ": " +
         (what != nullptr ? what : "nothing (what() is null)");
}

[[noreturn]] void NoteException() {
  death_report->dead_thread.store(static_cast<std::uint32_t>(gettid()));
  try {
    const std::exception_ptr exception = std::current_exception();
    if (exception) std::rethrow_exception(exception);
    death_report->thrown.Set("std::terminate was called");
  } catch (const std::exception& exception) {
    NoteThrown(DescribeException(exception));
  } catch (...) {
    death_report->thrown.Set("an exception that is not a std::exception");
  }
  std::abort();
}

void HandleSignals() {
  static char handler_stack[kHandlerStackBytes];
  stack_t stack{};
  stack.ss_sp = handler_stack;
  stack.ss_size = sizeof(handler_stack);
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = NoteFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGSYS})
    sigaction(signal, &action, nullptr);
}

}  // namespace

void ReportWriter::WriteFindings(const PluginReport& plugin) {
  std::string body = EncodeReport(plugin);
  if (body.size() > SharedReport::kMaxBodyBytes && !plugin.files.empty()) {
    // Without them the verdict is only not kept.
    PluginReport shorter = plugin;
    shorter.files.clear();
    body = EncodeReport(shorter);
  }
  if (body.size() <= SharedReport::kMaxBodyBytes) body.copy(report_.body, body.size());
  report_.body_bytes.store(static_cast<std::uint32_t>(body.size()));
}

void LeaveDeathNotes(SharedReport& report) {
  death_report = &report;
  FindStack();
  HandleSignals();
  std::set_terminate(NoteException);
  // Functions that are registered first run last.
  std::atexit([] { death_report->is_ended.store(1); });
}

}  // namespace backplane::probing
