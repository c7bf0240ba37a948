#pragma once

/// What outputs hold before a run.

#include "conformance/typed_tensor.hpp"

namespace backplane::check_backend {

constexpr unsigned char kGarbage = 0xA7;

inline conformance::StoredTensor MakeGarbage(const TensorInfo& info) {
  conformance::StoredTensor tensor(info);
  tensor.bytes.assign(tensor.bytes.size(), kGarbage);
  return tensor;
}

}  // namespace backplane::check_backend
