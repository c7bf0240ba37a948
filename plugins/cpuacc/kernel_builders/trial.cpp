#include "kernel_builders/trial.hpp"

#include "kernel_builders/noise.hpp"
#include "library/engine.hpp"
#include "memory/aligned_memory.hpp"

#include <algorithm>
#include <chrono>

namespace backplane {
namespace cpuacc {
namespace {

using dnnl::memory;

void Reorder(const memory::desc& from_desc, void* from, const memory::desc& to_desc, void* to) {
  dnnl::stream stream(GetEngine());
  memory source(from_desc, GetEngine(), from);
  memory target(to_desc, GetEngine(), to);
  dnnl::reorder(source, target).execute(stream, source, target);
  stream.wait();
}

std::shared_ptr<void> MakeZeros(std::int64_t count) {
  std::shared_ptr<void> zeros = AllocateAligned(static_cast<std::uint64_t>(count) * sizeof(float));
  std::fill_n(static_cast<float*>(zeros.get()), count, 0.0F);
  return zeros;
}

}  // namespace

Trial::Trial(const KernelMaker& maker, const Way& way)
    : kernel_(way.make()),
      input_(AllocateAligned(way.input.GetSizeBytes(maker.GetInput(0).info))),
      output_(AllocateAligned(way.output.GetSizeBytes(maker.GetOutput().info))),
      bias_(MakeZeros(maker.GetOutput().info.shape[1])),
      scratch_(AllocateAligned(kernel_->GetScratchBytes())),
      state_(kernel_->MakeState()) {
  inputs_[0] = input_.get();
  inputs_[2] = bias_.get();
  outputs_[0] = output_.get();
  run_.inputs = inputs_;
  run_.outputs = outputs_;
  run_.scratch = scratch_.get();
  run_.state = state_.get();
  run_.threads = maker.GetThreads();
  FillInput(maker.GetInput(0).info, way.input);
}

double Trial::MeasureSeconds() {
  const auto begin = std::chrono::steady_clock::now();
  kernel_->Run(run_);
  run_.threads.RequireTime();  // it may have left work undone
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void Trial::FillInput(const TensorInfo& info, const Layout& layout) {
  const memory::desc plain = DescribePlain(info);
  const std::shared_ptr<void> content = AllocateAligned(plain.get_size());
  FillWithNoise(static_cast<float*>(content.get()), info.shape.GetNumElements());
  Reorder(plain, content.get(), Describe(info, layout), input_.get());
}

}  // namespace cpuacc
}  // namespace backplane
