#include "scanning/measure_variants.hpp"

#include "diagnostics/file_words.hpp"
#include "isolation/isolation_rules.hpp"
#include "probing/probe_file.hpp"
#include "probing/verdict_cache.hpp"
#include "scanning/compare_speeds.hpp"
#include "scanning/variant_places.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace backplane::scanning {
namespace {

// They take turns, so that what else goes on in the machine meets all of them, until each has been
// as fast twice.
constexpr int kLeastRounds = 5;
constexpr int kMostRounds = 12;
constexpr double kSteady = 1.02;

/// One file that is compared with others.
struct Contender {
  ScanFamily* family = nullptr;
  Examination* file = nullptr;
  TimedVariant timed = {};
  std::optional<probing::ProbeVerdict> verdict = {};  // with the shortest times; nothing: not run
};

std::vector<Contender> SelectContenders(const VariantPlace& place) {
  std::vector<Contender> selected;
  std::string vendor;
  for (ScanFamily* family : place.contenders) {
    Examination* file = family->GetCurrent();
    if (file == nullptr || file->is_finished) continue;
    const Variant variant = DescribeVariant(*family, file->candidate);
    if (selected.empty()) vendor = variant.vendor;
    if (variant.vendor != vendor) continue;
    selected.push_back({family, file, {file->candidate.path, variant.rank, {}}});
  }
  return selected;
}

Diagnostic DescribeNotMeasured(const std::string& path, std::string why, std::string fix) {
  return diagnostics::DescribeFile(DiagnosticCode::kVariantNotMeasured, path, "was not measured",
                                   std::move(why), std::move(fix), Severity::kNote);
}

Diagnostic DescribeFailedMeasuring(const std::string& path, const Candidate& outcome) {
  const Diagnostic* reason = GetHeadline(outcome);
  std::string why = reason != nullptr ? reason->what + ": " + reason->why : "";
  if (reason != nullptr && reason->code == DiagnosticCode::kProbeNotStarted) {
    return DescribeNotMeasured(
        path, std::move(why),
        "see that backplane-measure is installed beside backplane-probe and can be executed");
  }
  return diagnostics::DescribeFile(
      DiagnosticCode::kFailedWhileMeasured, path, "failed while it was measured", std::move(why),
      "send this text to its vendor; until then use another file (--variant or "
      "CreationOptions::variants), or allow more time (list-backends --timeout S)",
      Severity::kWarning);
}

/// Keeps the two shortest times of each network.
void Merge(const std::vector<NetworkTime>& before, std::vector<NetworkTime>& times) {
  for (NetworkTime& time : times) {
    const auto same = std::find_if(before.begin(), before.end(), [&](const NetworkTime& other) {
      return other.network == time.network && other.refusal.empty();
    });
    if (same == before.end() || !time.refusal.empty()) continue;
    time.again = std::max(time.time, same->time);
    if (same->again.count() != 0) time.again = std::min(time.again, same->again);
    time.time = std::min(time.time, same->time);
  }
}

bool IsSteady(const Contender& contender) {
  return GetVariation(contender.timed.times) < kSteady;
}

class Stopwatch {
 public:
  Stopwatch(const ScanOptions& options, const CandidateChecker& checker)
      : options_(options),
        checker_(checker),
        kept_(options.probe_settings, probing::ProbeDepth::kMeasure) {}

  VariantSpeeds Compare(const VariantPlace& place) const {
    std::vector<Contender> contenders = SelectContenders(place);
    if (contenders.size() > 1) Measure(contenders);
    std::vector<TimedVariant> timed;
    for (Contender& contender : contenders) timed.push_back(contender.timed);
    VariantSpeeds speeds = CompareSpeeds(place.id, timed);
    if (options_.variant_times == VariantTimes::kOrder) Order(contenders, speeds);
    return speeds;
  }

