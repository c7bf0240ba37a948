// Single layers: what their workloads may do with tensors in memory of the host, and what they may
// expect of it.

#include "harness/descriptor_text.hpp"
#include "harness/expectations.hpp"
#include "harness/host_tensors.hpp"
#include "harness/run_code.hpp"
#include "harness/session.hpp"

#include <algorithm>
#include <cstring>

namespace backplane::check_backend {
namespace {

using conformance::MemoryHandle;
using conformance::StoredTensor;

constexpr unsigned char kOtherGarbage = 0x58;

std::size_t GetNumEach(const Session& session) {
  return session.IsQuick() ? 1 : 3;
}

}  // namespace

void CheckInputsAreOnlyRead(Session& session) {
  for (const Sample& sample : MakeSamples(session, GetNumEach(session))) {
    if (!session.Begin("runs " + DescribeLayer(sample.made) +
                       " with inputs that nobody may write")) {
      continue;
    }
    SetRunCode(session, sample, R"(  const auto before = content;
  run();
  std::printf("inputs are as before: %s\n", content == before ? "yes" : "no");
)");
    WatchFaults(session.GetRecord());
    const Running running = MakeRunning(session.GetPlugin(), sample.made);
    // What is written behind the outputs is BC0403's.
    const HostTensors tensors(sample, GuardedSide::kBefore, kGarbage);
    for (const auto& input : tensors.inputs) input->ForbidWriting();
    ExpectSuccess(session, RunOn(running, tensors));
  }
}

// ---- constants

namespace {

/// The constants of a sample, all inputs but the first, in memory that nobody may write.
struct LockedConstants {
  explicit LockedConstants(const Sample& sample) {
    for (std::size_t i = 1; i < sample.inputs.size(); ++i) {
      tensors.push_back(std::make_unique<GuardedTensor>(sample.inputs[i], GuardedSide::kBehind,
                                                        "constant input " + std::to_string(i)));
      tensors.back()->ForbidWriting();
    }
  }

  std::vector<void*> GetData() const {
    std::vector<void*> data;
    for (const auto& tensor : tensors) data.push_back(tensor->GetData());
    return data;
  }

  std::vector<std::unique_ptr<GuardedTensor>> tensors;
};

/// The workload of a sample whose inputs but the first are constants and lie there.
Running MakeRunningOn(Plugin& plugin, const Sample& sample, const std::vector<void*>& constants) {
  std::vector<ConstTensor> content(sample.inputs.size());
  std::vector<const ConstTensor*> pointers(sample.inputs.size(), nullptr);
  for (std::size_t i = 1; i < sample.inputs.size(); ++i) {
    content[i] = {sample.made.inputs[i], constants[i - 1]};
    pointers[i] = &content[i];
  }
  return MakeRunning(plugin, sample.made, pointers);
}

/// A run with the first input and the outputs of `tensors`, and handles for the constants that lie
/// there, as a host makes them.
Status RunWithConstants(const Running& running, const Sample& sample, const HostTensors& tensors,
                        const std::vector<void*>& constants) {
  std::vector<std::unique_ptr<MemoryHandle>> handles;
  std::vector<ITensorHandle*> inputs{tensors.inputs[0]->GetHandle()};
  for (std::size_t i = 1; i < sample.inputs.size(); ++i) {
    handles.push_back(std::make_unique<MemoryHandle>(sample.made.inputs[i], constants[i - 1]));
    handles.back()->view.access = MemoryAccess::kRead;
    inputs.push_back(handles.back().get());
  }
  return conformance::Execute(*running.workload, inputs, GetHandles(tensors.outputs),
                              running.state.get());
}

/// False: BC0301 says what is wrong. A backend may want constants; then nothing is known.
bool IsRightWithoutConstants(Plugin& plugin, const Sample& sample) {
  if (!AskWhetherSupported(*plugin.GetSupport(), sample.made).is_supported) return true;
  return IsRightElsewhere(MakeRunning(plugin, sample.made), sample);
}

/// Two runs, in each of which the result is right.
void ExpectRightWithConstants(Session& session, const Sample& sample,
                              const std::vector<void*>& constants, const std::string& expected) {
  const bool is_compared = IsRightWithoutConstants(session.GetPlugin(), sample);
  const Running running = MakeRunningOn(session.GetPlugin(), sample, constants);
  for (const char* const when : {"in the first run", "in the second run"}) {
    const HostTensors tensors(sample, GuardedSide::kBefore, kGarbage);
    if (!ExpectSuccess(session, RunWithConstants(running, sample, tensors, constants))) return;
    if (is_compared) ExpectRight(session, sample, tensors.ReadOutputs(), when, expected);
  }
}

constexpr char kConstantsCode[] = R"(  std::vector<ConstTensor> given(inputs.size());
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    given[i] = {inputs[i], content[i].data()};
    constants[i] = &given[i];
  }
  factory = backend.Share()->CreateWorkloadFactory(factory_args);
  workload = factory->CreateWorkload(workload_args);
  state = factory->CreateExecutionState();
  const auto before = content;
  run();
  show();
  run();
  show();
  std::printf("constants are as before: %s\n", content == before ? "yes" : "no");
)";

}  // namespace

