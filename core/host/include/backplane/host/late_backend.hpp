#pragma once

#include <backplane/host/backend_registry.hpp>
#include <backplane/host/contexts.hpp>
#include <backplane/host/export.hpp>
#include <backplane/host/load_report.hpp>

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

namespace backplane {

/// What came of opening a backend at first use.
struct LateOutcome {
  BackendRegistration registration;        // with the open library; of no use after a failure
  LoadedContext context;                   // made with the settings of the scan
  std::optional<Diagnostic> failure = {};  // kFailedAtFirstUse, with the reasons as causes
  /// What the load report says of these files from now on: the one that was registered and, when
  /// that failed, the other variants that were tried.
  std::vector<Candidate> candidates = {};
};

/// A backend that was registered by its manifest, or by what it said in a process of its own. Its
/// file is opened when it is first used, once, and then passes every stage that is left; a failure
/// is remembered.
///
/// Threads that come while the file is being opened wait.
class BACKPLANE_HOST_API LateBackend {
 public:
  /// `open` takes the file through its stages. It does not throw.
  /// Null: the options that the backend declares are not known before.
  explicit LateBackend(std::function<LateOutcome()> open,
                       std::optional<std::vector<OptionSchema>> options = std::nullopt);
  ~LateBackend();
  LateBackend(const LateBackend&) = delete;
  LateBackend& operator=(const LateBackend&) = delete;

  /// Opens the file, at the first call. A failure is logged then, as a warning.
  /// Errors: DiagnosticException with kFailedAtFirstUse, at each call.
  /// [any thread]
  const BackendRegistration& Open();

  /// The options that the backend declares, as far as they are known without opening its file.
  /// Ownership: this object's; never changes.
  /// Null: they are not known.
  /// [any thread]
  const std::vector<OptionSchema>* GetKnownOptions() const;

  /// Ownership: this object's; never changes.
  /// Null: the file was not opened yet.
  /// [any thread]
  const LateOutcome* GetOutcome() const;

  /// The context that was made when the file was opened, for the first who asks; else none.
  /// [any thread] [after Open]
  std::optional<LoadedContext> TakeContext();

 private:
  std::function<LateOutcome()> open_;
  const std::optional<std::vector<OptionSchema>> options_;
  std::once_flag once_;
  LateOutcome outcome_;
  std::atomic<bool> is_finished_{false};
  std::atomic<bool> is_context_taken_{false};
};

}  // namespace backplane
