/// What only several backends in one process do. They meet in the hash table of the C library, of
/// which a process has one, and which no inspection of files or of the process shows.

#include "deeds.hpp"

#include <fcntl.h>
#include <search.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace backplane::mock::deeds {
namespace {

bool IsFirst() {
  return hcreate(4) != 0;
}

/// How many came here before in this process.
std::intptr_t CountBefore() {
  static char key[] = "mock";
  hcreate(4);
  ENTRY entry{key, nullptr};
  ENTRY* found = hsearch(entry, ENTER);
  const auto count = reinterpret_cast<std::intptr_t>(found->data);
  found->data = reinterpret_cast<void*>(count + 1);
  return count;
}

}  // namespace

void AbortUnlessFirst() {
  if (IsFirst()) return;
  std::fprintf(stderr, "mock: the table of the process is taken\n");
  std::abort();
}

void AbortAsThird() {
  if (CountBefore() == 2) std::abort();
}

/// As AbortUnlessFirst, when a file is not there, which it makes.
void AbortOnceUnlessFirst() {
  const char* path = std::getenv("BACKPLANE_MOCK_ONCE");
  if (IsFirst() || path == nullptr) return;
  const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return;
  close(file);
  std::abort();
}

/// Takes part in nothing itself, and ends those that do AbortWhereSpoiled.
void SpoilForOthers() {
  static char key[] = "spoiled";
  hcreate(4);
  hsearch({key, nullptr}, ENTER);
}

void AbortWhereSpoiled() {
  static char key[] = "spoiled";
  hcreate(4);
  if (hsearch({key, nullptr}, FIND) != nullptr) std::abort();
}

void LoopUnlessFirst() {
  if (!IsFirst()) Loop();
}

void ThrowUnlessFirst() {
  if (!IsFirst()) throw std::runtime_error("the table of the process is taken");
}

}  // namespace backplane::mock::deeds
