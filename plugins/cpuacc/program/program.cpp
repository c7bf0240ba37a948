#include "program/program.hpp"

#include "threads/thread_count.hpp"

#include <backplane/api/exceptions.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

void* Advance(void* begin, std::uint64_t offset_bytes) {
  return static_cast<unsigned char*>(begin) + offset_bytes;
}

void* FindConstant(const Place& place, const Constants& constants) {
  if (place.kind != Place::Kind::kConstant) return nullptr;
  return Advance(const_cast<void*>(constants[place.index].get()), place.offset_bytes);
}

}  // namespace

ProgramState::ProgramState(const Program& program, unsigned char* arena) {
  slots_.reserve(program.slots_.size());
  for (const Place& place : program.slots_) {
    slots_.push_back(FindConstant(place, program.constants_));
  }
  for (const Step& step : program.steps_) states_.push_back(step.kernel->MakeState());
  UseArena(program, arena);
}

void ProgramState::UseArena(const Program& program, unsigned char* arena) {
  if (arena == arena_) return;
  arena_ = arena;
  scratch_ = arena + program.arena_bytes_;
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    const Place& place = program.slots_[slot];
    if (place.kind == Place::Kind::kArena) slots_[slot] = arena + place.offset_bytes;
  }
}

Program::Program(std::vector<Step> steps, std::vector<Place> places, Constants constants,
                 std::uint64_t arena_bytes, int num_threads, std::vector<InPlacePair> in_place)
    : steps_(std::move(steps)),
      constants_(std::move(constants)),
      arena_bytes_(RoundUp(arena_bytes)),
      num_threads_(num_threads),
      in_place_(std::move(in_place)),
      slots_(std::move(places)) {
  for (const Step& step : steps_) {
    scratch_bytes_ = std::max(scratch_bytes_, RoundUp(step.kernel->GetScratchBytes()));
  }
  for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
    const Place& place = slots_[slot];
    if (place.kind == Place::Kind::kInput) {
      input_slots_.push_back({slot, place.index, place.offset_bytes});
    } else if (place.kind == Place::Kind::kOutput) {
      output_slots_.push_back({slot, place.index, place.offset_bytes});
    }
  }
}

bool Program::Run(void* const* inputs, void* const* outputs, ProgramState& state,
                  const StepReporter& reporter, const Threads& threads) const {
  if (threads.AreStopped()) return false;
  const ThreadCount one(1);
  for (const ExternalSlot& external : input_slots_) {
    state.slots_[external.slot] = Advance(inputs[external.index], external.offset_bytes);
  }
  for (const ExternalSlot& external : output_slots_) {
    state.slots_[external.slot] = Advance(outputs[external.index], external.offset_bytes);
  }
  KernelRun run;
  run.inputs = state.slots_.data();
  run.scratch = state.scratch_;
  std::size_t index = 0;
  try {
    for (; index < steps_.size(); ++index) {
      if (threads.AreStopped()) return false;
      const Step& step = steps_[index];
      run.outputs = run.inputs + step.num_inputs;
      run.state = state.states_[index].get();
      run.threads = threads.AtMost(step.num_threads);
      const std::uint64_t begin_ns = reporter.Begin();
      step.kernel->Run(run);
      reporter.End(*step.name, begin_ns);
      run.inputs = run.outputs + step.num_outputs;
    }
  } catch (const InvalidArgumentException& exception) {
    throw InvalidArgumentException("layer \"" + *steps_[index].name + "\": " + exception.what());
  }
  return !threads.WereStopped();
}

}  // namespace cpuacc
}  // namespace backplane
