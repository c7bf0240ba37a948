// Tensors that are parts of others, in the kinds of memory that the backend registers.

#include "harness/descriptor_text.hpp"
#include "harness/round_up.hpp"
#include "harness/session.hpp"
#include "rules/handle_expectations.hpp"
#include "rules/tensors_in_one_block.hpp"

#include <algorithm>

namespace backplane::check_backend {
namespace {

using conformance::StoredTensor;

struct Part {
  TensorInfo whole;
  TensorInfo part;
  std::vector<std::int64_t> origin;
};

std::vector<Part> ListParts() {
  return {{{{4, 6}, DataType::kFloat32}, {{2, 6}, DataType::kFloat32}, {1, 0}},
          {{{4, 6}, DataType::kFloat32}, {{4, 2}, DataType::kFloat32}, {0, 3}},
          {{{2, 5, 7}, DataType::kInt8}, {{1, 2, 3}, DataType::kInt8}, {1, 2, 4}},
          {{{8}, DataType::kFloat32}, {{8}, DataType::kFloat32}, {0}}};
}

/// What of a part is not where it should be in the whole; "" when all is.
std::string FindPartFault(const Part& part, const MemoryView& whole, const MemoryView& view) {
  const std::string fault = FindTensorFault(part.part, view);
  if (!fault.empty()) return fault;
  std::int64_t offset = 0;
  for (std::uint32_t axis = 0; axis < part.part.shape.rank; ++axis) {
    offset += part.origin[axis] * whole.strides_bytes[axis];
    if (part.part.shape[axis] == 1 || view.strides_bytes[axis] == whole.strides_bytes[axis]) {
      continue;
    }
    return "a view with a stride of " + std::to_string(view.strides_bytes[axis]) +
           " bytes along axis " + std::to_string(axis) + " in a whole with a stride of " +
           std::to_string(whole.strides_bytes[axis]);
  }
  if (whole.data == nullptr || view.data == nullptr) return "";
  const std::int64_t found =
      static_cast<const unsigned char*>(view.data) - static_cast<const unsigned char*>(whole.data);
  if (found == offset) return "";
  return "a view " + std::to_string(found) +
         " bytes behind the beginning of the whole instead of " + std::to_string(offset);
}

void CheckPart(Session& session, const Kind& kind, const Part& part) {
  const MemoryRequirements needed = AskRequirements(kind, part.whole, LayerType::kUndefined);
  const std::uint64_t unit = RoundUp(needed.size_bytes, needed.alignment_bytes);
  std::unique_ptr<KindBlock> block;
  if (!kind.OwnsMemory()) {
    block = std::make_unique<KindBlock>(
        kind, MemoryRequirements{2 * unit, needed.alignment_bytes, {}}, "the block");
  }
  const auto whole = MakeHandle(kind, part.whole);
  SubTensorHandleArgs args;
  args.parent = whole.get();
  args.info = &part.part;
  args.origin = part.origin.data();
  const auto handle = kind.Get().CreateSubTensorHandle(args);
  if (handle == nullptr) return;  // this part cannot be addressed, which is allowed
  if (block != nullptr) {
    session.Expect(handle->GetMemoryView() == nullptr,
                   "GetMemoryView of the part gave a view before the whole was bound", "null");
  }
  for (const std::uint64_t offset : {std::uint64_t{0}, unit}) {
    if (block != nullptr && whole->Bind(block->Get(), offset) != Status::kSuccess) {
      return session.Report(
          "Bind of a tensor that has parts, at offset " + std::to_string(offset) + ", failed",
          "kSuccess");
    }
    const MemoryView* const whole_view = whole->GetMemoryView();
    const MemoryView* const view = handle->GetMemoryView();
    if (!session.Expect(view != nullptr && whole_view != nullptr,
                        "GetMemoryView of the part, or of the whole, gave null when the whole was "
                        "bound",
                        "views, as the layout is known")) {
      return;
    }
    const std::string fault = FindPartFault(part, *whole_view, *view);
    session.Expect(fault.empty(),
                   "when the whole was bound at offset " + std::to_string(offset) +
                       ", GetMemoryView of the part gave " + fault,
                   "the part inside of the whole, with its strides");
  }
}

}  // namespace

void CheckPartsLieInTheWhole(Session& session) {
  const RegisteredMemory memory = session.GetPlugin().RegisterMemory();
  if (memory.factories.empty()) return session.Skip(kNoKinds);
  for (const Kind& kind : ListKinds(memory)) {
    if (kind.GetProperties().supports_sub_tensors == 0 || !kind.IsKnown()) continue;
    for (const Part& part : ListParts()) {
      if (!session.Begin("makes " + DescribeTensor(part.part) + " as a part of " +
                         DescribeTensor(part.whole) + " of " + kind.GetId())) {
        continue;
      }
      CheckPart(session, kind, part);
    }
  }
  if (!session.HasCases()) {
    session.Skip("none of its kinds of tensor memory states supports_sub_tensors");
  }
}

// ---- runs

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

}  // namespace backplane::check_backend
