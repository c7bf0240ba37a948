#include "recurrent/recurrent_kernel.hpp"

#include "recurrent/gate_functions.hpp"
#include "recurrent/recurrent_memory.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <algorithm>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// How many pieces of as many multiplications each are worth waking a thread for.
std::int64_t GetGrain(std::int64_t num_multiplications) {
  constexpr std::int64_t kWorthAThread = 1 << 17;
  return kWorthAThread / std::max<std::int64_t>(num_multiplications, 1) + 1;
}

/// Pieces of one direction, from the first to before the last.
struct Part {
  std::int64_t direction;
  std::int64_t first;
  std::int64_t last;
};

/// Calls `visit` for the parts of a range of pieces that belong to one direction, which has
/// `count` pieces.
template <typename Visit>
void ForDirections(std::int64_t count, std::int64_t first, std::int64_t last, const Visit& visit) {
  while (first < last) {
    const std::int64_t direction = first / count;
    const std::int64_t begin = direction * count;
    const std::int64_t end = std::min(last, begin + count);
    visit(Part{direction, first - begin, end - begin});
    first = end;
  }
}

/// All steps of the input are multiplied with the weights at once; then each step multiplies the
/// hidden states.
class RecurrentKernel : public Kernel {
 public:
  RecurrentKernel(const RecurrentShape& shape, const RecurrentCells& cells, float clip,
                  const SequenceLengths& lengths, const WeightPacking& packing,
                  std::shared_ptr<const void> weights)
      : shape_(shape),
        kind_(cells.kind),
        functions_(GetSimdFunctions().recurrent),
        packing_(packing),
        lengths_(lengths),
        weights_(std::move(weights)),
        units_(packing.GetNumBlocks() * functions_.lanes),
        memory_(shape, units_, weights_ == nullptr ? packing.GetSize() : 0) {
    for (std::int64_t direction = 0; direction < shape.directions; ++direction) {
      cells_[direction] = MakeCell(cells, clip, direction);
    }
  }

  std::uint64_t GetScratchBytes() const override { return IsEmpty() ? 0 : memory_.GetSizeBytes(); }

  void Run(const KernelRun& run) const override {
    if (IsEmpty()) return;
    Work work{run, memory_.Place(run.scratch), {}};
    PlaceWeights(work);
    Project(work);
    // Threads share the sequences where there are enough, else the units.
    const std::int64_t num_items = shape_.directions * shape_.batch;
    const std::int64_t grain = GetGrain(shape_.steps * GetRowSize() * shape_.hidden);
    const bool shares_items = num_items >= run.threads.GetCount();
    ParallelFor(shares_items ? run.threads : Threads(), num_items, grain,
                [&](std::int64_t first, std::int64_t last) {
                  ForDirections(shape_.batch, first, last, [&](const Part& sequences) {
                    RunSequences(work, sequences, shares_items ? Threads() : run.threads);
                  });
                });
  }

 private:
  struct Work {
    const KernelRun& run;
    RecurrentBuffers buffers;
    RecurrentCell cells[kMaxDirections];
  };

  bool IsEmpty() const { return shape_.batch == 0 || shape_.hidden == 0; }
  std::int64_t GetRowSize() const { return units_ * shape_.num_gates; }
  std::int64_t GetNumRows() const { return shape_.steps * shape_.batch; }

  RecurrentCell MakeCell(const RecurrentCells& cells, float clip, std::int64_t direction) const {
    RecurrentCell cell;
    cell.num_inputs = shape_.inputs;
    cell.num_hidden = shape_.hidden;
    SetGateFunctions(cells.functions[direction], clip, cells.kind, cell);
    cell.has_input_forget = cells.has_input_forget;
    return cell;
  }

  void PlaceWeights(Work& work) const {
    const auto* weights = static_cast<const float*>(weights_.get());
    if (weights == nullptr) {
      packing_.Pack(work.run.inputs, work.buffers.weights);
      weights = work.buffers.weights;
    }
    for (std::int64_t direction = 0; direction < shape_.directions; ++direction) {
      work.cells[direction] = cells_[direction];
      work.cells[direction].weights = packing_.Find(weights, direction);
    }
  }

  void Project(const Work& work) const {
    const std::int64_t blocks = packing_.GetNumBlocks();
    const std::int64_t of_block = GetNumRows() * shape_.inputs * GetRowSize() / blocks;
    const ProjectInputs project = functions_.project[static_cast<int>(kind_)];
    ParallelFor(work.run.threads, shape_.directions * blocks, GetGrain(of_block),
                [&](std::int64_t first, std::int64_t last) {
                  ForDirections(blocks, first, last, [&](const Part& part) {
                    project(work.cells[part.direction], work.run.Input<float>(0), GetNumRows(),
                            {part.first, part.last}, blocks,
                            work.buffers.gates + part.direction * GetNumRows() * GetRowSize());
                  });
                });
  }

  RecurrentRow* GetItems(const Work& work, std::int64_t direction) const {
    return work.buffers.items + direction * shape_.batch;
  }