void CheckConstantsAreOnlyRead(Session& session) {
  for (const Sample& sample : MakeSamplesWithConstants(session, GetNumEach(session))) {
    if (!session.Begin("makes the workload of " + DescribeLayer(sample.made) +
                       ", whose inputs but the first are constants that nobody may write, and runs "
                       "it twice")) {
      continue;
    }
    SetRunCode(session, sample, kConstantsCode);
    WatchFaults(session.GetRecord());
    const LockedConstants constants(sample);
    ExpectRightWithConstants(session, sample, constants.GetData(), kExpectedResult);
  }
}

namespace {

/// Bytes at an address that is a multiple of an alignment, and of no larger one.
class PlacedBytes {
 public:
  PlacedBytes(const std::vector<unsigned char>& bytes, std::size_t alignment)
      : memory_(bytes.size() + 2 * kUnit + alignment) {
    void* begin = memory_.data();
    std::size_t space = memory_.size();
    std::align(kUnit, bytes.size() + alignment, begin, space);
    data_ = static_cast<unsigned char*>(begin) + alignment;
    std::copy(bytes.begin(), bytes.end(), data_);
  }

  unsigned char* GetData() const { return data_; }

 private:
  static constexpr std::size_t kUnit = 4096;
  std::vector<unsigned char> memory_;
  unsigned char* data_;
};

}  // namespace

void CheckConstantsMayLieAnywhere(Session& session) {
  for (const Sample& sample : MakeSamplesWithConstants(session, 1)) {
    if (!session.Begin("makes the workload of " + DescribeLayer(sample.made) +
                       ", whose inputs but the first are constants that are aligned for their data "
                       "type and no more, and runs it twice")) {
      continue;
    }
    SetRunCode(session, sample, kConstantsCode);
    const LockedConstants aligned(sample);
    const Running running = MakeRunningOn(session.GetPlugin(), sample, aligned.GetData());
    const HostTensors tensors(sample, GuardedSide::kBefore, kGarbage);
    const Status status = RunWithConstants(running, sample, tensors, aligned.GetData());
    const bool is_right =
        status == Status::kSuccess && FindWrongResult(sample, tensors.ReadOutputs()).empty();
    if (!is_right) continue;  // which BC0402 says
    std::vector<PlacedBytes> placed;
    std::vector<void*> data;
    for (std::size_t i = 1; i < sample.inputs.size(); ++i) {
      const StoredTensor& input = sample.inputs[i];
      placed.emplace_back(input.bytes, GetDataTypeSizeBytes(input.info.data_type));
      data.push_back(placed.back().GetData());
    }
    ExpectRightWithConstants(session, sample, data, "the same as from constants aligned to 64");
  }
}

// ---- outputs

