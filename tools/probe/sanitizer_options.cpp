/// In builds with the address sanitizer: what a plugin dies of is told by the probe's own handlers,
/// and what a plugin that died did not free is no leak.

extern "C" __attribute__((visibility("default"))) const char* __asan_default_options();

extern "C" const char* __asan_default_options() {
  return "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0:"
         "use_sigaltstack=0:detect_leaks=0:abort_on_error=1";
}
