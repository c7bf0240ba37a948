#pragma once

#include "compiling.hpp"
#include "own_operator.hpp"
#include "workload.hpp"

#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/pooling.hpp>
#include <backplane/api/descriptors/softmax.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>
#include <thread>
#include <utility>

namespace mutants {

/// While a workload is made.
struct Loading {
  Loading() {
    ++GetDevice().num_loading;
    if (Makes(Mistake::kLoadDisturbsRuns)) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  }
  Loading(const Loading&) = delete;
  Loading& operator=(const Loading&) = delete;
  ~Loading() { --GetDevice().num_loading; }
};

class WorkloadFactory final : public backplane::IWorkloadFactory {
 public:
  WorkloadFactory(const backplane::WorkloadFactoryArgs& args, std::uint64_t number_of_backend)
      : number_of_backend_(number_of_backend) {
    if (Makes(Mistake::kNoOptionsUnforeseen) && args.options->options.empty()) {
      throw std::out_of_range("the option threads is missing");
    }
  }

  std::unique_ptr<backplane::IWorkload> CreateWorkload(
      const backplane::WorkloadArgs& args) override {
    Pass(Place::kLoad);
    const Loading loading;
    if (Makes(Mistake::kYesThenNull) &&
        args.layer_type == backplane::LayerType::kElementwiseUnary) {
      return nullptr;
    }
    if (Makes(Mistake::kLeakPerWorkload)) GetDevice().leaked = std::malloc(4096);
    if (Makes(Mistake::kOutOfMemoryUnforeseen)) {
      const std::unique_ptr<volatile char> table(new (std::nothrow) char);
      *table = 1;
    }
    std::shared_ptr<const memory_mock::Work> work = MakeWork(args);
    most_operand_bytes_ = std::max(most_operand_bytes_, work->GetOperandBytes());
    Kept kept;
    kept.descriptor = args.descriptor;
    kept.layer_name = args.layer_name;
    kept.number_of_backend = number_of_backend_;
    return std::make_unique<Workload>(args, num_workloads_++, std::move(work), kept);
  }

  std::unique_ptr<backplane::IExecutionState> CreateExecutionState() override {
    return std::make_unique<State>(
        board_, std::make_unique<memory_mock::RunState>(most_operand_bytes_,
                                                        kernels_.CreateExecutionState(), nullptr));
  }

  Status WaitForFence(const backplane::FenceView& fence, std::uint64_t timeout_ns) override {
    memory_mock::JobBoard::Lock lock(board_->mutex);
    if (Makes(Mistake::kFenceNotAwaited)) return Status::kSuccess;
    if (Makes(Mistake::kLongWaitsAreShort) && timeout_ns == backplane::kNoTimeout) {
      return Status::kTimeout;
    }
    if (fence.kind != backplane::FenceKind::kOpaque || !board_->HasGiven(fence.token)) {
      return Makes(Mistake::kForeignFenceTaken) ? Status::kSuccess : Status::kInvalidArgument;
    }
    const bool has_passed = board_->Await(lock, fence.token, timeout_ns);
    return has_passed ? Status::kSuccess : Status::kTimeout;
  }

 private:
  std::shared_ptr<const memory_mock::Work> MakeWork(const backplane::WorkloadArgs& args) {
    if (args.layer_type == backplane::LayerType::kPreCompiled) {
      if (args.pre_compiled == nullptr) throw std::invalid_argument("nothing is compiled");
      return std::make_shared<CompiledWork>(args.pre_compiled);
    }
    backplane::WorkloadArgs changed = args;
    switch (args.layer_type) {
      case backplane::LayerType::kConvolution:
        return MakeWorkOf<backplane::ConvolutionDescriptor>(changed, &Spoil);
      case backplane::LayerType::kPooling:
        return MakeWorkOf<backplane::PoolingDescriptor>(changed, &Spoil);
      case backplane::LayerType::kSoftmax:
        return MakeWorkOf<backplane::SoftmaxDescriptor>(changed, &Spoil);
      default:
        return WithKnownOperator(changed, [&](const auto& known) {
          return std::make_shared<memory_mock::KernelWork>(known, kernels_);
        });
    }
  }

  /// With the descriptor as mistakes change it.
  template <typename Descriptor>
  std::shared_ptr<const memory_mock::Work> MakeWorkOf(backplane::WorkloadArgs& args,
                                                      void (*spoil)(Descriptor&)) {
    auto descriptor = backplane::CopyDescriptor<Descriptor>(*args.descriptor);
    spoil(descriptor);
    args.descriptor = &descriptor;
    return std::make_shared<memory_mock::KernelWork>(args, kernels_);
  }

  static void Spoil(backplane::ConvolutionDescriptor& convolution) {
    if (Makes(Mistake::kPadsSwapped)) std::swap(convolution.pads_begin, convolution.pads_end);
  }
  static void Spoil(backplane::PoolingDescriptor& pooling) {
    using backplane::PaddingInAverage;
    if (Makes(Mistake::kPoolingPadsSwapped)) std::swap(pooling.pads_begin, pooling.pads_end);
    if (Makes(Mistake::kPaddingCounted)) pooling.padding_in_average = PaddingInAverage::kInclude;
  }
  static void Spoil(backplane::SoftmaxDescriptor& softmax) {
    if (Makes(Mistake::kBetaForgotten)) softmax.beta = 1.0F;
  }

  const std::uint64_t number_of_backend_;
  const std::shared_ptr<memory_mock::JobBoard> board_ = std::make_shared<memory_mock::JobBoard>();
  backplane::cpuref::WorkloadFactory kernels_;
  std::uint64_t most_operand_bytes_ = 0;
  std::uint32_t num_workloads_ = 0;
};

}  // namespace mutants
