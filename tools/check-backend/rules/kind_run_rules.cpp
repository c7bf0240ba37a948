// Workloads on tensors in the kinds of memory that the backend registers.

#include "harness/descriptor_text.hpp"
#include "harness/expectations.hpp"
#include "harness/host_tensors.hpp"
#include "harness/kind_tensor.hpp"
#include "harness/round_up.hpp"
#include "harness/session.hpp"

#include <backplane/api/layer_type.hpp>

#include <algorithm>
#include <functional>

namespace backplane::check_backend {
namespace {

using conformance::StoredTensor;
using conformance::TestLayer;

constexpr char kNoneReached[] =
    "its workloads take no kind of its own tensor memory that the CPU can read and write";

/// Calls `use(place)` for each kind of its own that its workloads take and the CPU reaches.
template <typename Use>
void ForEachPlace(Session& session, const Use& use) {
  Plugin& plugin = session.GetPlugin();
  WatchFaults(session.GetRecord());
  const RegisteredMemory memory = plugin.RegisterMemory();
  for (const RegisteredFactory& factory : memory.factories) {
    const TensorPlace place(plugin, factory.id);
    if (place.IsUsable()) use(place);
  }
}

/// Tensors of a run, one behind the other in one block, as a host lays them out.
class TensorsInOneBlock {
 public:
  TensorsInOneBlock(Plugin& plugin, const TensorPlace& place, const Sample& sample) {
    const Kind& kind = place.GetKind();
    std::uint64_t size = 0;
    std::uint64_t alignment = 64;
    const auto plan = [&](const std::vector<TensorInfo>& infos) {
      for (const TensorInfo& info : infos) {
        const MemoryRequirements needed = AskRequirements(kind, info, sample.made.type);
        alignment = std::max(alignment, needed.alignment_bytes);
        offsets_.push_back(RoundUp(size, needed.alignment_bytes));
        size = offsets_.back() + needed.size_bytes;
      }
    };
    plan(sample.made.inputs);
    plan(sample.made.outputs);
    if (!kind.OwnsMemory()) {
      block_ = std::make_unique<KindBlock>(kind, MemoryRequirements{size, alignment, {}},
                                           "the block of all tensors");
    }
    const auto add = [&](const TensorInfo& info, const std::string& name) {
      const SharedPlace shared{block_.get(), offsets_[tensors_.size()]};
      tensors_.push_back(std::make_unique<KindTensor>(plugin, kind, place.GetReach(), info,
                                                      sample.made.type, name, shared));
    };
    for (const TensorInfo& info : sample.made.inputs) add(info, "an input");
    num_inputs_ = tensors_.size();
    for (const TensorInfo& info : sample.made.outputs) add(info, "an output");
    for (std::size_t i = num_inputs_; i < tensors_.size(); ++i) {
      tensors_[i]->Write(MakeGarbage(sample.made.outputs[i - num_inputs_]));
    }
    for (std::size_t i = 0; i < num_inputs_; ++i) tensors_[i]->Write(sample.inputs[i]);
  }

  Status Run(const Running& running) const {
    std::vector<ITensorHandle*> handles;
    for (const auto& tensor : tensors_) handles.push_back(tensor->GetHandle());
    const auto begin_of_outputs = handles.begin() + static_cast<std::ptrdiff_t>(num_inputs_);
    return conformance::Execute(*running.workload, {handles.begin(), begin_of_outputs},
                                {begin_of_outputs, handles.end()}, running.state.get());
  }

  std::vector<StoredTensor> ReadOutputs() const {
    std::vector<StoredTensor> results;
    for (std::size_t i = num_inputs_; i < tensors_.size(); ++i) {
      results.push_back(tensors_[i]->Read());
    }
    return results;
  }

  /// The first input that does not hold what was written; "" when all do.
  std::string FindChangedInput(const Sample& sample) const {
    for (std::size_t i = 0; i < num_inputs_; ++i) {
      if (tensors_[i]->Read().bytes != sample.inputs[i].bytes) {
        return "input " + std::to_string(i) + " does not hold any more what was written there";
      }
    }
    return "";
  }

