#include "watched.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <stdexcept>

namespace complete_mock {
namespace {

/// An exception whose class and text are in this library.
class Burnt final : public std::exception {
 public:
  const char* what() const noexcept override { return "the device burns"; }
};

[[noreturn]] void Throw(const std::string& what) {
  if (what == "Own") throw Burnt();
  if (what == "Number") throw 42;
  if (what == "OutOfMemory") throw std::bad_alloc();
  throw std::runtime_error("the device burns");
}

struct Library {
  Library() = default;
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() { Record("library"); }
};

const Library library;

}  // namespace

void Pass(const char* function) {
  const char* wish = std::getenv("MOCK_THROWS");
  if (wish == nullptr) return;
  const std::string text = wish;
  const std::size_t space = text.find(' ');
  if (text.substr(0, space) == function) Throw(text.substr(space + 1));
}

void Record(const std::string& event) {
  const char* path = std::getenv("MOCK_RECORD");
  if (path == nullptr) return;
  const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) std::abort();
  const std::string line = event + '\n';
  if (write(file, line.data(), line.size()) < 0) std::abort();
  close(file);
}

}  // namespace complete_mock
