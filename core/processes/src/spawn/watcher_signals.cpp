#include "spawn/watcher_signals.hpp"

#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>

namespace backplane::spawn {

WatcherSignals::WatcherSignals() {
  sigset_t signals;
  sigfillset(&signals);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  descriptor_ = wire::FileDescriptor(signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
}

void WatcherSignals::Restore() {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

void WatcherSignals::Take(pid_t plugin, pid_t host) {
  signalfd_siginfo signal{};
  while (read(descriptor_.Get(), &signal, sizeof(signal)) == sizeof(signal)) {
    if (signal.ssi_signo == SIGCHLD) continue;
    const auto sender = static_cast<pid_t>(signal.ssi_pid);
    if (sender == plugin || getsid(sender) == plugin) {
      signal_of_plugin_ = static_cast<int>(signal.ssi_signo);
    } else if (signal.ssi_signo == SIGTERM) {
      is_to_stop_ = true;
      sender_ = sender;
    }
  }
  // Its death sends SIGTERM too, which is lost when one from the plugin is pending.
  if (getppid() != host) is_to_stop_ = true;
}

}  // namespace backplane::spawn
