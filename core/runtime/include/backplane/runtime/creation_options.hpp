#pragma once

/// With what a runtime is created.

#include <backplane/api/backend_options.hpp>
#include <backplane/host/contexts.hpp>
#include <backplane/host/crash_notes.hpp>
#include <backplane/host/isolation.hpp>
#include <backplane/host/opening.hpp>
#include <backplane/host/scan.hpp>
#include <backplane/host/trust.hpp>
#include <backplane/runtime/checks.hpp>
#include <backplane/runtime/profiling.hpp>
#include <backplane/runtime/run_options.hpp>
#include <backplane/runtime/tensor_observer.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace backplane {

/// Where backends run for the first time.
enum class BackendProbe {
  kNone,   // in this process
  kChild,  // in a process of their own; only those that come back from it are opened in this one
};

struct CreationOptions {
  /// One absolute directory. When set, nothing else is scanned; when it is not valid, no dynamic
  /// backend is loaded. Empty: those that variables, drop-in files and DYNAMIC_BACKEND_PATHS name;
  /// see docs/environment.md.
  std::string dynamic_backends_path;
  /// Whether the user's own directory is among them.
  UserBackends user_backends = UserBackends::kLeave;
  /// Backend ids, or globs of ids or of file names, that are not opened, besides those that
  /// variables and drop-in files disable.
  std::vector<std::string> disabled_backends;
  /// Which file is used for an id that several files give; see ScanOptions for the rule that
  /// decides otherwise. Creating the runtime fails with kVariantPinUnmet when one cannot be
  /// followed.
  std::vector<VariantPin> variants;
  /// Which files may be opened, besides what drop-in files say of digests.
  TrustOptions trust;
  /// Options for backends, for this runtime.
  std::vector<BackendOptions> backend_options;
  /// Allocators of the application for backends, in this runtime alone; at most one for each
  /// backend. A backend without the capability kCapabilityCustomAllocator, or that refuses its
  /// allocator, is not available in this runtime, and the load report says why. See LoadNetwork for
  /// when an allocator is used.
  /// Ownership: shared; released when the runtime, its device specs and everything optimised with
  /// them are gone.
  std::vector<CustomAllocator> custom_allocators;
  /// With kProtected, tensors lie only in protected memory. Backends without the capability
  /// kCapabilityProtectedMemory, and without a custom allocator of the source kDmaBufProtected, are
  /// not available in this runtime, and the load report says why. See
  /// LoadNetwork and EnqueueWorkload.
  MemoryProtection protection = MemoryProtection::kNone;
  /// With kLazy, a backend is opened in this process when a network first asks it: when it is
  /// preferred or hinted, or its turn comes without preferences. This holds for those with a
  /// manifest and, with BackendProbe::kChild, for all; the others are opened at once, to know their
  /// ids. One that fails at first use has refused every layer, and the load report says so. One
  /// with a manifest alone and options here is opened at once, to check them.
  Opening opening = Opening::kEager;
  BackendProbe probe = BackendProbe::kNone;
  ProbeSettings probe_settings;
  /// Which backends run in processes of their own, and how. With any rule, all backends are tried
  /// in processes of their own before, as with BackendProbe::kChild.
  IsolationSettings isolation;
  /// What is measured; GetProfile gives it.
  ProfilingOptions profiling;
  /// Whether the death of the process has a name: by a signal or by exit, the note says in which
  /// layer and backend each thread was, and then what would have happened before happens. Costs a
  /// run some 30 nanoseconds, and a layer less than one. Creating the runtime fails with
  /// kCrashFileUnwritable when the file cannot be opened. Nothing: no notes.
  std::optional<CrashNotes> crash_notes;
  /// What is looked at around every layer; GetCheckReport gives what was found. Layers then run one
  /// after the other, each waited for; without checks, runs are as fast as without all this.
  CheckFlags checks = kNoChecks;
  /// Sees the output of every layer. Layers then run as with checks. Empty: nobody looks.
  TensorObserver tensor_observer;
  /// The threads and the queue of EnqueueWorkloadAsync.
  AsyncRunSettings async_runs;
  /// How long the destruction of the runtime may wait for runs that go on; see Shutdown. Nothing:
  /// as long as they take.
  std::optional<std::chrono::nanoseconds> shutdown_timeout;
};

}  // namespace backplane
