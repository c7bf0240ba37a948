#pragma once

#include <ucontext.h>

#include <cstdint>

namespace backplane::crash_notes {

/// Where a thread was when a signal interrupted it. Zeros: not known for this processor.
struct MachineContext {
  std::uint64_t code = 0;
  std::uint64_t stack = 0;
};

#if defined(__x86_64__)
inline MachineContext ReadContext(const ucontext_t& context) {
  return {static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RIP]),
          static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RSP])};
}
#elif defined(__aarch64__)
inline MachineContext ReadContext(const ucontext_t& context) {
  return {context.uc_mcontext.pc, context.uc_mcontext.sp};
}
#else
inline MachineContext ReadContext(const ucontext_t& /*context*/) {
  return {};
}
#endif

}  // namespace backplane::crash_notes
