#include "checking/run_checks.hpp"

#include "checking/looked_at.hpp"

#include <backplane/runtime/number_scan.hpp>

#include <new>

namespace backplane::checking {

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
      seen_(checks.IsOn(RunCheck::kNumbers) ? plan_.tensors.size() : 0) {
  checks.GetLedger().CountRun();
}

RunChecks::~RunChecks() {
  LookAtState({});
}

// What was changed since the step before was changed where tensors were reached.
void RunChecks::BeforeStep(std::size_t step) noexcept {
  if (checks_.IsOn(RunCheck::kNumbers)) WithoutFailure([&] { LookAtInputs(step); });
  LookAtState({});
}

void RunChecks::AfterStep(std::size_t step) noexcept {
  LookAtState({&plan_.steps[step]});
  if (checks_.IsOn(RunCheck::kNumbers)) WithoutFailure([&] { LookAtOutputs(step); });
}

void RunChecks::AfterFailure(std::size_t step) noexcept {
  LookAtState({&plan_.steps[step]});
}

void RunChecks::LookAtState(const ChangePlace& place) noexcept {
  if (!checks_.IsOn(RunCheck::kState) || state_.IsCurrent()) return;
  WithoutFailure([&] {
    for (const ThreadStateChange& change : state_.Restore()) checks_.AddChange(place, change);
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
    const Seen& seen = Look(step, planned.first_operand + planned.num_inputs + i);
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
  const auto key = FindingKey(RunCheck::kNumbers, static_cast<std::uint32_t>(step), output);
  if (checks_.GetLedger().Count(key)) return;
  const PlannedStep& planned = plan_.steps[step];
  NonFiniteOutput found{step, output, {}, {}};
  for (std::uint32_t i = 0; i < planned.num_inputs; ++i) {
    found.inputs.push_back(seen_[GetTensor(planned.first_operand + i)].range);
  }
  const std::uint32_t operand = planned.first_operand + planned.num_inputs + output;
  const LookedAt looked(memory_.GetOperand(operand));
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
  } else if (!MatchesPlan(*looked.GetView(), tensor)) {
    checks_.AddUnchecked(step, tensor, "is described as that of another tensor");
  } else {
    seen = {Knowledge::kKnown, FindRange(*looked.GetView())};
  }
  return seen;
}

std::uint32_t RunChecks::GetTensor(std::uint32_t operand) const {
  return plan_.operands[operand].tensor;
}

// What a backend says of its memory is not followed beyond the tensor.
bool RunChecks::MatchesPlan(const MemoryView& view, std::uint32_t tensor) const {
  const TensorInfo& info = *plan_.tensors[tensor].info;
  if (view.data_type != info.data_type || view.rank != info.shape.rank) return false;
  for (std::uint32_t axis = 0; axis < view.rank; ++axis) {
    if (view.dims[axis] != info.shape[axis]) return false;
  }
  return true;
}

}  // namespace backplane::checking
