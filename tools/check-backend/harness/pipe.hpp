#pragma once

#include <string>

namespace backplane::check_backend {

/// A pipe from one process to another that is made by fork.
class Pipe {
 public:
  /// Errors: std::system_error.
  Pipe();
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int GetReader() const { return ends_[0]; }
  int GetWriter() const { return ends_[1]; }

  /// A little text.
  void Write(const std::string& text) const;
  /// Nothing more will be written by this process.
  void CloseWriter();
  /// All that is written until the last writer is closed, that of this process at once.
  std::string Read();

 private:
  int ends_[2] = {-1, -1};
};

}  // namespace backplane::check_backend
