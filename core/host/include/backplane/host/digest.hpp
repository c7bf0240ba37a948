#pragma once

#include <backplane/host/export.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace backplane {

/// The SHA-256 digest of bytes that are given piece by piece.
class BACKPLANE_HOST_API Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  /// Adds bytes behind those that were added before.
  /// Null: allowed when there are none.
  /// [one at a time]
  void Add(const void* data, std::size_t size_bytes);

  /// The digest of all, as 64 lower-case hexadecimal digits; nothing can be added behind it.
  /// Errors: "" when the system's library of digests refuses to compute this one.
  /// [one at a time] [after Add]
  std::string Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace backplane
