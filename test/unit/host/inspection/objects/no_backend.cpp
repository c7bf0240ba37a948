// A shared object that is no backend.
extern "C" __attribute__((visibility("default"))) int AnswerEverything();

int AnswerEverything() {
  return 42;
}