  std::string DescribeDamage() const {
    std::string damage = block_ != nullptr ? block_->DescribeDamage() : "";
    for (const auto& tensor : tensors_) {
      if (damage.empty()) damage = tensor->DescribeDamage();
    }
    return damage;
  }

 private:
  std::unique_ptr<KindBlock> block_;
  std::vector<std::uint64_t> offsets_;
  std::vector<std::unique_ptr<KindTensor>> tensors_;
  std::size_t num_inputs_ = 0;
};

/// False: BC0301 says what is wrong. Nothing is known when workloads do not take memory of the
/// host.
bool IsRightInMemoryOfTheHost(Session& session, const Sample& sample) {
  Plugin& plugin = session.GetPlugin();
  if (!TensorPlace(plugin).IsHost()) return true;
  return IsRightElsewhere(MakeRunning(plugin, sample.made), sample);
}

void CheckSampleIn(Session& session, const TensorPlace& place, const Sample& sample) {
  // The tensors stay until the workload and its state are gone.
  const TensorsInOneBlock tensors(session.GetPlugin(), place, sample);
  const Running running = place.MakeRunning(sample.made);
  if (!ExpectSuccess(session, tensors.Run(running))) return;
  const std::string wrong = FindWrongResult(sample, tensors.ReadOutputs());
  if (!wrong.empty() && !IsRightInMemoryOfTheHost(session, sample)) return;
  session.Expect(wrong.empty(), wrong, kExpectedResult);
  const std::string changed = tensors.FindChangedInput(sample);
  session.Expect(changed.empty(), changed, "that inputs are only read");
  ExpectNoDamage(session, tensors.DescribeDamage());
}

}  // namespace

void CheckResultsAreRightInItsKinds(Session& session) {
  if (session.GetPlugin().RegisterMemory().factories.empty()) {
    return session.Skip(kNoKinds);
  }
  const std::vector<Sample> samples = MakeSamplesAnywhere(session, session.IsQuick() ? 1 : 3);
  ForEachPlace(session, [&](const TensorPlace& place) {
    for (const Sample& sample : samples) {
      if (!session.Begin("runs " + DescribeLayer(sample.made) + " with tensors of " +
                         place.GetId() + ", one behind the other")) {
        continue;
      }
      CheckSampleIn(session, place, sample);
    }
  });
  if (!session.HasCases() && !samples.empty()) session.Skip(kNoneReached);
}

namespace {

/// Whether a workload that has not run before gives what it should; when not, BC0423 says so.
bool IsRightAfresh(Session& session, const TensorPlace& place, const Sample& sample) {
  const TensorsInOneBlock tensors(session.GetPlugin(), place, sample);
  const Running running = place.MakeRunning(sample.made);
  return tensors.Run(running) == Status::kSuccess &&
         FindWrongResult(sample, tensors.ReadOutputs()).empty();
}

void CheckTwoPlaces(Session& session, const TensorPlace& place, const Sample& sample) {
  Plugin& plugin = session.GetPlugin();
  auto first = std::make_unique<TensorsInOneBlock>(plugin, place, sample);
  const Sample changed = ChangeInputs(sample, session.GetSeed() + 1);
  const TensorsInOneBlock second(plugin, place, changed);
  const Running running = place.MakeRunning(sample.made);
  if (first->Run(running) != Status::kSuccess) return;  // which BC0423 says
  if (!FindWrongResult(sample, first->ReadOutputs()).empty()) return;
  first.reset();
  if (!ExpectSuccess(session, second.Run(running))) return;
  const std::string wrong = FindWrongResult(changed, second.ReadOutputs());
  if (!wrong.empty() && !IsRightAfresh(session, place, changed)) return;
  session.Expect(wrong.empty(), "in the second run, " + wrong,
                 "what the operator means for the inputs that the run is given, as in the first");
}

}  // namespace

void CheckTensorsAreAskedForInItsKinds(Session& session) {
  if (session.GetPlugin().RegisterMemory().factories.empty()) {
    return session.Skip(kNoKinds);
  }
  const std::vector<Sample> samples = MakeSamplesAnywhere(session, session.IsQuick() ? 1 : 3);
  ForEachPlace(session, [&](const TensorPlace& place) {
    for (const Sample& sample : samples) {
      if (!session.Begin("runs " + DescribeLayer(sample.made) + " with tensors of " +
                         place.GetId() + ", and again with others")) {
        continue;
      }
      CheckTwoPlaces(session, place, sample);
    }
  });
  if (!session.HasCases() && !samples.empty()) session.Skip(kNoneReached);
}

// ---- in place

namespace {

void CheckInPlaceIn(Session& session, const TensorPlace& place, const Sample& sample,
                    std::size_t overwritten) {
  Plugin& plugin = session.GetPlugin();
  const Kind& kind = place.GetKind();
  const PlacedTensors elsewhere(plugin, place, sample);
  const TensorInfo& info = sample.made.inputs[overwritten];
  const KindBlock block(kind, AskRequirements(kind, info, sample.made.type), "the block");
  KindTensor input(plugin, kind, place.GetReach(), info, sample.made.type, "the input",
                   {&block, 0});
  KindTensor output(plugin, kind, place.GetReach(), sample.made.outputs[0], sample.made.type,
                    "the output", {&block, 0});
  const Running running = place.MakeRunning(sample.made);
  Status status = conformance::Execute(*running.workload, elsewhere.GetInputs(),
                                       elsewhere.GetOutputs(), running.state.get());
  if (status != Status::kSuccess) return;  // which BC0423 says
  if (!FindWrongResult(sample, elsewhere.ReadOutputs()).empty()) return;
  input.Write(sample.inputs[overwritten]);
  std::vector<ITensorHandle*> inputs = elsewhere.GetInputs();
  inputs[overwritten] = input.GetHandle();
  status =
      conformance::Execute(*running.workload, inputs, {output.GetHandle()}, running.state.get());
  if (!ExpectSuccess(session, status)) return;
  ExpectRight(session, sample, {output.Read()}, "in place of input " + std::to_string(overwritten),
              "the same as with the output elsewhere, which is right");
}

bool WorksInPlace(const TensorPlace& place) {
  const TensorHandleFactoryProperties& properties = place.GetKind().GetProperties();
  // Imported tensors are not overwritten, and others cannot lie in one place.
  return properties.supports_in_place != 0 && properties.owns_memory == 0 &&
         place.GetReach() != Reach::kImport;
}

}  // namespace

void CheckWorksInPlaceInItsKinds(Session& session) {
  bool has_kinds = false;
  ForEachPlace(session, [&](const TensorPlace& place) {
    if (!WorksInPlace(place)) return;
    has_kinds = true;
    for (const Sample& sample : MakeSamplesAnywhere(session, session.IsQuick() ? 2 : 6)) {
      for (std::size_t input = 0; input < sample.made.inputs.size(); ++input) {
        if (!MayOverwrite(sample, input)) continue;
        if (!session.Begin("runs " + DescribeLayer(sample.made) + " with tensors of " +
                           place.GetId() + ", with the output where input " +
                           std::to_string(input) + " lies")) {
          continue;
        }
        CheckInPlaceIn(session, place, sample, input);
      }
    }
  });
  if (session.HasCases()) return;
  session.Skip(has_kinds ? kNothingOverwritten
                         : "none of the kinds of its own tensor memory that its workloads take "
                           "states supports_in_place");
}

// ---- parts

namespace {

/// A tensor as a part of one that is larger along one axis.
class PartTensor {
 public:
  PartTensor(Plugin& plugin, const TensorPlace& place, const TensorInfo& info, LayerType beside,
             std::uint32_t axis)
      : info_(info), whole_info_(info), axis_(axis) {
    whole_info_.shape[axis] += 2;
    whole_ = std::make_unique<KindTensor>(plugin, place.GetKind(), place.GetReach(), whole_info_,
                                          beside, "the whole");
    std::vector<std::int64_t> origin(info.shape.rank, 0);
    origin[axis] = 1;
    SubTensorHandleArgs args;
    args.parent = whole_->GetHandle();
    args.info = &info_;
    args.origin = origin.data();
    part_ = place.GetKind().Get().CreateSubTensorHandle(args);
  }

