#pragma once

#include "wire/file_descriptor.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace backplane::spawn {

/// Takes all that a process writes into one pipe, and keeps the last of it.
class OutputTail {
 public:
  /// Takes over the reading end, which must not block. `look_at` sees what is not kept, in whole
  /// lines where there are lines.
  using LookAt = std::function<void(std::string_view)>;
  explicit OutputTail(wire::FileDescriptor pipe, LookAt look_at = nullptr)
      : pipe_(std::move(pipe)), look_at_(std::move(look_at)) {}
  /// `pass_on` sees everything, as it comes.
  void PassOn(LookAt pass_on) { pass_on_ = std::move(pass_on); }

  /// -1 when the writing ends are closed.
  int GetDescriptor() const { return pipe_.Get(); }

  /// Takes out what is there.
  void Drain();

  std::uint64_t GetNumBytes() const { return num_bytes_; }
  /// The first bytes, as far as they were kept.
  const std::string& GetStart() const { return start_; }
  /// The last bytes, as far as they were kept, from the beginning of a line where there are lines.
  const std::string& GetEnd() const { return end_; }

 private:
  void Keep(std::string_view bytes);
  void DropBeginning();

  wire::FileDescriptor pipe_;
  LookAt look_at_;
  LookAt pass_on_;
  std::uint64_t num_bytes_ = 0;
  std::string start_;
  std::string end_;
};

}  // namespace backplane::spawn
