#include "isolation/isolated_state.hpp"

#include "isolation/isolated_handle.hpp"

#include <backplane/api/c_values.hpp>
#include <backplane/host/plugin_object.hpp>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace backplane::isolation {
namespace {

using wire::Function;
using wire::LaneHeader;
using wire::LaneOperand;
using wire::OperandKind;
using wire::Writer;

// How long what runs may go on when the limit is reached, before its process is ended.
constexpr std::chrono::milliseconds kGraceOfWork{100};

constexpr char kOverwritten[] = "the memory over which it is handed runs was overwritten";

// Whether a view says the same of the same memory as the one that was handed over.
bool AreEqual(const MemoryView& a, const bp_view& b) {
  return a.data == b.data && a.size_bytes == b.num_bytes &&
         static_cast<std::uint32_t>(a.data_type) == b.data_type && a.rank == b.rank &&
         static_cast<std::uint32_t>(a.access) == b.access && a.alignment_bytes == b.alignment &&
         std::equal(a.dims, a.dims + a.rank, b.dims) &&
         (b.strides == nullptr || std::equal(a.strides_bytes, a.strides_bytes + a.rank, b.strides));
}

}  // namespace

IsolatedState::IsolatedState(const RemoteObject& factory,
                             const std::vector<std::shared_ptr<const RemoteWorkload>>& workloads)
    : worker_(factory.ShareWorker()) {
  std::size_t num_slots = 0;
  std::vector<serving::LaneWorkload> list;
  for (const auto& workload : workloads) {
    places_.push_back({workload, num_slots});
    auto& listed = list.emplace_back();
    if (workload) listed = {workload->id, workload->num_inputs, workload->num_outputs};
    num_slots += std::size_t{listed.num_inputs} + listed.num_outputs;
  }
  slots_.resize(num_slots);
  area_ = SharedArea::Make(wire::GetLaneBytes(num_slots));
  lane_ = new (area_->GetData()) LaneHeader;
  std::memset(static_cast<void*>(area_->GetData()), 0, area_->GetSizeBytes());
  operands_ = wire::GetOperands(lane_);
  id_ = worker_->GetObjects().MakeIds();
  worker_->Call(Function::kCreateLane, Writer().Put(id_, factory.GetNumber(), area_->GetId(), list),
                {area_});
  worker_->GetObjects().states.Add(this);
}

IsolatedState::~IsolatedState() {
  if (worker_->IsForked()) return;
  worker_->GetObjects().states.Remove(this);
  lane_->is_closed.store(1);
  wire::WakeWord(lane_->submitted);
  worker_->Destroy(id_);
}

Status IsolatedState::Execute(const RemoteWorkload& workload, const ExecuteArgs& args) {
  worker_->RefuseFork();
  const WorkLimitScope bound(limit_);
  try {
    return ExecuteBound(workload, args);
  } catch (const LimitReached&) {
    return Status::kTimeout;
  }
}

Status IsolatedState::ExecuteBound(const RemoteWorkload& workload, const ExecuteArgs& args) {
  copied_.clear();
  const bool is_awaited = args.GetCompletion() == nullptr;
  // A caller that waits is told how work that was handed over before failed.
  Status status = is_awaited && has_pending_ ? AwaitPending() : Status::kSuccess;
  if (status != Status::kSuccess) return status;
  status = Prepare(workload, args);
  if (status == Status::kSuccess) {
    has_pending_ = has_pending_ || !is_awaited;
    lane_->run_number.store(args.GetRunNumber(), std::memory_order_relaxed);
    status = Submit(workload.number);
  }
  if (status == Status::kSuccess && !copied_.empty()) status = CopyBack();
  if (!is_awaited) return status;
  FinishedWork finished = Finish();
  if (finished.failure) throw DiagnosticException(std::move(*finished.failure));
  return status != Status::kSuccess ? status : finished.status;
}

Status IsolatedState::AwaitPending() {
  const Status status = Await();
  if (status != Status::kSuccess) return status;
  const bool has_failed = HasEnded() || lane_->failed_run.load(std::memory_order_acquire) == run_;
  return has_failed ? Status::kFailure : Status::kSuccess;
}

// Says where the operands lie, where that is not known over there.
Status IsolatedState::Prepare(const RemoteWorkload& workload, const ExecuteArgs& args) {
  if (workload.number >= places_.size() || places_[workload.number].workload.get() != &workload ||
      args.GetNumInputs() != workload.num_inputs || args.GetNumOutputs() != workload.num_outputs) {
    return Status::kInvalidArgument;
  }
  std::size_t index = places_[workload.number].first_slot;
  const std::uint32_t num_inputs = args.GetNumInputs();
  const std::uint32_t count = num_inputs + args.GetNumOutputs();
  for (std::uint32_t i = 0; i < count; ++i, ++index) {
    const bool is_output = i >= num_inputs;
    const RunTensor tensor = is_output ? args.GetOutput(i - num_inputs) : args.GetInput(i);
    ITensorHandle* const handle = tensor.GetHandle();
    const bp_view* const view = tensor.GetView();
    Slot& slot = slots_[index];
    if (workload.is_own[i] != 0 && IsOwn(slot, handle)) {
      PrepareHandle(index, *static_cast<IsolatedHandle*>(handle));
      continue;
    }
    if (!is_output && workload.constants.places[i]) {
      if (slot.constant == view && view != nullptr) continue;
      PrepareConstant(index, *workload.constants.places[i], view);
      slot.constant = view;
      continue;
    }
    if (view == nullptr) return Status::kUnsupported;
    if (slot.area && AreEqual(slot.view, *view)) continue;
    const Status status = PrepareMemory(index, c_form::ToView(*view), is_output);
    if (status != Status::kSuccess) return status;
  }
  return Status::kSuccess;
}

