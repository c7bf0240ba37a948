#include "loading/staged_run.hpp"

#include "execution/binding_failures.hpp"
#include "execution/overlap_finder.hpp"

#include <backplane/host/diagnostic.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

namespace backplane::loading {
namespace {

std::shared_ptr<void> CopyData(const StageValue& value, StageMemory& memory) {
  const std::uint64_t size_bytes = value.info.GetSizeBytes();
  std::shared_ptr<void> data = memory.Allocate(size_bytes);
  if (size_bytes != 0) std::memcpy(data.get(), value.data.get(), size_bytes);
  return data;
}

/// The value with memory of its own in place of what it has only borrowed, which nobody may be
/// given: what the application gave is never an input of what is made outside of the runtime.
StageValue CopyBorrowed(const StageValue& value, StageMemory& memory) {
  StageValue copy = value;
  for (StageValue& element : copy.elements) element = CopyBorrowed(element, memory);
  const bool is_borrowed = value.data != nullptr && value.data.use_count() == 0;
  if (is_borrowed) copy.data = CopyData(value, memory);
  return copy;
}

/// The same for what the application is given, which may write to a tensor: that gets memory of its
/// own also where somebody else has a share in it.
StageValue CopyShared(const StageValue& value, StageMemory& memory) {
  const bool is_shared = value.data != nullptr && value.data.use_count() > 1;
  if (!is_shared) return CopyBorrowed(value, memory);
  return MakeStageTensor(value.info, CopyData(value, memory));
}

MemoryRange GetRoom(const OutputTensor& output) {
  return MakeRange(output.data, output.data != nullptr ? output.size_bytes : 0);
}

MemoryRange GetRange(const StageValue& tensor) {
  return MakeRange(tensor.data.get(), tensor.data ? tensor.info.GetSizeBytes() : 0);
}

/// All memory that a value lies in.
void AddRanges(const StageValue& value, std::vector<MemoryRange>& ranges) {
  ranges.push_back(GetRange(value));
  for (const StageValue& element : value.elements) AddRanges(element, ranges);
}

/// What else of the application lies in the room of an output. "": nothing.
std::string NameOverlapping(const OutputTensor& room, const InputTensors& given,
                            const OutputTensors& wanted) {
  for (const InputTensor& input : given) {
    std::vector<MemoryRange> ranges;
    AddRanges(GetGivenValue(input), ranges);
    const bool is_met = std::any_of(ranges.begin(), ranges.end(), [&](const MemoryRange& range) {
      return Overlap(GetRoom(room), range);
    });
    if (is_met) return NameBinding(BindingKind::kInput, input.id);
  }
  for (const OutputTensor& output : wanted) {
    if (output.id == room.id || !Overlap(GetRoom(room), GetRoom(output))) continue;
    return NameBinding(BindingKind::kOutput, output.id);
  }
  return "";
}

/// Results that lie where others are delivered get memory of their own.
void MoveOutOfRooms(std::vector<StageValue>& results, const OutputTensors& wanted,
                    StageMemory& memory) {
  for (const OutputTensor& output : wanted) {
    StageValue& result = results[output.id];
    const bool is_moved = std::any_of(wanted.begin(), wanted.end(), [&](const OutputTensor& other) {
      return other.id != output.id && Overlap(GetRoom(other), GetRange(result));
    });
    if (is_moved) result.data = CopyData(result, memory);
  }
}

CopyReason RequireMayCopy(const DeliveryArgs& args, const OutputTensor& wanted) {
  const std::string other = NameOverlapping(wanted, args.inputs, args.outputs);
  const CopyReason reason = other.empty() ? CopyReason::kBetweenStages : CopyReason::kOverlapping;
  if (wanted.use != MemoryUse::kImport) return reason;
  Diagnostic refused = other.empty() ? DescribeRefused(BindingKind::kOutput, wanted.id, reason)
                                     : DescribeOverlap(BindingKind::kOutput, wanted.id, other);
  refused.subject = {SubjectKind::kNetwork, args.network.network};
  throw DiagnosticException(std::move(refused));
}

void DeliverTensor(const DeliveryArgs& args, const StageValue& result, const OutputTensor& wanted) {
  const std::uint64_t size_bytes = result.info.GetSizeBytes();
  const bool is_allocated = wanted.data == nullptr && wanted.result != nullptr;
  if (wanted.result != nullptr) wanted.result->info = result.info;
  if (is_allocated) {
    // Nobody else writes to it any more.
    wanted.result->data = std::const_pointer_cast<void>(result.data);
  } else if (size_bytes != 0 && wanted.data != result.data.get()) {
    const CopyReason reason = RequireMayCopy(args, wanted);
    std::memmove(wanted.data, result.data.get(), size_bytes);
    args.ledger.CountCopy(BindingKind::kOutput, wanted.id, size_bytes, reason);
  }
  if (args.network.outputs[wanted.id].IsTensor()) return;
  const std::shared_ptr<const void> room(std::shared_ptr<void>(), wanted.data);
  wanted.result->value = MakeStageTensor(result.info, is_allocated ? result.data : room);
}

}  // namespace

GivenInputs TakeInputs(const NetworkBindings& network, const InputTensors& inputs) {
  GivenInputs given;
  given.values.resize(network.inputs.size());
  given.uses.resize(network.inputs.size());
  for (const InputTensor& input : inputs) {
    given.values[input.id] = GetGivenValue(input);
    given.uses[input.id] = {input.use, input.imported, input.memory_shape};
  }
  return given;
}

// Rooms that overlap an input, or each other, are written when the run has ended, but for one that
// lies where an input lies: there, it may be computed in place.
std::vector<WantedOutput> TakeOutputs(const NetworkBindings& network,
                                      const std::vector<StageValue>& inputs,
                                      const OutputTensors& outputs) {
  std::vector<MemoryRange> given;
  for (const StageValue& input : inputs) AddRanges(input, given);
  std::vector<MemoryRange> rooms(network.outputs.size());
  for (const OutputTensor& output : outputs) rooms[output.id] = GetRoom(output);
  const std::vector<std::uint8_t> is_shared = FindSharedRooms(given, rooms);
  std::vector<WantedOutput> wanted(network.outputs.size());
  for (const OutputTensor& output : outputs) {
    const bool is_of_input =
        is_shared[output.id] == ToSet(RangeUse::kGivenInput) &&
        std::any_of(inputs.begin(), inputs.end(),
                    [&](const StageValue& input) { return input.data.get() == output.data; });
    const bool is_used = is_shared[output.id] == 0 || is_of_input;
    wanted[output.id] = {
        is_used ? output.data : nullptr, output.size_bytes, output.use, output.imported,
        output.result != nullptr,        is_of_input};
  }
  return wanted;
}

void Deliver(const DeliveryArgs& args, std::vector<StageValue> results) {
  if (auto wrong = FindWrongResults(args.network, results, args.outputs)) {
    throw DiagnosticException(std::move(*wrong));
  }
  for (const OutputTensor& output : args.outputs) {
    StageValue& result = results[output.id];
    if (output.data == nullptr) result = CopyShared(result, args.memory);
  }
  MoveOutOfRooms(results, args.outputs, args.memory);
  for (const OutputTensor& output : args.outputs) {
    StageValue& result = results[output.id];
    if (output.imported != kNotImported) {
      if (output.result != nullptr) output.result->info = result.info;
    } else if (result.kind == StageValue::Kind::kTensor) {
      DeliverTensor(args, result, output);
    } else {
      *output.result = ResultTensor();
      output.result->value = std::move(result);
    }
  }
}

}  // namespace backplane::loading
