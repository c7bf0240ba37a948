#pragma once

/// The one way in which objects of plugins are held and called.
///
/// A PluginObject keeps the library mapped for as long as the object lives, turns anything the
/// plugin throws into a Diagnostic before it leaves, and never calls a function that is newer than
/// the version that the plugin knows.

#include <backplane/api/exceptions.hpp>
#include <backplane/api/functions.hpp>
#include <backplane/api/i_logger.hpp>
#include <backplane/host/code_file.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/host/export.hpp>
#include <backplane/host/thread_places.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace backplane {

class IsolatedProcess;

/// From where a plugin's objects come. Shared by all of them.
struct PluginOrigin {
  std::string backend_id;
  BackendVersion declared_version;      // what GetVersion returned
  std::shared_ptr<const void> library;  // the open library; null for a static backend
  std::shared_ptr<ILogger> logger;      // the backend's; as long as any object made from it
  /// Where its code is: the library, or what a static backend is linked into. Null: not known.
  std::shared_ptr<const CodeFile> code_file = {};
  /// The process of its own in which the backend runs. Null: it runs in this one.
  std::shared_ptr<IsolatedProcess> isolation = {};
  std::uint32_t knows_minor = 0;  // what its note or table says

  /// The last version that it knows: the host asks it for nothing newer.
  BackendVersion GetKnownVersion() const {
    return {declared_version.major, std::max(declared_version.minor, knows_minor)};
  }
};

/// What came of one call into a plugin.
template <typename Value>
struct PluginResult {
  bool WasCalled() const { return is_called; }
  bool HasFailed() const { return failure != nullptr; }

  /// The value, or a DiagnosticException when the plugin threw.
  Value& GetOrThrow() {
    if (failure) throw DiagnosticException(*failure);
    return value;
  }

  Value value{};
  bool is_called = true;        // false: the plugin is older than the function; value is a default
  bool is_unsupported = false;  // the plugin threw UnsupportedException
  std::unique_ptr<Diagnostic> failure;
};

namespace plugin_call {

/// For functions that return void.
struct Nothing {};

/// Describes the exception being handled. Called from a catch clause. [any thread]
BACKPLANE_HOST_API std::unique_ptr<Diagnostic> DescribeCurrentException(
    const std::string& backend_id, const char* function);

/// What a backend says of a failure.
struct SaidFailure {
  Status status;
  std::string text;             // "": nothing
  UnavailabilityReason reason;  // of kUnavailable
};

/// Thrown on this side for what a backend says of a failure.
class SaidException : public DiagnosticException {
 public:
  SaidException(Diagnostic diagnostic, SaidFailure said)
      : DiagnosticException(std::move(diagnostic)), said_(std::move(said)) {}
  const SaidFailure& GetSaid() const { return said_; }

 private:
  SaidFailure said_;
};

/// Describes what a backend says of a failure of one of its functions. [any thread]
BACKPLANE_HOST_API Diagnostic DescribeFailure(const std::string& backend_id, const char* function,
                                              const SaidFailure& said);

/// What is read of a text of a plugin: no more than anybody reads. [any thread]
BACKPLANE_HOST_API std::string CutText(const char* text);

/// Describes an exception that left a destructor, logs it, and swallows it. [any thread]
BACKPLANE_HOST_API void ReportDestructorException(const std::string& backend_id) noexcept;

/// Where a thread is that destroys an object of a backend.
inline std::string DescribeDestruction(const std::string& backend_id) {
  return "in backend \"" + backend_id + "\", of which an object was destroyed";
}

template <typename Return>
using ValueOf = std::conditional_t<std::is_void_v<Return>, Nothing, std::decay_t<Return>>;

}  // namespace plugin_call

/// An object of a plugin. Copies share it. The object is destroyed before its library is released.
///
/// Threads: as the interface says; the wrapper adds no state.
template <typename Interface>
class PluginObject {
 public:
  PluginObject() = default;

  /// Null: gives an empty PluginObject.
  PluginObject(std::unique_ptr<Interface> object, std::shared_ptr<const PluginOrigin> origin)
      : origin_(std::move(origin)) {
    if (!object) return;
    // Released first: when there is no memory to share it, shared_ptr itself destroys the object.
    Interface* address = object.release();
    object_ = std::shared_ptr<Interface>(address, UniqueDeleter{origin_});
  }

  /// Null: gives an empty PluginObject.
  PluginObject(std::shared_ptr<Interface> object, std::shared_ptr<const PluginOrigin> origin)
      : origin_(std::move(origin)) {
    if (!object) return;
    Interface* address = object.get();
    object_ = std::shared_ptr<Interface>(address, SharedDeleter{origin_, std::move(object)});
  }

  explicit operator bool() const { return object_ != nullptr; }

  /// Null: for a default-constructed PluginObject.
  const std::shared_ptr<const PluginOrigin>& GetOrigin() const { return origin_; }

  /// The object as an argument for another call into the same plugin; keeps the library too.
  const std::shared_ptr<Interface>& Share() const { return object_; }

  /// Calls one function, for example Call<&IWorkload::Execute>(args). Must not be empty.
  template <auto kFunction, typename... Args>
  auto Call(Args&&... args) const noexcept {
    using Return = std::invoke_result_t<decltype(kFunction), Interface&, Args...>;
    PluginResult<plugin_call::ValueOf<Return>> result;
    constexpr BackendVersion kSince = FunctionInfo<kFunction>::kSince;
    if (origin_->GetKnownVersion() < kSince) {
      result.is_called = false;
      return result;
    }
    try {
      if constexpr (std::is_void_v<Return>) {
        ((*object_).*kFunction)(std::forward<Args>(args)...);
      } else {
        result.value = ((*object_).*kFunction)(std::forward<Args>(args)...);
      }
    } catch (const UnsupportedException&) {
      result.is_unsupported = true;
      result.failure = plugin_call::DescribeCurrentException(origin_->backend_id,
                                                             FunctionInfo<kFunction>::kName);
    } catch (...) {
      result.failure = plugin_call::DescribeCurrentException(origin_->backend_id,
                                                             FunctionInfo<kFunction>::kName);
    }
    return result;
  }

 private:
  struct UniqueDeleter {
    std::shared_ptr<const PluginOrigin> origin;
    void operator()(Interface* object) const noexcept {
      const CallScope scope(
          [this] { return plugin_call::DescribeDestruction(origin->backend_id); });
      try {
        delete object;
      } catch (...) {
        plugin_call::ReportDestructorException(origin->backend_id);
      }
    }
  };
  struct SharedDeleter {
    std::shared_ptr<const PluginOrigin> origin;  // declared first: released last
    std::shared_ptr<Interface> object;
    void operator()(Interface* /*address*/) noexcept {
      const CallScope scope(
          [this] { return plugin_call::DescribeDestruction(origin->backend_id); });
      try {
        object.reset();
      } catch (...) {
        plugin_call::ReportDestructorException(origin->backend_id);
      }
    }
  };

  std::shared_ptr<const PluginOrigin> origin_;  // declared first: released last
  std::shared_ptr<Interface> object_;
};

}  // namespace backplane