void CheckNothingBesideIsTouched(Session& session) {
  for (const Sample& sample : MakeSamples(session, GetNumEach(session))) {
    for (const GuardedSide side : {GuardedSide::kBehind, GuardedSide::kBefore}) {
      const bool is_behind = side == GuardedSide::kBehind;
      if (!session.Begin("runs " + DescribeLayer(sample.made) + " with memory " +
                         (is_behind ? "behind" : "before") +
                         " the tensors that nobody may touch")) {
        continue;
      }
      SetRunCode(session, sample, "  run();  // under valgrind, or the address sanitizer\n");
      WatchFaults(session.GetRecord());
      const Running running = MakeRunning(session.GetPlugin(), sample.made);
      const HostTensors tensors(sample, side, kGarbage);
      ExpectSuccess(session, RunOn(running, tensors));
      for (const auto* list : {&tensors.inputs, &tensors.outputs}) {
        for (const auto& tensor : *list) ExpectNoDamage(session, tensor->DescribeDamage());
      }
    }
  }
}

namespace {

std::string WriteHex(unsigned char byte) {
  constexpr char kDigits[] = "0123456789abcdef";
  return {'0', 'x', kDigits[byte / 16], kDigits[byte % 16]};
}

/// Bytes that are what was there before, twice.
void ExpectWritten(Session& session, const std::vector<StoredTensor>& first,
                   const std::vector<StoredTensor>& second) {
  for (std::size_t output = 0; output < first.size(); ++output) {
    const auto& bytes = first[output].bytes;
    const auto& others = second[output].bytes;
    std::size_t count = 0;
    std::size_t first_byte = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) {
      if (bytes[i] != kGarbage || others[i] != kOtherGarbage) continue;
      ++count;
      first_byte = i;
    }
    session.Expect(count == 0,
                   std::to_string(count) + " of " + std::to_string(bytes.size()) +
                       " bytes of output " + std::to_string(output) +
                       " were not written, the first at byte " + std::to_string(first_byte),
                   "that every byte of every output is written");
  }
}

}  // namespace

void CheckOutputsAreWhollyWritten(Session& session) {
  for (const Sample& sample : MakeSamples(session, GetNumEach(session))) {
    if (!session.Begin("runs " + DescribeLayer(sample.made) +
                       " with outputs that hold something else before")) {
      continue;
    }
    SetRunCode(session, sample, R"(  run();  // outputs hold 0xa7 before
  show();
  for (auto& result : results) std::fill(result.begin(), result.end(), 0x58);
  run();
  show();
)");
    const Running running = MakeRunning(session.GetPlugin(), sample.made);
    std::vector<std::vector<StoredTensor>> results;
    for (const unsigned char garbage : {kGarbage, kOtherGarbage}) {
      const HostTensors tensors(sample, GuardedSide::kBefore, garbage);
      if (!ExpectSuccess(session, RunOn(running, tensors))) break;
      results.push_back(tensors.ReadOutputs());
    }
    if (results.size() != 2) continue;
    ExpectWritten(session, results[0], results[1]);
    if (!IsRightElsewhere(running, sample)) continue;
    for (std::size_t i = 0; i < results.size(); ++i) {
      ExpectRight(session, sample, results[i],
                  "when outputs held " + WriteHex(i == 0 ? kGarbage : kOtherGarbage) + " before",
                  "the same as when they held zeros, which is right");
    }
  }
}

// ---- addresses

namespace {

/// Handles that a test binds elsewhere.
class MovingHandles {
 public:
  explicit MovingHandles(const HostTensors& tensors) {
    for (const auto& input : tensors.inputs) Add(*input, inputs_);
    for (const auto& output : tensors.outputs) Add(*output, outputs_);
  }

  void MoveTo(const HostTensors& tensors) {
    std::size_t index = 0;
    for (const auto& input : tensors.inputs) handles_[index++]->view.data = input->GetData();
    for (const auto& output : tensors.outputs) handles_[index++]->view.data = output->GetData();
  }
  void Unbind() {
    for (const auto& handle : handles_) handle->is_bound = false;
  }
  Status Run(const Running& running) const {
    return conformance::Execute(*running.workload, inputs_, outputs_, running.state.get());
  }

