#pragma once

#include "wire/file_descriptor.hpp"

#include <sys/types.h>

namespace backplane::spawn {

/// The signals of the process that watches a plugin, as something to be polled: what the plugin
/// sends must not end it, and those of a terminal are the host's. For a process that does nothing
/// else.
class WatcherSignals {
 public:
  /// From here on no signal but SIGKILL and SIGSTOP interrupts this process.
  WatcherSignals();

  /// Gives a forked process back what processes begin with.
  static void Restore();

  int GetDescriptor() const { return descriptor_.Get(); }

  /// Takes what has come. `plugin` is the process that is watched, and leads its session; `host` is
  /// the parent of this one.
  void Take(pid_t plugin, pid_t host);

  /// The last signal that the plugin has sent to this process, or 0.
  int GetSignalOfPlugin() const { return signal_of_plugin_; }
  /// Whether the host is gone or somebody else asked this process to end.
  bool IsToStop() const { return is_to_stop_; }
  /// The process that asked for it.
  pid_t GetSender() const { return sender_; }

 private:
  wire::FileDescriptor descriptor_;
  int signal_of_plugin_ = 0;
  bool is_to_stop_ = false;
  pid_t sender_ = 0;
};

}  // namespace backplane::spawn
