#include "elements/element_kernel.hpp"

#include "memory/aligned_memory.hpp"
#include "threads/parallel.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// The least work that is worth another thread, in additions.
constexpr std::int64_t kGrain = 65536;

struct Addresses {
  const float* tensors[RowCursor::kMaxTensors];
};

/// The work of one thread: blocks, one after the other.
class BlockRunner {
 public:
  BlockRunner(const ElementChain& chain, const Addresses& addresses, float* output)
      : chain_(chain), loops_(chain.loops), addresses_(addresses), output_(output) {}

  void Run(std::int64_t begin, std::int64_t end) {
    RowCursor row(loops_, begin / loops_.blocks_per_row);
    std::int64_t block = begin % loops_.blocks_per_row;
    float* output = output_ + begin / loops_.blocks_per_row * loops_.row_length;
    for (std::int64_t unit = begin; unit < end; ++unit) {
      const std::int64_t start = block * loops_.block_length;
      RunBlock(row, start, std::min(loops_.block_length, loops_.row_length - start),
               output + start);
      if (++block < loops_.blocks_per_row) continue;
      block = 0;
      output += loops_.row_length;
      row.GoOn();
    }
  }

 private:
  void RunBlock(const RowCursor& row, std::int64_t start, std::int64_t count, float* output) {
    const float* x = GetFirst(row, start, count, output);
    for (const ElementStep& step : chain_.steps) {
      if (step.tensor == ElementStep::kNoTensor) {
        step.map(x, output, count, step.alpha, step.beta);
      } else {
        RunWithOperand(step, row, start, count, x, output);
      }
      x = output;
    }
    if (x != output) std::memmove(output, x, static_cast<std::size_t>(count) * sizeof(float));
  }

  /// What the chain begins with, if need be written out where the result will be.
  const float* GetFirst(const RowCursor& row, std::int64_t start, std::int64_t count,
                        float* output) const {
    const float* address = addresses_.tensors[0] + row.GetOffset(0);
    switch (loops_.tensors[0].access) {
      case RowAccess::kContiguous:
        return address + start;
      case RowAccess::kNumber:
        std::fill(output, output + count, *address);
        return output;
      case RowAccess::kExpanded:
        ExpandElements(loops_, loops_.tensors[0], address, start, count, output);
        return output;
    }
    return output;
  }

  void RunWithOperand(const ElementStep& step, const RowCursor& row, std::int64_t start,
                      std::int64_t count, const float* x, float* output) {
    const std::size_t tensor = step.tensor;
    const float* address = addresses_.tensors[tensor] + row.GetOffset(tensor);
    if (loops_.tensors[tensor].access == RowAccess::kNumber) {
      step.map(x, output, count, *address, 0.0F);
      return;
    }
    const float* operand = loops_.tensors[tensor].access == RowAccess::kContiguous
                               ? address + start
                               : Expand(tensor, address, start, count);
    if (step.operand_is_first) {
      step.combine(operand, x, output, count);
    } else {
      step.combine(x, operand, output, count);
    }
  }

  /// What was written out for the block before is used again when it is the same.
  const float* Expand(std::size_t tensor, const float* row, std::int64_t start,
                      std::int64_t count) {
    const TensorLoops& tensor_loops = loops_.tensors[tensor];
    if (tensor_loops.period != 0 && expanded_[tensor] == row && num_expanded_[tensor] >= count) {
      return blocks_[tensor];
    }
    ExpandElements(loops_, tensor_loops, row, start, count, blocks_[tensor]);
    expanded_[tensor] = row;
    num_expanded_[tensor] = count;
    return blocks_[tensor];
  }

  const ElementChain& chain_;
  const ElementLoops& loops_;
  const Addresses& addresses_;
  float* output_;
  const float* expanded_[RowCursor::kMaxTensors] = {};
  std::int64_t num_expanded_[RowCursor::kMaxTensors] = {};
  alignas(kAlignmentBytes) float blocks_[RowCursor::kMaxTensors][kMaxBlockLength];
};

class ElementKernel : public Kernel {
 public:
  explicit ElementKernel(ElementChain chain) : chain_(std::move(chain)) {}

  std::uint64_t GetScratchBytes() const override {
    std::uint64_t bytes = 0;
    for (const ElementSource& source : chain_.sources) bytes += GetScratchBytes(source);
    return bytes;
  }

  void Run(const KernelRun& run) const override {
    if (chain_.loops.num_rows == 0) return;
    const Addresses addresses = PrepareTensors(run);
    auto* output = run.Output<float>();
    const ElementLoops& loops = chain_.loops;
    const std::int64_t cost_of_block = std::min(loops.block_length, loops.row_length) * chain_.cost;
    ParallelFor(run.threads, loops.num_rows * loops.blocks_per_row,
                std::max<std::int64_t>(1, kGrain / cost_of_block),
                [&](std::int64_t begin, std::int64_t end) {
                  BlockRunner(chain_, addresses, output).Run(begin, end);
                });
  }

 private:
  static std::uint64_t GetScratchBytes(const ElementSource& source) {
    if (!source.padding) return 0;
    return RoundUp(static_cast<std::uint64_t>(source.padding->GetNumElements()) * sizeof(float));
  }

  Addresses PrepareTensors(const KernelRun& run) const {
    Addresses addresses;
    auto* scratch = run.GetScratch<unsigned char>();
    for (std::size_t tensor = 0; tensor < chain_.sources.size(); ++tensor) {
      const ElementSource& source = chain_.sources[tensor];
      const float* address = GetAddress(source, run);
      if (source.padding) {
        auto* padded = static_cast<float*>(static_cast<void*>(scratch));
        source.padding->Copy(address, padded);
        scratch += GetScratchBytes(source);
        address = padded;
      }
      addresses.tensors[tensor] = address;
    }
    return addresses;
  }

  static const float* GetAddress(const ElementSource& source, const KernelRun& run) {
    switch (source.kind) {
      case ElementSource::Kind::kInput:
        return run.Input<float>(source.index);
      case ElementSource::Kind::kOutput:
        return run.Output<float>();
      case ElementSource::Kind::kConstant:
        return static_cast<const float*>(source.constant.get());
    }
    return nullptr;
  }

  const ElementChain chain_;
};

}  // namespace

std::unique_ptr<const Kernel> MakeElementKernel(ElementChain chain) {
  return std::make_unique<ElementKernel>(std::move(chain));
}

}  // namespace cpuacc
}  // namespace backplane
