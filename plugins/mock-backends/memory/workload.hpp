#pragma once

#include "computation.hpp"
#include "job_queue.hpp"
#include "tensor_handle.hpp"

#include <backplane/api/i_workload_factory.hpp>

namespace memory_mock {

/// A tensor beside a workload, as it was promised.
struct Operand {
  backplane::TensorInfo info;
  const Kind* kind = nullptr;  // null: of others, known by its memory view alone
};

/// The elements of a handle.
/// Null: when it is not what was promised, not bound, or cannot be used so.
inline std::optional<Elements> OpenElements(const Operand& operand,
                                            const backplane::ITensorHandle& handle,
                                            backplane::MemoryAccess access) {
  Place place;
  if (operand.kind != nullptr) {
    if (!GetLiveHandles().Contains(&handle)) return std::nullopt;
    const auto& own = static_cast<const TensorHandle&>(handle);
    if (&own.GetKind() != operand.kind || own.GetPlace() == nullptr) return std::nullopt;
    place = *own.GetPlace();
  } else {
    const backplane::MemoryView* view = handle.GetMemoryView();
    const bool is_usable =
        view != nullptr && view->data != nullptr && view->layout == backplane::TensorLayout::kKnown;
    if (!is_usable) return std::nullopt;
    place = {*view, static_cast<unsigned char*>(view->data)};
  }
  if (!IsOf(place.view, operand.info) || !Permits(place.view.access, access)) return std::nullopt;
  return Elements(place.view, place.address);
}

class Workload final : public backplane::IWorkload {
 public:
  Workload(const backplane::WorkloadArgs& args, std::uint32_t number)
      : computation_(GetComputation(args.layer_type, *args.descriptor)),
        is_copy_(args.layer_type == backplane::LayerType::kCopy),
        number_(number),
        inputs_(CollectOperands(args.inputs, args.input_factories, args.num_inputs)),
        outputs_(CollectOperands(args.outputs, args.output_factories, args.num_outputs)) {
    const bool is_split = computation_.function == Function::kSplit;
    const backplane::TensorShape& whole = (is_split ? inputs_ : outputs_).front().info.shape;
    for (std::uint32_t i = 0; i < computation_.axis; ++i) num_rows_ *= whole[i];
    if (is_copy_ && !IsPromised()) {
      throw std::invalid_argument("this backend has not promised to copy between these tensors");
    }
  }

  backplane::Status Execute(const backplane::ExecuteArgs& args) const override {
    if (args.num_inputs != inputs_.size() || args.num_outputs != outputs_.size()) {
      return backplane::Status::kInvalidArgument;
    }
    auto inputs = Open(inputs_, args.inputs, backplane::MemoryAccess::kRead);
    auto outputs = Open(outputs_, args.outputs, backplane::MemoryAccess::kWrite);
    if (inputs.size() != inputs_.size() || outputs.size() != outputs_.size()) {
      return backplane::Status::kInvalidArgument;
    }
    ++GetCounters().workloads_run;
    if (is_copy_) ++GetCounters().device_copies;
    auto work = [computation = computation_, num_rows = num_rows_, inputs = std::move(inputs),
                 outputs = std::move(outputs)] { Compute(computation, inputs, outputs, num_rows); };
    return Start(std::move(work), args);
  }

 private:
  static std::vector<Operand> CollectOperands(const backplane::TensorInfo* const* infos,
                                              const char* const* factories, std::uint32_t count) {
    std::vector<Operand> operands;
    for (std::uint32_t i = 0; i < count; ++i) {
      operands.push_back({*infos[i], factories != nullptr ? FindKind(factories[i]) : nullptr});
    }
    return operands;
  }

  static std::vector<Elements> Open(const std::vector<Operand>& operands,
                                    backplane::ITensorHandle* const* handles,
                                    backplane::MemoryAccess access) {
    std::vector<Elements> opened;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const std::optional<Elements> elements = OpenElements(operands[i], *handles[i], access);
      if (elements) opened.push_back(*elements);
    }
    return opened;
  }

  template <typename Work>
  backplane::Status Start(Work work, const backplane::ExecuteArgs& args) const {
    if (GetScenario().habit == Habit::kHandsOverFences) {
      if (args.state == nullptr) return backplane::Status::kInvalidArgument;
      return static_cast<JobQueue*>(args.state)->Add(number_, std::move(work), args);
    }
    if (args.num_wait_fences != 0 || args.completion != nullptr) {
      return backplane::Status::kInvalidArgument;
    }
    work();
    return backplane::Status::kSuccess;
  }

  /// Whether the properties of the kinds say that the backend copies between them.
  bool IsPromised() const {
    const Kind* from = inputs_.front().kind;
    const Kind* to = outputs_.front().kind;
    if (inputs_.front().info.data_type != backplane::DataType::kFloat32) return false;
    if (from != nullptr && to != nullptr) return from->Has(kCopiesWithin) && to->Has(kCopiesWithin);
    const Kind* own = from != nullptr ? from : to;
    return own != nullptr && own->Has(kCopiesMalloc);
  }

  const Computation computation_;
  const bool is_copy_;
  const std::uint32_t number_;  // among the workloads of the factory
  const std::vector<Operand> inputs_;
  const std::vector<Operand> outputs_;
  std::int64_t num_rows_ = 1;  // of what is joined or taken apart
};

class WorkloadFactory final : public backplane::IWorkloadFactory {
 public:
  std::unique_ptr<backplane::IWorkload> CreateWorkload(
      const backplane::WorkloadArgs& args) override {
    return std::make_unique<Workload>(args, num_workloads_++);
  }

  std::unique_ptr<backplane::IExecutionState> CreateExecutionState() override {
    if (GetScenario().habit != Habit::kHandsOverFences) return nullptr;
    return std::make_unique<JobQueue>(board_);
  }

  backplane::Status WaitForFence(const backplane::FenceView& fence,
                                 std::uint64_t timeout_ns) override {
    JobBoard::Lock lock(board_->mutex);
    if (fence.kind != backplane::FenceKind::kOpaque || !board_->HasGiven(fence.token)) {
      return backplane::Status::kInvalidArgument;
    }
    const bool has_passed = board_->Await(lock, fence.token, timeout_ns);
    return has_passed ? backplane::Status::kSuccess : backplane::Status::kTimeout;
  }

 private:
  const std::shared_ptr<JobBoard> board_ = std::make_shared<JobBoard>();
  std::uint32_t num_workloads_ = 0;
};

}  // namespace memory_mock
