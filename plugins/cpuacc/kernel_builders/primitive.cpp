#include "kernel_builders/primitive.hpp"

#include "library/engine.hpp"
#include "memory/aligned_memory.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

using Source = PrimitiveArgument::Source;

/// The arguments of a part as oneDNN takes them, with the addresses that they have now.
struct PartState {
  std::vector<dnnl::memory> memories;
  std::vector<void*> addresses;
  std::vector<dnnl_exec_arg_t> arguments;
  dnnl::stream stream{GetEngine()};
};

struct PrimitiveState : KernelState {
  std::vector<PartState> parts;
};

void* OffsetBy(void* begin, std::uint64_t offset_bytes) {
  return static_cast<unsigned char*>(begin) + offset_bytes;
}

/// Primitives are made with one thread each: those of oneDNN would belong to whoever calls.
class PrimitiveKernel : public Kernel {
 public:
  explicit PrimitiveKernel(std::vector<PrimitivePart> parts) : parts_(std::move(parts)) {
    for (PrimitivePart& part : parts_) {
      for (PrimitiveArgument& argument : part.arguments) {
        argument.copied.scratch_offset_bytes = scratch_bytes_;
        scratch_bytes_ += RoundUp(argument.copied.count * argument.copied.size_bytes);
      }
      const std::uint64_t size_bytes = part.scratchpad.get_size();
      if (size_bytes == 0) continue;
      part.arguments.push_back(
          {DNNL_ARG_SCRATCHPAD, part.scratchpad, Source::kScratch, 0, nullptr, scratch_bytes_});
      scratch_bytes_ += RoundUp(size_bytes);
    }
  }

  std::uint64_t GetScratchBytes() const override { return scratch_bytes_; }

  std::unique_ptr<KernelState> MakeState() const override {
    auto state = std::make_unique<PrimitiveState>();
    for (const PrimitivePart& part : parts_) {
      PartState& of_part = state->parts.emplace_back();
      for (const PrimitiveArgument& argument : part.arguments) {
        void* address = const_cast<void*>(argument.constant.get());
        if (address != nullptr) address = OffsetBy(address, argument.offset_bytes);
        of_part.memories.emplace_back(argument.desc, GetEngine(), address);
        of_part.addresses.push_back(address);
        of_part.arguments.push_back({argument.id, of_part.memories.back().get()});
      }
    }
    return state;
  }

  void Run(const KernelRun& run) const override {
    auto& state = static_cast<PrimitiveState&>(*run.state);
    run.threads.ForEach(static_cast<int>(parts_.size()), [&](int index) {
      const auto part = static_cast<std::size_t>(index);
      RunPart(parts_[part], run, state.parts[part]);
    });
  }

 private:
  static void RunPart(const PrimitivePart& part, const KernelRun& run, PartState& state) {
    for (std::size_t index = 0; index < part.arguments.size(); ++index) {
      if (part.arguments[index].source == Source::kConstant) continue;
      void* address = GetAddress(part.arguments[index], run);
      if (address == state.addresses[index]) continue;
      state.memories[index].set_data_handle(address, state.stream);
      state.addresses[index] = address;
    }
    dnnl::error::wrap_c_api(
        dnnl_primitive_execute(part.primitive.get(), state.stream.get(),
                               static_cast<int>(state.arguments.size()), state.arguments.data()),
        "a primitive could not be run");
    const PartFunction& function = part.function;
    if (function.map == nullptr) return;
    auto* const output = static_cast<float*>(OffsetBy(run.outputs[0], function.offset_bytes));
    function.map(output, output, function.count, function.alpha, function.beta);
  }

  static void* GetAddress(const PrimitiveArgument& argument, const KernelRun& run) {
    void* begin = run.scratch;
    if (argument.source == Source::kInput) begin = run.inputs[argument.index];
    if (argument.source == Source::kOutput) begin = run.outputs[argument.index];
    if (begin == nullptr) return nullptr;
    void* const address = OffsetBy(begin, argument.offset_bytes);
    return argument.copied.count == 0 ? address : Copy(address, argument.copied, run);
  }

  static void* Copy(void* from, const CopiedPlanes& planes, const KernelRun& run) {
    void* const to = OffsetBy(run.scratch, planes.scratch_offset_bytes);
    for (std::uint64_t plane = 0; plane < planes.count; ++plane) {
      std::memcpy(OffsetBy(to, plane * planes.size_bytes),
                  OffsetBy(from, plane * planes.step_bytes), planes.size_bytes);
    }
    return to;
  }

  std::vector<PrimitivePart> parts_;
  std::uint64_t scratch_bytes_ = 0;
};

struct SequenceState : KernelState {
  std::vector<std::unique_ptr<KernelState>> states;
};

class Sequence : public Kernel {
 public:
  explicit Sequence(std::vector<std::unique_ptr<const Kernel>> kernels)
      : kernels_(std::move(kernels)) {}

  std::uint64_t GetScratchBytes() const override {
    std::uint64_t most = 0;
    for (const auto& kernel : kernels_) most = std::max(most, kernel->GetScratchBytes());
    return most;
  }

  std::unique_ptr<KernelState> MakeState() const override {
    auto state = std::make_unique<SequenceState>();
    for (const auto& kernel : kernels_) state->states.push_back(kernel->MakeState());
    return state;
  }

  void Run(const KernelRun& run) const override {
    auto& state = static_cast<SequenceState&>(*run.state);
    KernelRun part = run;
    for (std::size_t index = 0; index < kernels_.size(); ++index) {
      part.state = state.states[index].get();
      kernels_[index]->Run(part);
    }
  }

 private:
  std::vector<std::unique_ptr<const Kernel>> kernels_;
};

}  // namespace

PrimitiveArgument FromInput(int id, const dnnl::memory::desc& desc, std::uint32_t index) {
  return {id, desc, Source::kInput, index, nullptr};
}

PrimitiveArgument FromOutput(int id, const dnnl::memory::desc& desc, std::uint32_t index) {
  return {id, desc, Source::kOutput, index, nullptr};
}

PrimitiveArgument FromConstant(int id, const dnnl::memory::desc& desc,
                               std::shared_ptr<const void> content) {
  return {id, desc, Source::kConstant, 0, std::move(content)};
}

PrimitiveArgument FromConstantOrInput(KernelMaker& maker, int id, std::uint32_t index,
                                      const dnnl::memory::desc& from,
                                      const dnnl::memory::desc& to) {
  if (maker.GetInput(index).IsConstant()) {
    return FromConstant(id, to, maker.Pack(index, from, to));
  }
  maker.WantPlain(index);
  return FromInput(id, to, index);
}

std::unique_ptr<const Kernel> MakePrimitiveKernel(const dnnl::primitive& primitive,
                                                  std::vector<PrimitiveArgument> arguments,
                                                  const dnnl::memory::desc& scratchpad) {
  std::vector<PrimitivePart> parts;
  parts.push_back({primitive, std::move(arguments), scratchpad});
  return MakePartsKernel(std::move(parts));
}

std::unique_ptr<const Kernel> MakePartsKernel(std::vector<PrimitivePart> parts) {
  return std::make_unique<PrimitiveKernel>(std::move(parts));
}

dnnl::primitive_attr MakeAttributes() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

std::unique_ptr<const Kernel> MakeSequence(std::vector<std::unique_ptr<const Kernel>> kernels) {
  if (kernels.size() == 1) return std::move(kernels.front());
  return std::make_unique<Sequence>(std::move(kernels));
}

}  // namespace cpuacc
}  // namespace backplane