// Another backend may have a factory of the same id, whose handles are none of these.
bool IsolatedState::IsOwn(Slot& slot, const ITensorHandle* handle) const {
  const std::uint64_t epoch = worker_->GetObjects().GetHandleEpoch();
  if (slot.handle == handle && slot.handle_epoch == epoch) return true;
  if (!worker_->GetObjects().handles.Has(handle)) return false;
  slot.handle = handle;
  slot.handle_epoch = epoch;
  return true;
}

// The same address may be that of another handle, but then not of the same number.
void IsolatedState::PrepareHandle(std::size_t index, IsolatedHandle& handle) {
  LaneOperand& operand = operands_[index];
  Slot& slot = slots_[index];
  const bool is_known = slot.handle_id == handle.GetNumber() && handle.IsHandedOver() &&
                        slot.import_version == handle.GetImportVersion();
  if (is_known) return;
  const IsolatedHandle::Imported* const import = handle.HandOver();
  slot.area.reset();
  slot.handle_id = handle.GetNumber();
  slot.import_version = handle.GetImportVersion();
  operand.kind = OperandKind::kHandle;
  operand.object = handle.GetNumber();
  operand.import_version = handle.GetImportVersion();
  operand.has_import = 0;
  if (import != nullptr && import->place.area) {
    worker_->Show(import->place.area);
    operand.has_import = 1;
    operand.import_area = import->place.area->GetId();
    operand.offset_bytes = import->place.offset_bytes;
    operand.view = serving::WithoutAddress(import->view);
  }
  operand.version = ++slot.version;
}

// It lies there already.
void IsolatedState::PrepareConstant(std::size_t index, const serving::ConstantPlace& place,
                                    const bp_view* view) {
  LaneOperand& operand = operands_[index];
  operand.kind = OperandKind::kShared;
  operand.object = place.area;
  operand.offset_bytes = place.offset_bytes;
  operand.view = serving::WithoutAddress(view != nullptr ? c_form::ToView(*view) : operand.view);
  operand.view.size_bytes = place.info.GetSizeBytes();
  operand.version = ++slots_[index].version;
}

Status IsolatedState::PrepareMemory(std::size_t index, const MemoryView& view, bool is_output) {
  Slot& slot = slots_[index];
  if (view.data == nullptr && view.size_bytes != 0) return Status::kUnsupported;
  auto place = FindSharedPlace(view.data, view.size_bytes);
  slot.area.reset();
  slot.handle_id = 0;
  if (!place && view.size_bytes != 0) {
    if (!slot.copy || slot.copy->GetSizeBytes() < view.size_bytes) {
      slot.copy = SharedArea::Make(view.size_bytes);
    }
    // It may have been made by what was handed over before. An output may be written in part.
    const Status status = Await();
    if (status != Status::kSuccess) return status;
    std::memcpy(slot.copy->GetData(), view.data, view.size_bytes);
    place = SharedPlace{slot.copy, 0};
    copied_.push_back({&slot, is_output});
  } else if (place) {
    slot.area = place->area;
  }
  slot.view = view;
  LaneOperand& operand = operands_[index];
  operand.kind = OperandKind::kShared;
  if (place) {
    worker_->Show(place->area);
    operand.object = place->area->GetId();
    operand.offset_bytes = place->offset_bytes;
  }
  operand.view = serving::WithoutAddress(view);
  operand.version = ++slot.version;
  return Status::kSuccess;
}

Status IsolatedState::Submit(std::uint32_t number) {
  while (submitted_ - lane_->completed.load(std::memory_order_acquire) >= wire::kLaneEntries) {
    if (WaitFor(std::chrono::milliseconds(1))) break;
    if (limit_ == nullptr || !limit_->IsReached()) continue;
    Stop();
    return Status::kTimeout;
  }
  lane_->entries[submitted_ % wire::kLaneEntries] = {number, run_};
  // Ordered with the other side's look at it before it sleeps.
  lane_->submitted.store(++submitted_, std::memory_order_seq_cst);
  if (lane_->is_worker_asleep.load(std::memory_order_seq_cst) != 0) {
    wire::WakeWord(lane_->submitted);
  }
  return Status::kSuccess;
}

