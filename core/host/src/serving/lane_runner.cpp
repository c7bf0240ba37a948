#include "serving/objects.hpp"

#include <backplane/api/c_values.hpp>
#include <backplane/api/run_arguments.hpp>
#include <backplane/host/plugin_object.hpp>

#include <utility>

namespace backplane::serving {
namespace {

using wire::LaneEntry;
using wire::LaneOperand;
using wire::OperandKind;

// Where tensors without elements lie.
alignas(64) std::byte no_elements[64];

}  // namespace

struct LaneRunner::Operand {
  const LaneOperand* source = nullptr;
  std::uint64_t version = 0;
  MemoryView shared;  // a tensor in memory that the host shares
  bp_view shown{};
  ITensorHandle* handle = nullptr;  // of the backend; else null
};

struct LaneRunner::Call {
  std::shared_ptr<const IWorkload> workload;
  std::vector<Operand> operands;
  std::vector<bp_tensor> tensors;
  bp_run_args args = c_form::Make<bp_run_args>();
};

LaneRunner::LaneRunner(wire::LaneHeader* lane, const std::vector<LaneWorkload>& workloads,
                       std::unique_ptr<IExecutionState> state, LaneSources sources)
    : lane_(lane),
      state_(std::move(state)),
      sources_(std::move(sources)),
      run_(c_form::Make<bp_run_info>()) {
  run_.stop = reinterpret_cast<const std::uint32_t*>(&lane_->cancelled_run);
  const LaneOperand* next = wire::GetOperands(lane);
  for (const LaneWorkload& workload : workloads) {
    Call& call = calls_.emplace_back();
    const auto* const found = sources_.objects.Find<std::shared_ptr<const IWorkload>>(workload.id);
    if (found != nullptr) call.workload = *found;
    const std::size_t count = std::size_t{workload.num_inputs} + workload.num_outputs;
    call.operands.resize(count);
    call.tensors.resize(count);
    for (Operand& operand : call.operands) operand.source = next++;
    call.args.num_inputs = workload.num_inputs;
    call.args.num_outputs = workload.num_outputs;
    call.args.inputs = call.tensors.data();
    call.args.outputs = call.tensors.data() + workload.num_inputs;
    call.args.state = GetRawState(state_.get());
    call.args.run = &run_;
  }
  thread_ = std::thread([this] { Run(); });
}

LaneRunner::~LaneRunner() {
  is_ending_.store(true);
  wire::WakeWord(lane_->submitted);
  thread_.join();
  state_.reset();  // while what it may point to is there
}

void LaneRunner::Run() {
  std::uint32_t done = lane_->completed.load(std::memory_order_relaxed);
  for (;;) {
    WaitForWork(done);
    const std::uint32_t submitted = lane_->submitted.load(std::memory_order_acquire);
    if (submitted == done) return;
    if (submitted - done > wire::kLaneEntries) return GiveUp(done);
    while (done != submitted) {
      Execute(lane_->entries[done % wire::kLaneEntries]);
      lane_->num_notices.store(sources_.notices.GetNumSent(), std::memory_order_relaxed);
      // Ordered with the host's look at it before it sleeps.
      lane_->completed.store(++done, std::memory_order_seq_cst);
      if (lane_->is_host_asleep.load(std::memory_order_seq_cst) != 0) {
        wire::WakeWord(lane_->completed);
      }
    }
  }
}

/// More is submitted than there is room for: nothing that the lane says holds. The host sees it by
/// more that is done than it can have submitted.
void LaneRunner::GiveUp(std::uint32_t done) {
  lane_->is_broken.store(1);
  lane_->completed.store(done + wire::kLaneEntries + 1, std::memory_order_seq_cst);
  wire::WakeWord(lane_->completed);
}

/// Until there is something to do, or the lane is closed.
void LaneRunner::WaitForWork(std::uint32_t done) {
  constexpr std::uint64_t kStepNs = 1'000'000'000;
  const auto has_work = [&] {
    return lane_->submitted.load(std::memory_order_acquire) != done ||
           lane_->is_closed.load(std::memory_order_relaxed) != 0 || is_ending_.load();
  };
  if (spin_.Spin(has_work)) return;
  lane_->is_worker_asleep.store(1, std::memory_order_seq_cst);
  while (lane_->submitted.load(std::memory_order_seq_cst) == done &&
         lane_->is_closed.load(std::memory_order_seq_cst) == 0 && !is_ending_.load()) {
    wire::WaitForWord(lane_->submitted, done, kStepNs);
  }
  lane_->is_worker_asleep.store(0, std::memory_order_relaxed);
}

void LaneRunner::Execute(const LaneEntry& entry) {
  const LaneEntry now = entry;
  if (now.run == lane_->failed_run.load(std::memory_order_relaxed) ||
      now.run == lane_->cancelled_run.load(std::memory_order_relaxed)) {
    return;
  }
  if (now.workload >= calls_.size()) return lane_->is_broken.store(1);
  Call& call = calls_[now.workload];
  if (!call.workload) return Fail(now, Status::kNotFound, {});
  lane_->running.store(now.workload + 1, std::memory_order_relaxed);
  run_.number = lane_->run_number.load(std::memory_order_relaxed);
  OrderCalls();
  try {
    const EndCopy end_copy(process_);
    Status status = Prepare(call);
    if (status == Status::kSuccess) status = call.workload->Execute(ExecuteArgs(call.args));
    if (status != Status::kSuccess) Fail(now, status, {});
  } catch (const plugin_call::SaidException& exception) {
    const bool is_refused = exception.GetSaid().status == Status::kInvalidArgument;
    FailThrown(now, is_refused ? Status::kInvalidArgument : Status::kFailure);
  } catch (...) {
    FailThrown(now, Status::kFailure);
  }
  OrderCalls();
  lane_->running.store(0, std::memory_order_relaxed);
}

Status LaneRunner::Prepare(Call& call) {
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    Operand& operand = call.operands[i];
    const bool is_known = operand.handle != nullptr || call.tensors[i].view != nullptr;
    if (!is_known || operand.version != operand.source->version) {
      const LaneOperand source = *operand.source;
      if (source.kind == OperandKind::kNone) return Status::kNotFound;
      const Status status = source.kind == OperandKind::kHandle ? PrepareHandle(source, operand)
                                                                : PrepareShared(source, operand);
      if (status != Status::kSuccess) return status;
      operand.version = source.version;
      if (operand.handle == nullptr) call.tensors[i] = {&operand.shown, nullptr, 0};
    }
    // Where it lies may have changed with the tensor of which it is a part.
    if (operand.handle != nullptr) {
      call.tensors[i] = {ShowView(*operand.handle), GetRawHandle(*operand.handle), 0};
    }
  }
  return Status::kSuccess;
}

