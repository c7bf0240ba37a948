#include "recurrent/recurrent_memory.hpp"

namespace backplane {
namespace cpuacc {

RecurrentMemory::RecurrentMemory(const RecurrentShape& shape, std::int64_t units,
                                 std::int64_t num_weights)
    : units_(units),
      num_items_(units == 0 ? 0 : shape.directions * shape.batch),
      num_gates_(num_items_ * shape.steps * shape.num_gates * units),
      num_weights_(num_weights) {}

std::uint64_t RecurrentMemory::GetSizeBytes() const {
  const std::int64_t num_floats = num_gates_ + num_weights_ + kNumVectors * units_ * num_items_;
  return static_cast<std::uint64_t>(num_floats) * sizeof(float) +
         2 * static_cast<std::uint64_t>(num_items_) * sizeof(RecurrentRow);
}

RecurrentBuffers RecurrentMemory::Place(void* scratch) const {
  RecurrentBuffers buffers;
  buffers.gates = static_cast<float*>(scratch);
  buffers.weights = buffers.gates + num_gates_;
  float* vectors = buffers.weights + num_weights_;
  buffers.items = reinterpret_cast<RecurrentRow*>(vectors + kNumVectors * units_ * num_items_);
  buffers.rows = buffers.items + num_items_;
  for (std::int64_t item = 0; item < num_items_; ++item, vectors += kNumVectors * units_) {
    RecurrentRow& row = buffers.items[item];
    row.before = vectors;
    row.after = vectors + units_;
    row.cell = vectors + 2 * units_;
    row.update = vectors + 3 * units_;
    row.reset = vectors + 4 * units_;
  }
  return buffers;
}

}  // namespace cpuacc
}  // namespace backplane