Status IsolatedState::CopyBack() {
  const Status status = Await();
  if (status != Status::kSuccess || HasEnded()) return status;
  for (const Copied& copied : copied_) {
    if (!copied.is_output) continue;
    std::memcpy(copied.slot->view.data, copied.slot->copy->GetData(), copied.slot->view.size_bytes);
  }
  return Status::kSuccess;
}

Status IsolatedState::Await() {
  constexpr std::chrono::hours kLong{1};
  while (!WaitFor(limit_ != nullptr ? limit_->GetWait() : kLong)) {
    if (limit_ == nullptr || !limit_->IsReached()) continue;
    Stop();
    return Status::kTimeout;
  }
  return Status::kSuccess;
}

void IsolatedState::Stop() {
  lane_->cancelled_run.store(run_);
  if (WaitFor(kGraceOfWork)) return;
  worker_->EndForRun(limit_->GetReason());
  while (!WaitFor(std::chrono::hours(1))) continue;
}

bool IsolatedState::IsDone() {
  const std::uint32_t left = submitted_ - lane_->completed.load(std::memory_order_acquire);
  const bool is_broken = lane_->is_broken.load(std::memory_order_relaxed) != 0;
  // Work that has been done stays done. Without this check, this side would wait for ever for a
  // count that was overwritten, as the process waits for more work.
  if (!is_broken && left <= submitted_ - done_) {
    done_ = submitted_ - left;
    return left == 0;
  }
  const char* const counts = left > wire::kLaneEntries
                                 ? "it counts more as done than was handed over"
                                 : "it counts less as done than a moment before";
  worker_->End(is_broken ? kOverwritten : counts);
  return true;
}

bool IsolatedState::WaitFor(std::chrono::nanoseconds time) {
  // So that an end that nobody tells is seen too.
  constexpr std::chrono::nanoseconds kSlice = std::chrono::milliseconds(100);
  if (spin_.Spin([&] { return IsDone(); })) return true;
  const auto deadline = std::chrono::steady_clock::now() + std::min(time, 10'000 * kSlice);
  bool is_done = false;
  lane_->is_host_asleep.store(1, std::memory_order_seq_cst);
  for (;;) {
    const std::uint32_t seen = lane_->completed.load(std::memory_order_seq_cst);
    is_done = IsDone() || HasEnded();
    if (is_done) break;
    const auto rest = deadline - std::chrono::steady_clock::now();
    if (rest <= std::chrono::nanoseconds::zero()) break;
    const auto slice = std::min<std::chrono::nanoseconds>(rest, kSlice);
    wire::WaitForWord(lane_->completed, seen, static_cast<std::uint64_t>(slice.count()));
  }
  lane_->is_host_asleep.store(0, std::memory_order_relaxed);
  return is_done;
}

FinishedWork IsolatedState::Finish() {
  static_cast<void>(Await());
  FinishedWork finished;
  const bool has_failed = lane_->failed_run.load(std::memory_order_acquire) == run_;
  if (++run_ == 0) run_ = 1;
  lane_->cancelled_run.store(0, std::memory_order_relaxed);  // the stop word of the next run
  has_pending_ = false;
  const bool is_broken = lane_->is_broken.load() != 0;
  if (is_broken) worker_->End(kOverwritten);
  const bool is_unfinished = !has_failed && submitted_ != lane_->completed.load();
  if (is_unfinished) worker_->End("it counts less as done than a moment before");
  if (is_broken || is_unfinished) {
    finished.status = Status::kFailure;
    // Overwritten memory does not say which workload ran.
    const RemoteWorkload* const running = is_broken ? nullptr : FindRunning();
    if (running != nullptr) finished.workload = running->self;
    finished.failure = std::make_unique<Diagnostic>(worker_->GetDeath());
    return finished;
  }
  if (const std::uint64_t sent = lane_->num_notices.load(); sent != num_notices_) {
    num_notices_ = sent;
    static_cast<void>(worker_->WaitForNotices(sent));
  }
  if (!has_failed) return finished;
  constexpr auto kRelaxed = std::memory_order_relaxed;
  finished.status = lane_->failed_status.load(kRelaxed);
  if (finished.status == Status::kSuccess) finished.status = Status::kFailure;
  const std::uint32_t number = lane_->failed_workload.load(kRelaxed);
  if (const RemoteWorkload* const failed = FindWorkload(number)) finished.workload = failed->self;
  if (lane_->is_thrown.load(kRelaxed) == 0) return finished;
  const std::uint32_t text_bytes = lane_->text_bytes.load(kRelaxed);
  const std::size_t size = std::min<std::size_t>(text_bytes, wire::kMaxLaneText);
  const std::string thrown(lane_->text, size);
  try {
    worker_->Rethrow(thrown);
  } catch (...) {
    finished.failure =
        plugin_call::DescribeCurrentException(worker_->GetBackendId(), "IWorkload::Execute");
  }
  return finished;
}

}  // namespace backplane::isolation