  /// Null: it cannot be addressed.
  ITensorHandle* GetHandle() const { return part_.get(); }

  void Write(const StoredTensor& content) {
    StoredTensor whole = MakeGarbage(whole_info_);
    ForEach([&](std::size_t at, std::size_t in_whole, std::size_t size) {
      std::copy_n(content.bytes.data() + at, size, whole.bytes.data() + in_whole);
    });
    whole_->Write(whole);
  }

  StoredTensor Read() {
    const StoredTensor whole = whole_->Read();
    StoredTensor content(info_);
    ForEach([&](std::size_t at, std::size_t in_whole, std::size_t size) {
      std::copy_n(whole.bytes.data() + in_whole, size, content.bytes.data() + at);
    });
    return content;
  }

  /// Whether what is beside the part holds what Write left there.
  bool IsBesideUntouched() {
    StoredTensor whole = whole_->Read();
    ForEach([&](std::size_t, std::size_t in_whole, std::size_t size) {
      std::fill_n(whole.bytes.data() + in_whole, size, kGarbage);
    });
    return whole.bytes == MakeGarbage(whole_info_).bytes;
  }

 private:
  /// Calls `take(offset in the part, offset in the whole, size)` for rows of both.
  template <typename Take>
  void ForEach(const Take& take) const {
    std::size_t row = GetDataTypeSizeBytes(info_.data_type);
    std::size_t count = 1;
    for (std::uint32_t axis = 0; axis < info_.shape.rank; ++axis) {
      const auto extent = static_cast<std::size_t>(info_.shape[axis]);
      if (axis < axis_) count *= extent;
      if (axis > axis_) row *= extent;
    }
    const std::size_t part_row = row * static_cast<std::size_t>(info_.shape[axis_]);
    const std::size_t whole_row = part_row + 2 * row;
    for (std::size_t i = 0; i < count; ++i) take(i * part_row, i * whole_row + row, part_row);
  }