void* LaneRunner::FindMemory(std::uint64_t area, const LaneOperand& source) const {
  if (source.view.size_bytes == 0) return no_elements;
  return sources_.areas.Find(area, source.offset_bytes, source.view.size_bytes).get();
}

Status LaneRunner::PrepareHandle(const LaneOperand& source, Operand& operand) const {
  ServedHandle* const served = sources_.objects.Find<ServedHandle>(source.object);
  if (served == nullptr) return FailBroken();
  operand.handle = served->handle.get();
  if (served->import_version == source.import_version) return Status::kSuccess;
  if (source.has_import == 0) return served->Unimport(source.import_version);
  MemoryView view = source.view;
  view.data = FindMemory(source.import_area, source);
  if (view.data == nullptr) return FailBroken();
  return served->Import(view, source.import_version);
}

Status LaneRunner::PrepareShared(const LaneOperand& source, Operand& operand) const {
  operand.handle = nullptr;
  operand.shared = source.view;
  operand.shared.data = FindMemory(source.object, source);
  if (operand.shared.data == nullptr) return FailBroken();
  operand.shown = c_form::ToC(operand.shared);
  return Status::kSuccess;
}

void LaneRunner::FailThrown(const LaneEntry& entry, Status status) {
  constexpr std::size_t kBesides = 64;
  Fail(entry, status, DescribeThrown(wire::kMaxLaneText - kBesides));
}

void LaneRunner::Fail(const LaneEntry& entry, Status status, std::string_view thrown) {
  constexpr auto kRelaxed = std::memory_order_relaxed;  // what is stored last orders them
  lane_->failed_workload.store(entry.workload, kRelaxed);
  lane_->failed_status.store(status, kRelaxed);
  lane_->is_thrown.store(thrown.empty() ? 0 : 1, kRelaxed);
  const std::size_t size_bytes = thrown.copy(lane_->text, wire::kMaxLaneText);
  lane_->text_bytes.store(static_cast<std::uint32_t>(size_bytes), kRelaxed);
  lane_->failed_run.store(entry.run, std::memory_order_release);
}

}  // namespace backplane::serving