  void RunSequences(const Work& work, const Part& sequences, const Threads& threads) const {
    RecurrentRow* items = GetItems(work, sequences.direction);
    for (std::int64_t sequence = sequences.first; sequence < sequences.last; ++sequence) {
      const std::int64_t row = shape_.GetStateRow(sequences.direction, sequence);
      StartState(work, shape_.initial_hidden, row, items[sequence].before);
      if (kind_ != RecurrentCellKind::kLstm) continue;
      StartState(work, shape_.initial_cell, row, items[sequence].cell);
    }
    for (std::int64_t count = 0; count < shape_.steps && !work.run.threads.AreStopped(); ++count) {
      Advance(work, sequences, PlaceStep(work, sequences, count), threads);
    }
    for (std::int64_t sequence = sequences.first; sequence < sequences.last; ++sequence) {
      const std::int64_t row = shape_.GetStateRow(sequences.direction, sequence);
      StoreState(items[sequence].before, work.run.Output<float>(1), row);
      if (kind_ != RecurrentCellKind::kLstm) continue;
      StoreState(items[sequence].cell, work.run.Output<float>(2), row);
    }
  }

  void StartState(const Work& work, std::uint32_t input, std::int64_t row, float* state) const {
    std::fill_n(state, units_, 0.0F);
    if (input == cpu_layers::kNoInput) return;
    std::copy_n(work.run.Input<float>(input) + row * shape_.hidden, shape_.hidden, state);
  }

  void StoreState(const float* state, float* output, std::int64_t row) const {
    std::copy_n(state, shape_.hidden, output + row * shape_.hidden);
  }

  /// Lists the sequences that have the `count`-th step, and sets the outputs of the others to 0.
  /// In reverse, their last steps are the first. After this, the step is what was before the next.
  std::int64_t PlaceStep(const Work& work, const Part& sequences, std::int64_t count) const {
    const std::int64_t direction = sequences.direction;
    const bool is_reverse = shape_.is_reverse || direction == 1;
    const float* gates = work.buffers.gates + direction * GetNumRows() * GetRowSize();
    RecurrentRow* row = GetFirstRow(work, sequences);
    for (std::int64_t sequence = sequences.first; sequence < sequences.last; ++sequence) {
      const std::int64_t length = lengths_.Get(work.run, sequence);
      const std::int64_t step = is_reverse && count < length ? length - 1 - count : count;
      float* output =
          work.run.Output<float>() + shape_.GetHiddenRow(step, direction, sequence) * shape_.hidden;
      if (count >= length) {
        std::fill_n(output, shape_.hidden, 0.0F);
        continue;
      }
      RecurrentRow& item = GetItems(work, direction)[sequence];
      item.gates = gates + shape_.GetInputRow(step, sequence) * GetRowSize();
      item.output = output;
      *row++ = item;
      std::swap(item.before, item.after);
    }
    return row - GetFirstRow(work, sequences);
  }

  RecurrentRow* GetFirstRow(const Work& work, const Part& sequences) const {
    return work.buffers.rows + sequences.direction * shape_.batch + sequences.first;
  }

  void Advance(const Work& work, const Part& sequences, std::int64_t num_rows,
               const Threads& threads) const {
    if (kind_ == RecurrentCellKind::kGru) {
      AdvanceBy(functions_.reset, work, sequences, num_rows, threads);
    }
    AdvanceBy(functions_.advance[static_cast<int>(kind_)], work, sequences, num_rows, threads);
  }

  void AdvanceBy(AdvanceRows function, const Work& work, const Part& sequences,
                 std::int64_t num_rows, const Threads& threads) const {
    const std::int64_t blocks = packing_.GetNumBlocks();
    const RecurrentCell& cell = work.cells[sequences.direction];
    const RecurrentRow* rows = GetFirstRow(work, sequences);
    // Most steps are too short for the divisions that find the pieces.
    if (threads.GetCount() == 1) return function(cell, rows, num_rows, {0, blocks});
    const std::int64_t grain = GetGrain(num_rows * shape_.hidden * GetRowSize() / blocks);
    ParallelFor(threads, blocks, grain, [&](std::int64_t first, std::int64_t last) {
      function(cell, rows, num_rows, {first, last});
    });
  }

  RecurrentShape shape_;
  RecurrentCellKind kind_;
  const RecurrentFunctions& functions_;
  WeightPacking packing_;
  SequenceLengths lengths_;
  std::shared_ptr<const void> weights_;
  std::int64_t units_;  // with the padding
  RecurrentMemory memory_;
  RecurrentCell cells_[kMaxDirections];
};

}  // namespace

std::unique_ptr<const Kernel> MakeRecurrentKernel(const RecurrentShape& shape,
                                                  const RecurrentCells& cells, float clip,
                                                  const SequenceLengths& lengths,
                                                  const WeightPacking& packing,
                                                  std::shared_ptr<const void> weights) {
  return std::make_unique<RecurrentKernel>(shape, cells, clip, lengths, packing,
                                           std::move(weights));
}

}  // namespace cpuacc
}  // namespace backplane