  TensorInfo info_;
  TensorInfo whole_info_;
  std::uint32_t axis_;
  std::unique_ptr<KindTensor> whole_;
  std::unique_ptr<ITensorHandle> part_;
};

enum class PartAxis { kFirst, kLast };

/// The tensors of a run as parts. Empty: one of them cannot be.
std::vector<std::unique_ptr<PartTensor>> MakeParts(Plugin& plugin, const TensorPlace& place,
                                                   const std::vector<TensorInfo>& infos,
                                                   LayerType beside, PartAxis which) {
  std::vector<std::unique_ptr<PartTensor>> parts;
  for (const TensorInfo& info : infos) {
    if (info.shape.rank == 0 || info.quantization.IsPerAxis()) return {};
    const std::uint32_t axis = which == PartAxis::kFirst ? 0 : info.shape.rank - 1;
    parts.push_back(std::make_unique<PartTensor>(plugin, place, info, beside, axis));
    if (parts.back()->GetHandle() == nullptr) return {};
  }
  return parts;
}

std::vector<ITensorHandle*> GetPartHandles(const std::vector<std::unique_ptr<PartTensor>>& parts) {
  std::vector<ITensorHandle*> handles;
  for (const auto& part : parts) handles.push_back(part->GetHandle());
  return handles;
}

void CheckSampleInParts(Session& session, const TensorPlace& place, const Sample& sample,
                        PartAxis axis) {
  Plugin& plugin = session.GetPlugin();
  const Running running = place.MakeRunning(sample.made);
  const auto inputs = MakeParts(plugin, place, sample.made.inputs, sample.made.type, axis);
  const auto outputs = MakeParts(plugin, place, sample.made.outputs, sample.made.type, axis);
  if (inputs.size() != sample.inputs.size() || outputs.empty()) return;
  for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i]->Write(sample.inputs[i]);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    outputs[i]->Write(MakeGarbage(sample.made.outputs[i]));
  }
  const Status status = conformance::Execute(*running.workload, GetPartHandles(inputs),
                                             GetPartHandles(outputs), running.state.get());
  if (!ExpectSuccess(session, status)) return;
  std::vector<StoredTensor> results;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    session.Expect(outputs[i]->IsBesideUntouched(),
                   "what lies beside output " + std::to_string(i) + " in the whole was written",
                   "that only the part is written, with the strides of its view");
    results.push_back(outputs[i]->Read());
  }
  const std::string wrong = FindWrongResult(sample, results);
  if (!wrong.empty() && !IsRightAfresh(session, place, sample)) return;
  session.Expect(wrong.empty(), wrong, kExpectedResult);
}

}  // namespace

