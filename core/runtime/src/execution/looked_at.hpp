#pragma once

#include <backplane/api/i_tensor_handle.hpp>
#include <backplane/api/tensor_info.hpp>

#include <optional>
#include <string>
#include <vector>

namespace backplane::execution {

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

/// Whether a backend describes the memory of a tensor as that of this one; nothing beyond is read.
bool DescribesTensor(const MemoryView& view, const TensorInfo& info);

/// The elements, one after the other. Nothing: they cannot be read; `fault`, when it is not null,
/// says why.
std::optional<std::vector<unsigned char>> ReadTensor(ITensorHandle& handle, const TensorInfo& info,
                                                     std::string* fault = nullptr);

/// Sets every byte of every element, and nothing between. False: it cannot be written.
bool FillTensor(ITensorHandle& handle, const TensorInfo& info, unsigned char byte);

}  // namespace backplane::execution
