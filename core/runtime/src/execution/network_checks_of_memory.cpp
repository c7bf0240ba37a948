#include "execution/network_checks.hpp"

#include "execution/run_text.hpp"
#include "placement/placed_graph.hpp"
#include "tensors/tensor_text.hpp"

#include <algorithm>
#include <utility>

namespace backplane::execution {

namespace {

constexpr char kReport[] = "run this layer on another backend, and report it to the vendor of ";

}  // namespace

bool NetworkChecks::LooksAtMemory() const {
  return may_look_ &&
         (IsOn(RunCheck::kMemory) || IsOn(RunCheck::kFences) || IsOn(RunCheck::kDeterminism));
}

void NetworkChecks::AddDeed(std::size_t step, Deed deed) {
  const FindingKey key = MakeKey(deed.check, step, deed.part);
  if (ledger_.Count(key)) return;
  const Layer& layer = GetLayer(step);
  CheckFinding finding = MakeFinding(deed.check, plan_.steps[step]);
  const std::string runner = DescribeRunner(finding.backend_id);
  finding.diagnostic.code = deed.code;
  finding.diagnostic.what = DescribeLayer(layer) + NameCompiled(layer, finding.backend_id) +
                            " on " + runner + deed.what + ", in network \"" +
                            parts_.network.graph.name + '"';
  finding.diagnostic.why = std::move(deed.why);
  finding.diagnostic.fix = deed.fix + runner;
  ledger_.Add(key, std::move(finding));
}

void NetworkChecks::AddForeignWrite(std::size_t step, const ChangedByte& changed) {
  const std::string what = changed.input ? " wrote over its input " + std::to_string(*changed.input)
                                         : " wrote into memory beside its outputs";
  AddDeed(step, {RunCheck::kMemory, 0, DiagnosticCode::kForeignMemoryWritten, what,
                 "found " + DescribePlace(step, changed) +
                     " changed; expected nothing but its outputs to change",
                 kReport});
}

void NetworkChecks::AddLateWrite(std::size_t step, const ChangedByte& changed) {
  AddDeed(step, {RunCheck::kFences, 0, DiagnosticCode::kWrittenLate,
                 " was still writing after it had finished",
                 "found " + DescribePlace(step, changed) +
                     " changed after Execute had returned and its fence, if there is one, had "
                     "passed; expected all to be written by then",
                 kReport});
}

void NetworkChecks::AddDifference(std::size_t step, const RepeatDifference& difference) {
  const TensorInfo& info = GetLayer(step).outputs[difference.output];
  const std::string output =
      "output " + std::to_string(difference.output) + " (" + DescribeTensor(info) + ")";
  const std::string elements = std::to_string(difference.num_elements) + " of " +
                               std::to_string(info.shape.GetNumElements()) +
                               " elements, the first at index " +
                               std::to_string(difference.element);
  if (difference.kind == RepeatDifference::Kind::kNotWritten) {
    AddDeed(step, {RunCheck::kDeterminism, difference.output, DiagnosticCode::kOutputNotWritten,
                   " does not write all of its " + output,
                   "found what the memory had in it before in " + elements +
                       "; expected every element to be written in every run",
                   kReport});
    return;
  }
  AddDeed(step,
          {RunCheck::kDeterminism, difference.output, DiagnosticCode::kNotDeterministic,
           " gave another result in " + output + " when it ran again",
           "found other bits in " + elements + "; expected the same for the same inputs", kReport});
}

// Of several tensors there the one that was made last: that is in use.
std::string NetworkChecks::DescribePlace(std::size_t step, const ChangedByte& changed) const {
  const std::string byte = "byte " + std::to_string(changed.offset_bytes);
  if (changed.input) return byte + " of input " + std::to_string(*changed.input);
  for (std::size_t i = step + 1; i-- > 0;) {
    const PlannedStep& planned = plan_.steps[i];
    for (std::uint32_t output = 0; output < planned.num_outputs; ++output) {
      const PlannedRange& range = plan_.GetTensor(planned.GetOutput(output)).range;
      const bool is_there = range.space == changed.arena &&
                            range.begin_bytes <= changed.offset_bytes &&
                            changed.offset_bytes < range.end_bytes;
      if (is_there) {
        return "byte " + std::to_string(changed.offset_bytes - range.begin_bytes) + " of output " +
               std::to_string(output) + " of " + DescribeLayer(GetLayer(i));
      }
    }
  }
  return byte + " of the memory of the network, where no tensor lies yet,";
}

std::optional<ObservedTensor> NetworkChecks::DescribeOutput(std::size_t step,
                                                            std::uint32_t output) const {
  const PlannedStep& planned = plan_.steps[step];
  const auto& origins = parts_.output_origins[planned.layer];
  if (output >= origins.size() || origins[output].layer == kNoOrigin) return std::nullopt;
  const Layer& layer = GetLayer(step);
  ObservedTensor shown;
  shown.origin = origins[output];
  shown.network = parts_.network.graph.name;
  shown.layer = GetDisplayName(layer.name, layer.id);
  shown.type = layer.type;
  shown.backend_id = GetBackendId(planned);
  shown.info = layer.outputs[output];
  return shown;
}

}  // namespace backplane::execution