void CheckPartsAreComputedWith(Session& session) {
  bool has_kinds = false;
  ForEachPlace(session, [&](const TensorPlace& place) {
    const Kind& kind = place.GetKind();
    if (kind.GetProperties().supports_sub_tensors == 0) return;
    if (place.GetReach() == Reach::kImport) return;  // parts lie in memory that was bound
    has_kinds = true;
    for (const Sample& sample : MakeSamplesAnywhere(session, session.IsQuick() ? 1 : 2)) {
      for (const PartAxis axis : {PartAxis::kFirst, PartAxis::kLast}) {
        if (!session.Begin("runs " + DescribeLayer(sample.made) +
                           " with tensors that are parts of larger ones of " + place.GetId() +
                           ", along their " + (axis == PartAxis::kFirst ? "first" : "last") +
                           " axis")) {
          continue;
        }
        CheckSampleInParts(session, place, sample, axis);
      }
    }
  });
  if (!session.HasCases() && !has_kinds) {
    session.Skip(
        "none of the kinds of its own tensor memory that its workloads take states "
        "supports_sub_tensors");
  }
}

// ---- copies

namespace {

std::vector<TensorInfo> ListCopied() {
  return {{{2, 3}, DataType::kFloat32}, {{1, 5, 7}, DataType::kInt8}, {{33}, DataType::kInt64}};
}

/// One run of a Copy workload.
Status RunCopy(Plugin& plugin, const TensorInfo& info, ITensorHandle* from,
               const std::string& from_id, ITensorHandle* to, const std::string& to_id) {
  const TestLayer layer(LayerType::kCopy, NoDescriptor(), {info}, info);
  const auto factory = plugin.MakeFactory();
  const auto workload = MakeWorkloadOfKinds(*factory, layer, from_id, to_id);
  const auto state = factory->CreateExecutionState();
  return conformance::Execute(*workload, {from}, {to}, state.get());
}

bool ExpectCopied(Session& session, Status status, const std::string& what) {
  return ExpectStatus(session, what + ", Execute", status, Status::kSuccess,
                      "kSuccess, as the properties of the kind promise this copy");
}

void CheckCopyWithHost(Session& session, const Kind& kind, const TensorInfo& info) {
  Plugin& plugin = session.GetPlugin();
  const Reach reach = FindReach(plugin, kind);
  const StoredTensor content = MakeContent(info, session.GetSeed());
  const Reach used = reach == Reach::kNone ? Reach::kCopy : reach;
  KindTensor tensor(plugin, kind, used, info, LayerType::kCopy, "the tensor");
  if (kind.CopiesFrom(MemorySource::kMalloc)) {
    GuardedTensor host(content, GuardedSide::kBehind, "the memory copied");
    host.ForbidWriting();
    const Status status = RunCopy(plugin, info, host.GetHandle(), kHostTensorHandleFactoryId,
                                  tensor.GetHandle(), kind.GetId());
    if (!ExpectCopied(session, status, "from memory of the CPU")) return;
    if (reach == Reach::kNone) return;
    session.Expect(tensor.Read().bytes == content.bytes,
                   "copied from memory of the CPU, the tensor does not hold what that held",
                   "the same bytes");
  } else if (reach != Reach::kNone) {
    tensor.Write(content);
  }
  if (!kind.CopiesTo(MemorySource::kMalloc) || reach == Reach::kNone) return;
  GuardedTensor host(MakeGarbage(info), GuardedSide::kBehind, "the memory copied to");
  const Status status = RunCopy(plugin, info, tensor.GetHandle(), kind.GetId(), host.GetHandle(),
                                kHostTensorHandleFactoryId);
  if (!ExpectCopied(session, status, "to memory of the CPU")) return;
  session.Expect(host.Read().bytes == content.bytes,
                 "memory of the CPU does not hold what the tensor copied to it held",
                 "the same bytes");
  ExpectNoDamage(session, host.DescribeDamage(), "the tensor");
}

/// There and back again.
void CheckCopyWithin(Session& session, const Kind& near, const Kind& far, const TensorInfo& info) {
  Plugin& plugin = session.GetPlugin();
  const Reach reach = FindReach(plugin, near);
  const StoredTensor content = MakeContent(info, session.GetSeed());
  KindTensor begin(plugin, near, reach, info, LayerType::kCopy, "the tensor");
  KindTensor middle(plugin, far, Reach::kNone, info, LayerType::kCopy, "the copy");
  KindTensor end(plugin, near, reach, info, LayerType::kCopy, "the copy of the copy");
  begin.Write(content);
  end.Write(MakeGarbage(info));
  Status status =
      RunCopy(plugin, info, begin.GetHandle(), near.GetId(), middle.GetHandle(), far.GetId());
  if (!ExpectCopied(session, status, "there")) return;
  status = RunCopy(plugin, info, middle.GetHandle(), far.GetId(), end.GetHandle(), near.GetId());
  if (!ExpectCopied(session, status, "back")) return;
  session.Expect(end.Read().bytes == content.bytes,
                 "copied there and back, the tensor does not hold what it held", "the same bytes");
}

void CheckCopiesWithin(Session& session, const RegisteredMemory& memory) {
  const std::vector<Kind> kinds = ListKinds(memory);
  for (const Kind& near : kinds) {
    if (near.GetProperties().copies_within_backend == 0) continue;
    if (FindReach(session.GetPlugin(), near) == Reach::kNone) continue;
    for (const Kind& far : kinds) {
      if (far.GetProperties().copies_within_backend == 0 || far.GetId() == near.GetId()) continue;
      for (const TensorInfo& info : ListCopied()) {
        if (session.Begin("copies " + DescribeTensor(info) + " from " + near.GetId() + " to " +
                          far.GetId() + " and back")) {
          CheckCopyWithin(session, near, far, info);
        }
      }
    }
  }
}

}  // namespace

void CheckCopiesAsDeclared(Session& session) {
  WatchFaults(session.GetRecord());
  const RegisteredMemory memory = session.GetPlugin().RegisterMemory();
  for (const Kind& kind : ListKinds(memory)) {
    if (!kind.CopiesTo(MemorySource::kMalloc) && !kind.CopiesFrom(MemorySource::kMalloc)) continue;
    for (const TensorInfo& info : ListCopied()) {
      if (session.Begin("copies " + DescribeTensor(info) + " between " + kind.GetId() +
                        " and memory of the CPU")) {
        CheckCopyWithHost(session, kind, info);
      }
    }
  }
  CheckCopiesWithin(session, memory);
  if (!session.HasCases()) {
    session.Skip("none of its kinds of tensor memory promises copies that the CPU can compare");
  }
}

}  // namespace backplane::check_backend
