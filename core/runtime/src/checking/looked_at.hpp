#pragma once

#include <backplane/api/i_tensor_handle.hpp>

#include <string>

namespace backplane::checking {

/// A tensor that the CPU reads for the life of this object: mapped when it can be, else where its
/// memory view says.
class LookedAt {
 public:
  /// The handle is the core's own or stands for another's.
  explicit LookedAt(ITensorHandle& handle);
  ~LookedAt();
  LookedAt(const LookedAt&) = delete;
  LookedAt& operator=(const LookedAt&) = delete;

  /// Null: it cannot be read.
  const MemoryView* GetView() const { return is_readable_ ? &view_ : nullptr; }
  /// Why it cannot be read; completes "whose memory".
  const std::string& GetFault() const { return fault_; }

 private:
  void UseView(Status map_answer);

  ITensorHandle& handle_;
  MemoryView view_;
  bool is_mapped_ = false;
  bool is_readable_ = false;
  std::string fault_;
};

}  // namespace backplane::checking
