#include "threads/notes.hpp"

#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <ctime>

namespace backplane::threads {
namespace {

struct FatalSignal {
  int signal;
  const char* name;  // sigabbrev_np need not be safe in a handler
  bool is_installed;
  struct sigaction former;
  std::atomic<bool> is_used_up;  // the former handler was to run once
};

FatalSignal fatal_signals[] = {
    {SIGSEGV, "SIGSEGV", false, {}, {false}}, {SIGBUS, "SIGBUS", false, {}, {false}},
    {SIGILL, "SIGILL", false, {}, {false}},   {SIGFPE, "SIGFPE", false, {}, {false}},
    {SIGABRT, "SIGABRT", false, {}, {false}}, {SIGTRAP, "SIGTRAP", false, {}, {false}},
    {SIGSYS, "SIGSYS", false, {}, {false}}};

std::atomic<std::int32_t> writing_thread{0};
// The last whose former handler was called, and where on its stack that was.
std::atomic<std::int32_t> forwarding_thread{0};
std::atomic<std::uint64_t> forwarding_place{0};

#if defined(__x86_64__)
MachineContext ReadContext(const ucontext_t& context) {
  return {static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RIP]),
          static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RSP])};
}
#elif defined(__aarch64__)
MachineContext ReadContext(const ucontext_t& context) {
  return {context.uc_mcontext.pc, context.uc_mcontext.sp};
}
#else
MachineContext ReadContext(const ucontext_t& /*context*/) {
  return {};
}
#endif

FatalSignal& Find(int signal) {
  for (FatalSignal& fatal : fatal_signals) {
    if (fatal.signal == signal) return fatal;
  }
  return fatal_signals[0];
}

/// One thread writes at a time. False: it is this one already, which has come upon a fault in
/// writing; or another does not come to an end.
bool BeginWriting(std::int32_t thread) {
  constexpr int kMaxWaits = 2000;
  constexpr timespec kWait{0, 1'000'000};
  for (int waits = 0; waits < kMaxWaits; ++waits) {
    std::int32_t writing = 0;
    if (writing_thread.compare_exchange_strong(writing, thread)) return true;
    if (writing == thread) return false;
    nanosleep(&kWait, nullptr);
  }
  return false;
}

bool HasHandler(const struct sigaction& action, void (*handler)(int)) {
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == handler;
}

/// Whether a former handler runs on this thread, below which the signal came: one may have been
/// left by siglongjmp, too.
bool IsForwarding(std::int32_t thread, const ucontext_t& context) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20U;
  const std::uint64_t stack = ReadContext(context).stack;
  const std::uint64_t place = forwarding_place.load();
  const bool is_below = stack == 0 || (stack < place && place - stack < kMostBytes);
  return forwarding_thread.load() == thread && is_below;
}

/// Whether the signal ends nothing, or is how a former handler ends what was noted before.
bool IsOfNoInterest(int signal, const siginfo_t& info, const ucontext_t& context,
                    const FatalSignal& fatal, std::int32_t thread) {
  if (signal == SIGABRT) return IsForwarding(thread, context);
  return HasHandler(fatal.former, SIG_IGN) && info.si_code <= 0;
}

/// Whether a note fits on the stack for handlers, where this runs on one.
bool HasRoom(const ucontext_t& context) {
  constexpr std::uint64_t kMostBytes = 2048;  // that a note takes, beside the frame of the signal
  const auto begin = reinterpret_cast<std::uint64_t>(context.uc_stack.ss_sp);
  const std::uint64_t left = reinterpret_cast<std::uint64_t>(&context) - begin;
  return left >= context.uc_stack.ss_size || left >= kMostBytes;
}

void Note(int signal, const siginfo_t& info, const ucontext_t& context, const FatalSignal& fatal) {
  const std::int32_t thread = GetOwnThread();
  if (FindTableInUse() == nullptr) return;
  if (IsOfNoInterest(signal, info, context, fatal, thread)) return;
  if (!HasRoom(context) || !BeginWriting(thread)) return;
  WriteSignalNote(fatal.name, info, ReadContext(context));
  writing_thread.store(0);
}

/// The signal comes again when the handler has returned, as it came, and finds the default.
void ComeAgainByDefault(int signal, siginfo_t& info) {
  struct sigaction by_default {};
  by_default.sa_handler = SIG_DFL;
  sigaction(signal, &by_default, nullptr);
  const long queued = syscall(SYS_rt_tgsigqueueinfo, getpid(), GetOwnThread(), signal, &info);
  if (queued != 0) raise(signal);
}

void Forward(int signal, siginfo_t& info, void* context, FatalSignal& fatal) {
  const struct sigaction& former = fatal.former;
  const bool is_once = (static_cast<unsigned>(former.sa_flags) & SA_RESETHAND) != 0;
  if (is_once && fatal.is_used_up.exchange(true)) return ComeAgainByDefault(signal, info);
  if ((former.sa_flags & SA_SIGINFO) != 0) return former.sa_sigaction(signal, &info, context);
  if (former.sa_handler == SIG_IGN && info.si_code <= 0) return;
  const bool has_handler = former.sa_handler != SIG_DFL && former.sa_handler != SIG_IGN;
  if (!has_handler) return ComeAgainByDefault(signal, info);
  former.sa_handler(signal);
}

void HandleSignal(int signal, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  FatalSignal& fatal = Find(signal);
  Note(signal, *info, *static_cast<const ucontext_t*>(context), fatal);
  forwarding_place.store(reinterpret_cast<std::uint64_t>(&saved_errno));
  forwarding_thread.store(GetOwnThread());
  Forward(signal, *info, context, fatal);
  forwarding_thread.store(0);
  errno = saved_errno;
}

bool IsOurs(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == &HandleSignal;
}

/// Whether signals come here: at once, or from a handler that came later and may call this one.
bool IsReached(const FatalSignal& fatal, const struct sigaction& found) {
  const bool has_none = HasHandler(found, SIG_DFL) || HasHandler(found, SIG_IGN);
  return IsOurs(found) || (fatal.is_installed && !has_none);
}

void Install(FatalSignal& fatal) {
  struct sigaction found {};
  if (sigaction(fatal.signal, nullptr, &found) != 0) return;
  if (IsReached(fatal, found)) return;
  fatal.former = found;
  constexpr int kTakenOver = SA_NODEFER | SA_RESTART;
  struct sigaction ours {};
  ours.sa_sigaction = &HandleSignal;
  ours.sa_mask = fatal.former.sa_mask;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | (fatal.former.sa_flags & kTakenOver);
  fatal.is_used_up.store(false);
  fatal.is_installed = sigaction(fatal.signal, &ours, nullptr) == 0;
}

void Restore(FatalSignal& fatal) {
  struct sigaction found {};
  if (!fatal.is_installed || sigaction(fatal.signal, nullptr, &found) != 0) return;
  if (!IsOurs(found)) return;
  fatal.is_installed = sigaction(fatal.signal, &fatal.former, nullptr) != 0;
}

}  // namespace

void InstallHandlers() {
  for (FatalSignal& fatal : fatal_signals) Install(fatal);
}

void RestoreHandlers() {
  for (FatalSignal& fatal : fatal_signals) Restore(fatal);
}

}  // namespace backplane::threads
