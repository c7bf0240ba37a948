#pragma once

/// The process that runs a plugin leaves its report in memory that the watching process has mapped
/// too, so that nothing the plugin does to its descriptors can lose it.

#include "backend/progress_observer.hpp"
#include "probing/probe_account.hpp"
#include "spawn/shared_text.hpp"

#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace backplane::probing {

/// Fatal signals and exceptions write from wherever they happen, so this is plain memory, and a
/// plugin can overwrite it. Readers bound lengths and numbers, and decode the body as they would
/// any text from outside; that what it says is true they cannot know.
struct SharedReport {
  /// Where a process that serves a backend is when it was asked nothing: lanes run meanwhile, and
  /// what the backend started.
  static constexpr char kBesides[] = "a run or in a thread of the backend";
  static constexpr std::size_t kMaxCallBytes = 96;
  static constexpr std::size_t kMaxThrownBytes = 1024;
  static constexpr std::size_t kMaxBodyBytes = std::size_t{1} << 20U;

  std::atomic<std::uint32_t> stage;
  std::atomic<std::uint32_t> member;  // whose turn it is: a library of the request, or then a file
  // The function of the backend that is running; "" between them.
  spawn::SharedText<kMaxCallBytes> call;
  std::atomic<std::uint32_t> call_thread;  // which thread runs it

  std::atomic<std::uint32_t> has_fault;    // the fields of the fault are set
  std::atomic<std::uint32_t> dead_thread;  // which met it, or threw; 0: it is not known
  std::uint64_t fault_address;             // of SIGSYS: the number of the system call
  std::uint32_t is_stack_overflow;
  spawn::SharedText<kMaxThrownBytes> thrown;  // what an exception that nobody caught says

  std::atomic<std::uint32_t> has_copy;  // the plugin forked, and the copy came back to the host
  // 0: the report was not finished; more than kMaxBodyBytes: it did not fit, and is not there.
  std::atomic<std::uint32_t> body_bytes;
  std::atomic<std::uint32_t> is_closed;  // the library was closed too, or must stay open
  std::atomic<std::uint32_t> is_ended;   // so have the handlers run that the plugin left behind
  char body[kMaxBodyBytes];
};

static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

/// Writes into the report what a plugin's process is about to do, and in the end what it found. For
/// that process only: a copy that the plugin makes of it is ended at the next call.
class ReportWriter final : public backend::ProgressObserver {
 public:
  explicit ReportWriter(SharedReport& report) : report_(report) {}

  void OnStage(Stage stage) override {
    SetCall("");
    report_.stage.store(static_cast<std::uint32_t>(stage));
  }
  void OnCall(const char* function) override { SetCall(function); }

  void SetCall(std::string_view function) {
    EndIfCopy();
    report_.call.Set(function);
    report_.call_thread.store(static_cast<std::uint32_t>(gettid()));
  }

  /// The library or file of the request, counted from its first library, whose turn it is.
  void SetMember(std::size_t member) {
    EndIfCopy();
    report_.member.store(static_cast<std::uint32_t>(member));
  }

  /// Writes what was found, where the watching process finds it.
  void WriteFindings(const PluginReport& plugin);

  /// Ends the process as programs end: handlers that the plugin left behind run.
  [[noreturn]] void End() {
    SetCall("exit");
    report_.is_closed.store(1);
    std::exit(0);
  }

  /// Ends the process without running any code that the plugin left behind.
  [[noreturn]] void EndAtOnce() {
    report_.is_closed.store(1);
    report_.is_ended.store(1);
    _exit(0);
  }

 private:
  /// A plugin that forks and returns twice would have everything done twice, here as in an
  /// application.
  void EndIfCopy() const {
    if (getpid() == process_) return;
    report_.has_copy.store(1);
    _exit(0);
  }

  SharedReport& report_;
  const pid_t process_ = getpid();
};

/// Makes this process write into the report why it dies: of which fault, or of which exception that
/// nobody caught. For the process that runs a plugin; never for the host. The report must stay
/// mapped.
void LeaveDeathNotes(SharedReport& report);

}  // namespace backplane::probing
