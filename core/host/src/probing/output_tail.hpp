#pragma once

#include "discovery/file_descriptor.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace backplane::probing {

/// What a process writes into one pipe: all is taken out, little is kept.
class OutputTail {
 public:
  /// Takes over the reading end, which must not block.
  explicit OutputTail(discovery::FileDescriptor pipe) : pipe_(std::move(pipe)) {}

  /// -1 when the writing ends are closed.
  int GetDescriptor() const { return pipe_.Get(); }

  /// Takes out what is there.
  void Drain();

  std::uint64_t GetNumBytes() const { return num_bytes_; }
  /// The first bytes, as far as they were kept.
  const std::string& GetStart() const { return start_; }
  /// The last bytes, as far as they were kept, from the beginning of a line.
  std::string GetEnd() const;

 private:
  void Keep(std::string_view bytes);

  discovery::FileDescriptor pipe_;
  std::uint64_t num_bytes_ = 0;
  std::string start_;
  std::string end_;
};

}  // namespace backplane::probing