 private:
  void Add(const GuardedTensor& tensor, std::vector<ITensorHandle*>& list) {
    handles_.push_back(std::make_unique<MemoryHandle>(tensor.Read().info, tensor.GetData()));
    list.push_back(handles_.back().get());
  }

  std::vector<std::unique_ptr<MemoryHandle>> handles_;
  std::vector<ITensorHandle*> inputs_;
  std::vector<ITensorHandle*> outputs_;
};

void Forbid(const HostTensors& tensors) {
  for (const auto& input : tensors.inputs) input->ForbidTouching();
  for (const auto& output : tensors.outputs) output->ForbidTouching();
}

constexpr char kMovedExpected[] =
    "what the operator means for the inputs that the run is given, as in the run before";

/// Runs with the tensors of the first run, with the same handles bound elsewhere, and with other
/// handles, each time with other inputs and with what was used before out of reach.
void RunInThreePlaces(Session& session, const Running& running, const Sample& sample) {
  const Sample second_sample = ChangeInputs(sample, session.GetSeed() + 1);
  const Sample third_sample = ChangeInputs(sample, session.GetSeed() + 2);
  for (const Sample* const changed : {&second_sample, &third_sample}) {
    const Running other = MakeRunning(session.GetPlugin(), sample.made);
    if (!IsRightElsewhere(other, *changed)) return;  // which BC0301 says
  }
  const HostTensors first(sample, GuardedSide::kBehind, kGarbage, " of the first run");
  const HostTensors second(second_sample, GuardedSide::kBehind, kGarbage, " of the second run");
  const HostTensors third(third_sample, GuardedSide::kBehind, kGarbage, " of the third run");
  MovingHandles handles(first);
  if (!ExpectSuccess(session, handles.Run(running))) return;
  if (!FindWrongResult(sample, first.ReadOutputs()).empty()) return;  // which BC0301 says
  Forbid(first);
  handles.MoveTo(second);
  if (!ExpectSuccess(session, handles.Run(running))) return;
  ExpectRight(session, second_sample, second.ReadOutputs(),
              "in a second run, with the same handles bound elsewhere and other inputs",
              kMovedExpected);
  Forbid(second);
  handles.Unbind();
  if (!ExpectSuccess(session, RunOn(running, third))) return;
  ExpectRight(session, third_sample, third.ReadOutputs(),
              "in a third run, with other handles and other inputs", kMovedExpected);
}

}  // namespace

void CheckTensorsAreAskedForAtEveryRun(Session& session) {
  for (const Sample& sample : MakeSamples(session, GetNumEach(session))) {
    if (!session.Begin("runs " + DescribeLayer(sample.made) +
                       " three times, each time with tensors elsewhere")) {
      continue;
    }
    SetRunCode(session, sample, R"(  run();
  show();
  std::vector<std::vector<unsigned char>> moved = content;
  std::vector<std::vector<unsigned char>> moved_results = results;
  for (std::size_t i = 0; i < content.size(); ++i) {
    static_cast<Handle*>(input_handles[i])->view.data = moved[i].data();
    std::fill(content[i].begin(), content[i].end(), 0xff);
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    static_cast<Handle*>(output_handles[i])->view.data = moved_results[i].data();
    std::fill(results[i].begin(), results[i].end(), 0xff);
  }
  run();
  results = moved_results;
  show();
)");
    WatchFaults(session.GetRecord());
    RunInThreePlaces(session, MakeRunning(session.GetPlugin(), sample.made), sample);
  }
}

