#include "making/primitive.hpp"

#include "library/engine.hpp"

#include <algorithm>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

using Source = PrimitiveArgument::Source;

/// The arguments as oneDNN takes them, with the addresses that they have now.
struct PrimitiveState : KernelState {
  std::vector<dnnl::memory> memories;
  std::vector<void*> addresses;
  std::vector<dnnl_exec_arg_t> arguments;
  dnnl::stream stream{GetEngine()};
};

class PrimitiveKernel : public Kernel {
 public:
  PrimitiveKernel(const dnnl::primitive& primitive, std::vector<PrimitiveArgument> arguments,
                  const dnnl::memory::desc& scratchpad)
      : primitive_(primitive),
        arguments_(std::move(arguments)),
        scratch_bytes_(scratchpad.get_size()) {
    if (scratch_bytes_ > 0) {
      arguments_.push_back({DNNL_ARG_SCRATCHPAD, scratchpad, Source::kScratch, 0, nullptr});
    }
  }

  std::uint64_t GetScratchBytes() const override { return scratch_bytes_; }

  std::unique_ptr<KernelState> MakeState() const override {
    auto state = std::make_unique<PrimitiveState>();
    for (const PrimitiveArgument& argument : arguments_) {
      void* address = const_cast<void*>(argument.constant.get());
      state->memories.emplace_back(argument.desc, GetEngine(), address);
      state->addresses.push_back(address);
      state->arguments.push_back({argument.id, state->memories.back().get()});
    }
    return state;
  }

  void Run(const KernelRun& run) const override {
    auto& state = static_cast<PrimitiveState&>(*run.state);
    for (std::size_t index = 0; index < arguments_.size(); ++index) {
      if (arguments_[index].source == Source::kConstant) continue;
      void* address = GetAddress(arguments_[index], run);
      if (address == state.addresses[index]) continue;
      state.memories[index].set_data_handle(address, state.stream);
      state.addresses[index] = address;
    }
    dnnl::error::wrap_c_api(
        dnnl_primitive_execute(primitive_.get(), state.stream.get(),
                               static_cast<int>(state.arguments.size()), state.arguments.data()),
        "a primitive could not be run");
  }

 private:
  static void* GetAddress(const PrimitiveArgument& argument, const KernelRun& run) {
    if (argument.source == Source::kScratch) return run.scratch;
    return argument.source == Source::kInput ? run.inputs[argument.index]
                                             : run.outputs[argument.index];
  }

  dnnl::primitive primitive_;
  std::vector<PrimitiveArgument> arguments_;
  std::uint64_t scratch_bytes_;
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
  return std::make_unique<PrimitiveKernel>(primitive, std::move(arguments), scratchpad);
}

dnnl::primitive_attr MakeAttributes() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

dnnl::primitive_attr MakeProductAttributes(const Options& options) {
  dnnl::primitive_attr attributes = MakeAttributes();
  if (options.fast_math) attributes.set_fpmath_mode(dnnl::fpmath_mode::bf16);
  return attributes;
}

std::unique_ptr<const Kernel> MakeSequence(std::vector<std::unique_ptr<const Kernel>> kernels) {
  if (kernels.size() == 1) return std::move(kernels.front());
  return std::make_unique<Sequence>(std::move(kernels));
}

}  // namespace cpuacc
}  // namespace backplane