 private:
  void Measure(std::vector<Contender>& contenders) const {
    for (Contender& contender : contenders) contender.file->Contain([&] { TakeKept(contender); });
    for (int round = 0; round < kMostRounds && options_.probe == ProbeMode::kChild; ++round) {
      for (Contender& contender : contenders) contender.file->Contain([&] { Run(contender); });
      const bool is_enough = round + 1 >= kLeastRounds;
      if (is_enough && std::all_of(contenders.begin(), contenders.end(), IsSteady)) break;
    }
    for (Contender& contender : contenders) {
      TimedVariant& timed = contender.timed;
      contender.file->CloseFile();
      contender.file->candidate.times = timed.times;
      if (contender.verdict) {
        kept_.Store(kept_.Describe(*contender.file->file, timed.path), *contender.verdict);
      }
      if (timed.times.empty() && !timed.fault) {
        timed.fault = DescribeNotMeasured(
            timed.path,
            "no times of this file as it is are kept, and none are measured here: no processes are "
            "started for backends",
            "run list-backends --rank as this user, which measures and keeps them, or let backends "
            "run in a child process");
      }
    }
  }

  void TakeKept(Contender& contender) const {
    if (!checker_.OpenAgain(*contender.file)) return;
    auto record = kept_.Find(kept_.Describe(*contender.file->file, contender.timed.path));
    if (record) contender.timed.times = std::move(record->candidate.times);
  }

  probing::SandboxPlan PlanSandbox(const Contender& contender) const {
    const auto& identity = contender.file->candidate.identity;
    return isolation::PlanSandbox(options_, identity ? &*identity : nullptr, contender.timed.path);
  }

  /// Does nothing for one that is kept, or has failed.
  void Run(Contender& contender) const {
    TimedVariant& timed = contender.timed;
    const bool is_kept = !contender.verdict && !timed.times.empty();
    if (is_kept || timed.fault || contender.file->is_finished) return;
    auto verdict = probing::ProbeFile(*contender.file->file, timed.path,
                                      probing::ProbeDepth::kMeasure, std::nullopt,
                                      {options_.probe_settings, PlanSandbox(contender)}, nullptr);
    if (verdict.candidate.status == CandidateStatus::kLoaded) {
      Merge(timed.times, verdict.candidate.times);
      timed.times = verdict.candidate.times;
      contender.verdict = std::move(verdict);
    } else {
      timed.fault = DescribeFailedMeasuring(timed.path, verdict.candidate);
      timed.times.clear();
      contender.verdict.reset();
    }
  }

  static bool IsKnown(const VariantSpeed& file) {
    return file.ratio > 0 ||
           (file.fault && file.fault->code == DiagnosticCode::kFailedWhileMeasured);
  }

  static void Order(const std::vector<Contender>& contenders, VariantSpeeds& speeds) {
    const bool is_complete =
        std::all_of(speeds.files.begin(), speeds.files.end(), IsKnown) && !speeds.networks.empty();
    if (!is_complete) {
      if (contenders.size() > 1) speeds.text += "; what the files declare decides which is used";
      return;
    }
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      const double ratio = speeds.files[i].ratio;
      const double percent = ratio < speeds.tolerance && ratio > 0 ? 100 : ratio * 100;
      contenders[i].family->time_percent = static_cast<std::uint32_t>(std::lround(percent));
    }
  }

  const ScanOptions& options_;
  const CandidateChecker& checker_;
  const probing::VerdictCache kept_;
};

}  // namespace

void MeasureVariants(std::vector<ScanFamily>& families, const ScanOptions& options,
                     const CandidateChecker& checker, const BackendRegistry& registry,
                     std::vector<VariantSpeeds>& speeds) {
  if (options.variant_times == VariantTimes::kNone) return;
  const Stopwatch stopwatch(options, checker);
  for (const VariantPlace& place : MakePlaces(families, options.variants)) {
    if (registry.IsBackendRegistered(place.id)) continue;
    VariantSpeeds compared = stopwatch.Compare(place);
    if (!compared.files.empty()) speeds.push_back(std::move(compared));
  }
}

}  // namespace backplane::scanning
