#pragma once

#include <string>

namespace backplane::list_backends {

/// Standard output, kept for results alone: what plugins print while they are loaded goes to
/// standard error instead.
class ResultStream {
 public:
  /// Takes standard output over, for the rest of the process.
  ResultStream();
  ~ResultStream();
  ResultStream(const ResultStream&) = delete;
  ResultStream& operator=(const ResultStream&) = delete;

  int GetDescriptor() const { return descriptor_; }

  /// Writes everything, or returns the number of the error (errno).
  int Write(const std::string& text) const;

 private:
  int descriptor_;
};

}  // namespace backplane::list_backends
