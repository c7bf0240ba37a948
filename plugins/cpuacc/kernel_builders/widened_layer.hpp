#pragma once

/// Layers of floats of 16 bits as they are computed: in float32.

#include "kernel_builders/layer.hpp"

#include <cstdint>
#include <vector>

namespace backplane {
namespace cpuacc {

/// Whether it is float16 or bfloat16.
bool IsHalf(DataType type);

/// The same with float32 where it has 16 bits.
TensorInfo Widen(const TensorInfo& info);

/// Whether a layer can be computed in float32 instead: it has tensors of 16 bits, and all its
/// floats are of this one type, but for those that never have another than float32. A Cast may have
/// two, and rounds once.
bool CanBeWidened(const Layer& layer);

/// Makes the descriptor of a layer ask for float32 where it asks for a float of 16 bits.
void WidenDescriptor(LayerType type, std::vector<unsigned char>& descriptor);

/// The same layer with float32 for what has 16 bits. Borrows from `layer`.
class WidenedLayer {
 public:
  explicit WidenedLayer(const Layer& layer);
  WidenedLayer(const WidenedLayer&) = delete;
  WidenedLayer& operator=(const WidenedLayer&) = delete;

  const Layer& Get() const { return layer_; }

 private:
  Layer layer_;
  std::vector<unsigned char> descriptor_;
  std::vector<TensorInfo> infos_;
  std::vector<const TensorInfo*> inputs_;
  std::vector<const TensorInfo*> outputs_;
};

}  // namespace cpuacc
}  // namespace backplane
