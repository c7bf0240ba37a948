#include "execution/run_checks.hpp"

#include "execution/looked_at.hpp"

#include <backplane/runtime/number_scan.hpp>

#include <chrono>
#include <new>
#include <optional>
#include <thread>

namespace backplane::execution {

namespace {

template <typename Look>
void WithoutFailure(const Look& look) noexcept {
  try {
    look();
  } catch (const std::bad_alloc&) {
    // There is no memory to say anything in.
  }
}

}  // namespace

RunChecks::RunChecks(NetworkChecks& checks, WorkingMemory& memory)
    : checks_(checks),
      memory_(memory),
      plan_(checks.GetPlan()),
      state_(ThreadState::Read()),
      watch_(memory, plan_),
      repeat_(memory, plan_),
      seen_(checks.IsOn(RunCheck::kNumbers) ? plan_.tensors.size() : 0) {
  checks.GetLedger().CountRun();
}

RunChecks::~RunChecks() {
  LookAtState(nullptr);
}

// What was changed since the step before was changed where tensors were reached.
void RunChecks::BeforeStep(std::size_t step) noexcept {
  if (checks_.IsOn(RunCheck::kNumbers)) WithoutFailure([&] { LookAtInputs(step); });
  is_remembered_ = false;
  if (checks_.LooksAtMemory() && IsOfBackend(step)) WithoutFailure([&] { Remember(step); });
  LookAtState(nullptr);
}

void RunChecks::AfterStep(std::size_t step) noexcept {
  LookAtState(&plan_.steps[step]);
  if (is_remembered_) WithoutFailure([&] { LookAtMemory(step); });
  if (checks_.IsOn(RunCheck::kNumbers)) WithoutFailure([&] { LookAtOutputs(step); });
  if (checks_.GetObserver()) WithoutFailure([&] { ShowOutputs(step); });
}

bool RunChecks::BeginRepeat(std::size_t step) noexcept {
  bool is_wanted = false;
  if (is_remembered_ && checks_.IsOn(RunCheck::kDeterminism)) {
    WithoutFailure([&] { is_wanted = repeat_.Begin(step, watch_); });
  }
  return is_wanted;
}

void RunChecks::EndRepeat(std::size_t step) noexcept {
  // What it changes was told when it ran for the first time.
  if (checks_.IsOn(RunCheck::kState) && !state_.IsCurrent()) {
    WithoutFailure([&] { state_.Restore(); });
  }
  WithoutFailure([&] {
    for (const RepeatDifference& found : repeat_.Compare()) checks_.AddDifference(step, found);
  });
}

void RunChecks::Remember(std::size_t step) {
  if (checks_.IsOn(RunCheck::kDeterminism)) repeat_.Prepare(step);
  watch_.Remember(step);
  is_remembered_ = true;
}

void RunChecks::LookAtMemory(std::size_t step) {
  if (checks_.IsOn(RunCheck::kMemory)) {
    if (const auto found = watch_.FindForeign(step)) {
      checks_.AddForeignWrite(step, *found);
      is_remembered_ = false;  // with what it read changed, a second run says nothing
    }
  }
  if (checks_.IsOn(RunCheck::kFences)) AwaitLateWrites(step);
}

void RunChecks::AwaitLateWrites(std::size_t step) {
  constexpr std::chrono::milliseconds kWait{1};
  MemoryWatch after(memory_, plan_);
  after.RememberArenas();
  std::this_thread::sleep_for(kWait);
  if (const auto found = after.FindAny()) checks_.AddLateWrite(step, *found);
}

void RunChecks::ShowOutputs(std::size_t step) {
  const PlannedStep& planned = plan_.steps[step];
  for (std::uint32_t i = 0; i < planned.num_outputs; ++i) {
    auto shown = checks_.DescribeOutput(step, i);
    if (!shown) continue;
    std::optional<std::vector<unsigned char>> data;
    if (checks_.MayLook()) {
      data = ReadTensor(memory_.GetOperand(planned.GetOutput(i)), shown->info, &shown->fault);
    } else {
      shown->fault = "is protected";
    }
    if (data) shown->data = data->data();
    checks_.GetObserver()(*shown);
  }
}

void RunChecks::AfterFailure(std::size_t step) noexcept {
  LookAtState(&plan_.steps[step]);
}

void RunChecks::LookAtState(const PlannedStep* step) noexcept {
  if (!checks_.IsOn(RunCheck::kState) || state_.IsCurrent()) return;
  WithoutFailure([&] {
    for (const ThreadStateChange& change : state_.Restore()) checks_.AddChange(step, change);
  });
}

// Before the step, which may write its outputs where they lie.
void RunChecks::LookAtInputs(std::size_t step) {
  const PlannedStep& planned = plan_.steps[step];
  for (std::uint32_t i = 0; i < planned.num_inputs; ++i) Look(step, planned.first_operand + i);
}

void RunChecks::LookAtOutputs(std::size_t step) {
  const PlannedStep& planned = plan_.steps[step];
  for (std::uint32_t i = 0; i < planned.num_outputs; ++i) {
    const Seen& seen = Look(step, planned.GetOutput(i));
    const bool is_wrong = seen.knowledge == Knowledge::kKnown && !seen.range.is_finite;
    if (is_wrong && AreInputsFinite(planned)) Tell(step, i);
  }
}

bool RunChecks::AreInputsFinite(const PlannedStep& step) const {
  for (std::uint32_t i = 0; i < step.num_inputs; ++i) {
    const Seen& seen = seen_[GetTensor(step.first_operand + i)];
    if (seen.knowledge != Knowledge::kKnown || !seen.range.is_finite) return false;
  }
  return true;
}

void RunChecks::Tell(std::size_t step, std::uint32_t output) {
  if (checks_.GetLedger().Count(checks_.MakeKey(RunCheck::kNumbers, step, output))) return;
  const PlannedStep& planned = plan_.steps[step];
  NonFiniteOutput found{step, output, {}, {}};
  for (std::uint32_t i = 0; i < planned.num_inputs; ++i) {
    found.inputs.push_back(seen_[GetTensor(planned.first_operand + i)].range);
  }
  const LookedAt looked(memory_.GetOperand(planned.GetOutput(output)));
  if (looked.GetView() == nullptr) return;
  found.scan = ScanView(*looked.GetView());
  if (found.scan.GetNumNonFinite() != 0) checks_.AddNonFinite(found);
}

const RunChecks::Seen& RunChecks::Look(std::size_t step, std::uint32_t operand) {
  Seen& seen = seen_[GetTensor(operand)];
  if (seen.knowledge == Knowledge::kNone) seen = Read(step, operand);
  return seen;
}

RunChecks::Seen RunChecks::Read(std::size_t step, std::uint32_t operand) {
  const std::uint32_t tensor = GetTensor(operand);
  const PlannedTensor& planned = plan_.tensors[tensor];
  Seen seen{Knowledge::kKnown, {}};
  if (!CanBeNonFinite(planned.info->data_type) || planned.info->GetSizeBytes() == 0) return seen;
  if (planned.place == TensorPlace::kConstant) {
    seen.range = checks_.GetConstant(tensor);
    return seen;
  }
  seen.knowledge = Knowledge::kUnchecked;
  if (!checks_.MayLook()) {
    checks_.AddUnchecked(step, tensor, "is protected");
    return seen;
  }
  const LookedAt looked(memory_.GetOperand(operand));
  if (looked.GetView() == nullptr) {
    checks_.AddUnchecked(step, tensor, looked.GetFault());
  } else if (!DescribesTensor(*looked.GetView(), *planned.info)) {
    checks_.AddUnchecked(step, tensor, "is described as that of another tensor");
  } else {
    seen = {Knowledge::kKnown, FindRange(*looked.GetView())};
  }
  return seen;
}

std::uint32_t RunChecks::GetTensor(std::uint32_t operand) const {
  return plan_.operands[operand].tensor;
}

}  // namespace backplane::execution
