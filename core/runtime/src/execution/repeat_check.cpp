#include "execution/repeat_check.hpp"

#include "execution/looked_at.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace backplane::execution {

namespace {

// No two bits alike, so that no element has the same value in both runs when it is not written.
constexpr unsigned char kFirstFill = 0xA5;
constexpr unsigned char kSecondFill = 0x5A;

bool IsFilled(const unsigned char* data, std::size_t size, unsigned char byte) {
  return std::all_of(data, data + size, [byte](unsigned char found) { return found == byte; });
}

}  // namespace

void RepeatCheck::Prepare(std::size_t step) {
  outputs_.clear();
  const PlannedStep& planned = plan_.steps[step];
  for (std::uint32_t i = 0; i < planned.num_outputs; ++i) {
    Output output;
    output.operand = planned.GetOutput(i);
    output.is_filled =
        !OverwritesInput(step, output.operand) &&
        FillTensor(memory_.GetOperand(output.operand), GetInfo(output.operand), kFirstFill);
    outputs_.push_back(std::move(output));
  }
}

bool RepeatCheck::Begin(std::size_t step, const MemoryWatch& before) {
  for (Output& output : outputs_) {
    auto first = ReadTensor(memory_.GetOperand(output.operand), GetInfo(output.operand));
    if (!first) return false;
    output.first = std::move(*first);
  }
  if (!RestoreInputs(step, before)) return false;
  for (const Output& output : outputs_) {
    if (output.is_filled) {
      FillTensor(memory_.GetOperand(output.operand), GetInfo(output.operand), kSecondFill);
    }
  }
  return true;
}

std::vector<RepeatDifference> RepeatCheck::Compare() const {
  std::vector<RepeatDifference> differences;
  for (std::uint32_t i = 0; i < outputs_.size(); ++i) {
    if (auto difference = Compare(outputs_[i], i)) differences.push_back(*difference);
  }
  return differences;
}

std::optional<RepeatDifference> RepeatCheck::Compare(const Output& output,
                                                     std::uint32_t index) const {
  const auto second = ReadTensor(memory_.GetOperand(output.operand), GetInfo(output.operand));
  if (!second || *second == output.first) return std::nullopt;
  const std::size_t size = GetDataTypeSizeBytes(GetInfo(output.operand).data_type);
  RepeatDifference unwritten{RepeatDifference::Kind::kNotWritten, index};
  RepeatDifference other{RepeatDifference::Kind::kNotDeterministic, index};
  for (std::size_t at = 0; at + size <= second->size(); at += size) {
    const unsigned char* const a = output.first.data() + at;
    const unsigned char* const b = second->data() + at;
    if (std::memcmp(a, b, size) == 0) continue;
    const bool is_unwritten =
        output.is_filled && IsFilled(a, size, kFirstFill) && IsFilled(b, size, kSecondFill);
    RepeatDifference& found = is_unwritten ? unwritten : other;
    if (found.num_elements++ == 0) found.element = at / size;
  }
  return unwritten.num_elements != 0 ? unwritten : other;
}

bool RepeatCheck::RestoreInputs(std::size_t step, const MemoryWatch& before) const {
  const PlannedStep& planned = plan_.steps[step];
  return std::all_of(outputs_.begin(), outputs_.end(),
                     [&](const Output& output) {
                       return !OverwritesInput(step, output.operand) ||
                              before.Restore(plan_.GetTensor(output.operand));
                     }) &&
         planned.num_outputs != 0;
}

bool RepeatCheck::OverwritesInput(std::size_t step, std::uint32_t operand) const {
  const PlannedStep& planned = plan_.steps[step];
  return SharesBytes(plan_, operand, planned.first_operand, planned.num_inputs);
}

}  // namespace backplane::execution
