#pragma once

#include "probing/probe_account.hpp"
#include "probing/shared_report.hpp"
#include "progress/progress_observer.hpp"

#include <sys/types.h>

#include <cstdint>
#include <string_view>

namespace backplane::probing {

/// Writes into the report what a plugin's process is about to do, and in the end what it found. For
/// that process only: a copy that the plugin makes of it is ended at the next call.
class ReportWriter final : public progress::ProgressObserver {
 public:
  explicit ReportWriter(SharedReport& report);

  void OnStage(Stage stage) override;
  void OnCall(const char* function) override { SetCall(function); }

  void SetCall(std::string_view function);

  /// The library or file of the request, counted from its first library, whose turn it is.
  void SetMember(std::size_t member);

  /// Writes what was found, where the watching process finds it.
  void WriteFindings(const PluginReport& plugin);

  /// The library was closed, or has to stay open.
  void SetClosed() { report_.is_closed.store(1); }

  /// Ends the process without running any code that the plugin left behind.
  [[noreturn]] void EndAtOnce();

 private:
  void EndIfCopy() const;

  SharedReport& report_;
  const pid_t process_;
};

/// Makes this process write into the report why it dies: of which fault, or of which exception that
/// nobody caught. For the process that runs a plugin; never for the host. The report must stay
/// mapped.
void LeaveDeathNotes(SharedReport& report);

}  // namespace backplane::probing
