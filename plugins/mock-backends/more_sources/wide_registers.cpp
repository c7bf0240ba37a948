/// An instruction that not every processor has, though nothing says so and nothing asks for it. It
/// is never executed.

namespace {

[[maybe_unused]] __attribute__((used, noinline)) void UseWideRegisters() {
#if defined(__x86_64__)
  asm volatile("vxorps %%ymm0, %%ymm0, %%ymm0" : : :);
#endif
}

}  // namespace
