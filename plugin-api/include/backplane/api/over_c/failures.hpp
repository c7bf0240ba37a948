#pragma once

/// How what a backend throws leaves it: as a status and a text.

#include <backplane/c/backend.h>
#include <backplane/api/c_memory.hpp>
#include <backplane/api/crossing.hpp>
#include <backplane/api/exceptions.hpp>
#include <backplane/api/i_logger.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

// Hidden, so that each file calls its own, however it is linked.
#pragma GCC visibility push(hidden)

namespace backplane::c_form {

inline bp_status Fail(const bp_host* host, bp_error* error, bp_status status, const char* text,
                      std::uint32_t reason = 0) {
  auto failure = Make<bp_failure>();
  failure.status = status;
  failure.text = text;
  failure.reason = reason;
  return host->fail(error, &failure);
}

/// Calls what may throw.
template <typename Call>
bp_status Guard(const bp_host* host, bp_error* error, const Call& call) noexcept {
  try {
    return ToC(call());
  } catch (const BackendUnavailableException& exception) {
    return Fail(host, error, BP_STATUS_UNAVAILABLE, exception.what(),
                static_cast<std::uint32_t>(exception.GetReason()));
  } catch (const UnsupportedException& exception) {
    return Fail(host, error, BP_STATUS_UNSUPPORTED, exception.what());
  } catch (const InvalidArgumentException& exception) {
    return Fail(host, error, BP_STATUS_INVALID_ARGUMENT, exception.what());
  } catch (const std::bad_alloc& exception) {
    return Fail(host, error, BP_STATUS_OUT_OF_MEMORY, exception.what());
  } catch (const std::exception& exception) {
    const char* const text = exception.what();
    return Fail(host, error, BP_STATUS_FAILURE,
                text != nullptr ? text : "nothing (what() is null)");
  } catch (...) {
    return Fail(host, error, BP_STATUS_FAILURE,
                "what was thrown is not a std::exception, so it says nothing");
  }
}

/// Calls what may throw and has no answer. What it throws is logged.
template <typename Call>
void GuardSilent(const Origin& origin, const char* function, const Call& call) noexcept {
  const auto log = [&](const char* thrown) {
    if (origin.host == nullptr || origin.log == nullptr) return;
    char line[512];
    std::snprintf(line, sizeof line, "%s threw an exception: %s", function, thrown);
    origin.host->log(origin.log, static_cast<std::uint32_t>(LogLevel::kWarning), line);
  };
  try {
    call();
  } catch (const std::exception& exception) {
    log(exception.what());
  } catch (...) {
    log("it is not a std::exception, so it says nothing");
  }
}

template <typename Object>
void Free(Object* object, const Origin& origin) noexcept {
  GuardSilent(origin, "a destructor", [object] { delete object; });
}

/// For functions that give a single object, which must be there.
template <typename Object>
Object& Require(Object* object, const char* function) {
  if (object == nullptr) throw std::runtime_error(std::string(function) + " returned null");
  return *object;
}

}  // namespace backplane::c_form

#pragma GCC visibility pop