void CheckAlignmentIsThatOfTheHost(Session& session) {
  constexpr std::size_t kHostAlignment = 64;
  for (const Sample& sample : MakeSamples(session, GetNumEach(session))) {
    if (!session.Begin("runs " + DescribeLayer(sample.made) +
                       " with tensors at multiples of 64 and of no more")) {
      continue;
    }
    SetRunCode(session, sample, "  run();\n  show();\n");
    if (!IsRightElsewhere(MakeRunning(session.GetPlugin(), sample.made), sample)) continue;
    const Running running = MakeRunning(session.GetPlugin(), sample.made);
    std::vector<PlacedBytes> places;
    std::vector<std::unique_ptr<MemoryHandle>> handles;
    std::vector<ITensorHandle*> inputs;
    std::vector<ITensorHandle*> outputs;
    const auto add = [&](const StoredTensor& tensor, std::vector<ITensorHandle*>& list) {
      places.emplace_back(tensor.bytes, kHostAlignment);
      handles.push_back(std::make_unique<MemoryHandle>(tensor.info, places.back().GetData()));
      list.push_back(handles.back().get());
    };
    std::vector<StoredTensor> results;
    for (const StoredTensor& input : sample.inputs) add(input, inputs);
    for (const TensorInfo& info : sample.made.outputs) add(StoredTensor(info), outputs);
    if (!ExpectSuccess(session, conformance::Execute(*running.workload, inputs, outputs,
                                                     running.state.get()))) {
      continue;
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      results.emplace_back(sample.made.outputs[i]);
      std::copy_n(places[sample.inputs.size() + i].GetData(), results[i].bytes.size(),
                  results[i].bytes.begin());
    }
    ExpectRight(session, sample, results, "with tensors at multiples of 64 and of no more",
                "the same as at the beginning of a page, which is right");
  }
}

// ---- in place

namespace {

std::vector<StoredTensor> RunInPlaceOf(Session& session, const Running& running,
                                       const Sample& sample, std::size_t overwritten) {
  const HostTensors tensors(sample, GuardedSide::kBehind, kGarbage);
  for (std::size_t i = 0; i < tensors.inputs.size(); ++i) {
    if (i != overwritten) tensors.inputs[i]->ForbidWriting();
  }
  void* const place = tensors.inputs[overwritten]->GetData();
  MemoryHandle output(sample.made.outputs[0], place);
  const Status status = conformance::Execute(*running.workload, GetHandles(tensors.inputs),
                                             {&output}, running.state.get());
  if (!ExpectSuccess(session, status)) return {};
  StoredTensor result(sample.made.outputs[0]);
  std::memcpy(result.bytes.data(), place, result.bytes.size());
  return {result};
}

void CheckInPlaceOf(Session& session, const Sample& sample, std::size_t overwritten) {
  if (!session.Begin("runs " + DescribeLayer(sample.made) + " with the output where input " +
                     std::to_string(overwritten) + " lies")) {
    return;
  }
  SetRunCode(session, sample,
             "  run();\n  show();\n  static_cast<Handle*>(output_handles[0])"
             "->view.data = content[" +
                 std::to_string(overwritten) + "].data();\n  run();\n  results[0] = content[" +
                 std::to_string(overwritten) + "];\n  show();\n");
  WatchFaults(session.GetRecord());
  if (!IsRightElsewhere(MakeRunning(session.GetPlugin(), sample.made), sample)) return;
  const Running running = MakeRunning(session.GetPlugin(), sample.made);
  const auto results = RunInPlaceOf(session, running, sample, overwritten);
  if (results.empty()) return;
  ExpectRight(session, sample, results, "in place of input " + std::to_string(overwritten),
              "the same as with the output elsewhere, which is right");
}

}  // namespace

void CheckWorksInPlaceAsStated(Session& session) {
  if (!session.GetPlugin().HasCapability(kCapabilityInPlace)) {
    return session.Skip("it does not state the capability InPlace");
  }
  for (const Sample& sample : MakeSamples(session, session.IsQuick() ? 2 : 5)) {
    for (std::size_t input = 0; input < sample.made.inputs.size(); ++input) {
      if (MayOverwrite(sample, input)) CheckInPlaceOf(session, sample, input);
    }
  }
  if (!session.HasCases()) session.Skip(kNothingOverwritten);
}

}  // namespace backplane::check_backend
