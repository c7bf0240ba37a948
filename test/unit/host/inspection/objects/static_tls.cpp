// Wants more thread-local storage, at once for all threads, than the loader keeps free.
namespace {
thread_local __attribute__((tls_model("initial-exec"))) int numbers[1000];
}

extern "C" __attribute__((visibility("default"))) int Sum(int index);

int Sum(int index) {
  return numbers[index]++;
}
