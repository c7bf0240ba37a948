#include "stages/batched_scan.hpp"

#include "diagnostics/throw_diagnostic.hpp"
#include "stages/stage_shapes.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace backplane::onnx {
namespace {

using StageValues = std::vector<StageValue>;

class BatchedScan final : public IStageOperation {
 public:
  BatchedScan(std::shared_ptr<const IStageOperation> scan, const BatchedScanCounts& counts)
      : scan_(std::move(scan)), counts_(counts) {}

  const std::string& GetDescription() const override { return scan_->GetDescription(); }

  StageValues Run(const StageValues& inputs, IStageRunner& runner) const override {
    const std::size_t first_scanned = 1 + counts_.carried;
    const std::size_t num_batched = first_scanned + counts_.scanned;
    for (std::size_t i = 1; i < num_batched; ++i) {
      const std::uint32_t least_rank = i < first_scanned ? 1 : 2;
      const StageValue& input = inputs[i];
      if (input.kind == StageValue::Kind::kTensor && input.info.shape.rank >= least_rank &&
          input.info.shape[0] == inputs[1].info.shape[0]) {
        continue;
      }
      Refuse("input " + std::to_string(i) + " of another shape",
             "the batch as first axis, the same for all" +
                 std::string(least_rank > 1 ? ", and an axis to scan" : ""));
    }
    const std::int64_t num_entries = inputs[1].info.shape[0];
    if (num_entries < 1) Refuse("an empty batch", "at least one entry");
    const std::int64_t num_indices = inputs[first_scanned].info.shape[1];
    for (std::size_t i = first_scanned; i < num_batched; ++i) {
      if (inputs[i].info.shape[1] == num_indices) continue;
      Refuse("inputs with " + std::to_string(num_indices) + " and " +
                 std::to_string(inputs[i].info.shape[1]) + " indices to scan",
             "as many in each");
    }
    const std::vector<std::int64_t> rounds = ReadRounds(inputs[0], num_entries, num_indices);
    std::vector<StageValues> results;  // for each output, of each entry
    for (std::int64_t entry = 0; entry < num_entries; ++entry) {
      StageValues given;
      for (std::size_t i = 1; i < num_batched; ++i) {
        StageValue part = TakeStagePart(inputs[i], 0, entry, 1, runner);
        part.info.shape = WithoutAxis(part.info.shape, 0);
        if (i >= first_scanned) {
          part = TakeStagePart(part, 0, 0, rounds[static_cast<std::size_t>(entry)], runner);
        }
        given.push_back(std::move(part));
      }
      given.insert(given.end(), inputs.begin() + static_cast<std::ptrdiff_t>(num_batched),
                   inputs.end());
      StageValues made = scan_->Run(given, runner);
      results.resize(made.size());
      for (std::size_t i = 0; i < made.size(); ++i) {
        if (made[i].kind != StageValue::Kind::kTensor) Refuse("no tensor as a result", "one");
        if (made[i].info.shape.rank == kMaxRank) {
          Refuse("a result of rank " + std::to_string(kMaxRank),
                 "a lower one: a batch of them has an axis more");
        }
        if (i >= counts_.carried) made[i] = Lengthen(made[i], num_indices, runner);
        made[i].info.shape = WithAxis(made[i].info.shape, 0);
        results[i].push_back(std::move(made[i]));
      }
    }
    return Join(results, runner);
  }

 private:
  std::vector<std::int64_t> ReadRounds(const StageValue& lengths, std::int64_t num_entries,
                                       std::int64_t num_indices) const {
    std::vector<std::int64_t> rounds(static_cast<std::size_t>(num_entries), num_indices);
    if (lengths.kind == StageValue::Kind::kNone) return rounds;
    const bool is_right = lengths.kind == StageValue::Kind::kTensor &&
                          lengths.info.data_type == DataType::kInt64 &&
                          lengths.info.shape.GetNumElements() == num_entries;
    if (!is_right) Refuse("other lengths of sequences", "an int64 for each batch entry");
    std::memcpy(rounds.data(), lengths.data.get(), rounds.size() * sizeof(rounds[0]));
    for (const std::int64_t length : rounds) {
      if (length >= 0 && length <= num_indices) continue;
      Refuse("a length of " + std::to_string(length), "0 to " + std::to_string(num_indices));
    }
    return rounds;
  }

  static StageValue Lengthen(const StageValue& value, std::int64_t extent, IStageRunner& runner) {
    const std::int64_t missing = extent - value.info.shape[0];
    if (missing == 0) return value;
    TensorInfo info = value.info;
    info.shape[0] = missing;
    const std::shared_ptr<void> zeros = runner.Allocate(info.GetSizeBytes());
    std::memset(zeros.get(), 0, info.GetSizeBytes());
    return JoinStageTensors({value, MakeStageTensor(info, zeros)}, 0, runner);
  }

  StageValues Join(const std::vector<StageValues>& results, IStageRunner& runner) const {
    StageValues joined;
    for (const StageValues& entries : results) {
      for (const StageValue& entry : entries) {
        if (!CanBeJoined(entries[0].info, entry.info, 0)) {
          Refuse("results of other shapes in another entry of the batch", "the same in all");
        }
      }
      joined.push_back(JoinStageTensors(entries, 0, runner));
    }
    return joined;
  }

  [[noreturn]] void Refuse(const std::string& found, const std::string& expected) const {
    ThrowError(DiagnosticCode::kStageFailed, {SubjectKind::kLayer, GetDescription()},
               GetDescription() + " cannot be run", "found " + found + "; expected " + expected,
               "correct the model, or give other data");
  }

  const std::shared_ptr<const IStageOperation> scan_;
  const BatchedScanCounts counts_;
};

}  // namespace

std::shared_ptr<const IStageOperation> MakeBatchedScan(std::shared_ptr<const IStageOperation> scan,
                                                       const BatchedScanCounts& counts) {
  return std::make_shared<BatchedScan>(std::move(scan), counts);
}

}  // namespace backplane::onnx
