#include "scanning/variant_places.hpp"

#include "diagnostics/file_words.hpp"
#include "files/backend_file_name.hpp"
#include "scanning/describe_choice.hpp"
#include "scanning/variant_pins.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace backplane::scanning {
namespace {

/// One file that gives an id.
struct PlacedFile {
  ScanFamily* family = nullptr;
  Examination* examination = nullptr;
};

/// Files by the ids that they give, both in the order of paths.
class FilesOfIds {
 public:
  void Add(const PlacedFile& file) {
    const auto& identity = file.examination->candidate.identity;
    if (!identity || identity->id.empty()) return;
    const auto [place, is_new] = places_.emplace(identity->id, ids_.size());
    if (is_new) ids_.emplace_back(identity->id, std::vector<PlacedFile>());
    ids_[place->second].second.push_back(file);
  }

  const std::vector<std::pair<std::string, std::vector<PlacedFile>>>& Get() const { return ids_; }

 private:
  std::unordered_map<std::string_view, std::size_t> places_;  // in `ids_`
  std::vector<std::pair<std::string, std::vector<PlacedFile>>> ids_;
};

std::vector<Variant> DescribeAll(const std::vector<PlacedFile>& files) {
  std::vector<Variant> described;
  for (const PlacedFile& file : files) {
    described.push_back(DescribeVariant(*file.family, file.examination->candidate));
  }
  return described;
}

std::vector<Standing> Order(const std::vector<PlacedFile>& files) {
  if (files.size() == 1) return {Standing{}};
  return OrderVariants(DescribeAll(files));
}

bool IsUsed(const Candidate& candidate) {
  return candidate.status == CandidateStatus::kLoaded ||
         candidate.status == CandidateStatus::kInspected;
}

/// Whether an id has one file, which is used, so that there is nothing to say.
bool IsAlone(const std::vector<PlacedFile>& files) {
  const Examination& first = *files.front().examination;
  return files.size() == 1 && first.is_finished && IsUsed(first.candidate);
}

/// What came of one id: says so in each of its files.
class Conclusion {
 public:
  Conclusion(const std::string& id, const std::vector<PlacedFile>& files,
             const std::vector<VariantPin>& pins)
      : id_(id),
        files_(files),
        pins_(SelectPins(pins, id)),
        described_(DescribeAll(files)),
        order_(OrderVariants(described_)) {
    for (std::size_t i = 0; i < order_.size() && !chosen_; ++i) {
      if (IsUsed(GetFile(order_[i]).candidate) && GetFile(order_[i]).is_finished) chosen_ = i;
    }
  }

  bool HasChosen() const { return chosen_.has_value(); }

  /// Behind the file that is used; there is one.
  void Explain() {
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (i != *chosen_) ExplainOther(order_[i]);
    }
    ExplainChosen();
  }

  /// Behind what was registered before the scan.
  void StandBackBehind(const std::string& holder) {
    const auto name = files::ParseBackendFileName(diagnostics::GetFileName(holder));
    for (const Standing& standing : order_) {
      Examination& file = GetFile(standing);
      const std::string& vendor = files_[standing.index].family->planned->vendor;
      if (file.is_finished) {
        if (IsForAnotherCpu(file.candidate)) {
          TurnIntoShadowed(id_, holder, file.candidate);
        }
      } else if (name && name->vendor != vendor) {
        Reject(file, vendor, holder, name->vendor);
      } else {
        StandBack(file, holder,
                  name ? "it was registered before" : "it is linked into the program");
      }
    }
  }

  /// Of an id whose pin cannot be followed; nothing else does.
  std::optional<Diagnostic> RejectUnpinned() {
    if (pins_.empty() || chosen_) return std::nullopt;
    std::vector<const Candidate*> candidates;
    for (const Standing& standing : order_) candidates.push_back(&GetFile(standing).candidate);
    Diagnostic unmet = DescribeUnmetPin(id_, pins_, candidates);
    for (const Standing& standing : order_) {
      Examination& file = GetFile(standing);
      if (file.is_finished) continue;
      StandBack(file, "", DescribePins());
    }
    return unmet;
  }

  VariantSet List() const {
    VariantSet set{id_, {}};
    for (const Standing& standing : order_) set.files.push_back(GetFile(standing).candidate.path);
    return set;
  }

 private:
  Examination& GetFile(const Standing& standing) const {
    return *files_[standing.index].examination;
  }

  std::string DescribePins() const { return "the backend is to be " + NamePinned(pins_); }

  /// One that was opened to know its id is closed again.
  static void BeginAnew(Examination& file) {
    file.opened.reset();
    file.ladder.ForgetFrom(Stage::kRegister);
    file.ladder.Begin(Stage::kRegister);
  }

  void StandBack(Examination& file, const std::string& chosen, const std::string& why) const {
    file.candidate.shadowed_by = chosen;
    BeginAnew(file);
    file.ladder.Report(
        DescribeNotChosen(id_, file.candidate.path, chosen.empty() ? "none" : chosen, why));
    file.Finish(CandidateStatus::kShadowed);
  }

  void Reject(Examination& file, const std::string& vendor, const std::string& chosen,
              const std::string& chosen_vendor) const {
    BeginAnew(file);
    file.ladder.Report(DescribeForeignId(id_, file.candidate.path, vendor, chosen, chosen_vendor));
    file.Finish(CandidateStatus::kRejected);
  }

  void ExplainOther(const Standing& standing) {
    Examination& file = GetFile(standing);
    const Standing& chosen = order_[*chosen_];
    const std::string& path = GetFile(chosen).candidate.path;
    const Variant& variant = described_[standing.index];
    const Variant& best = described_[chosen.index];
    if (file.is_finished) {
      const bool stands_back = IsForAnotherCpu(file.candidate) && variant.vendor == best.vendor;
      if (stands_back) TurnIntoShadowed(id_, path, file.candidate);
    } else if (!IsMeant(pins_, file.candidate)) {
      StandBack(file, path, DescribePins());
    } else if (standing.replaced_by) {
      const std::string& first = files_[*standing.replaced_by].examination->candidate.path;
      StandBack(file, path, first + " has the same name and is in an earlier directory");
    } else if (variant.vendor != best.vendor) {
      Reject(file, variant.vendor, path, best.vendor);
    } else {
      StandBack(file, path, DescribeDecision(best, diagnostics::GetFileName(path), variant));
    }
  }

  void ExplainChosen() {
    std::vector<const Candidate*> before;
    const std::string& vendor = described_[order_[*chosen_].index].vendor;
    for (std::size_t i = 0; i < *chosen_; ++i) {
      const Candidate& candidate = GetFile(order_[i]).candidate;
      const bool has_failed = candidate.status == CandidateStatus::kRejected ||
                              candidate.status == CandidateStatus::kUnavailable;
      if (has_failed && described_[order_[i].index].vendor == vendor && IsMeant(pins_, candidate)) {
        before.push_back(&candidate);
      }
    }
    if (before.empty()) return;
    Candidate& chosen = GetFile(order_[*chosen_]).candidate;
    chosen.diagnostics.push_back(DescribeStandIn(id_, chosen.path, before));
  }

  const std::string& id_;
  const std::vector<PlacedFile>& files_;
  const std::vector<VariantPin> pins_;
  const std::vector<Variant> described_;
  const std::vector<Standing> order_;
  std::optional<std::size_t> chosen_;  // in order_
};

/// Of pins for ids that no file gives.
void ReportPinsOfNothing(const std::vector<VariantPin>& pins, const FilesOfIds& files,
                         LoadReport& report) {
  for (const VariantPin& pin : pins) {
    const bool is_given = std::any_of(files.Get().begin(), files.Get().end(),
                                      [&](const auto& entry) { return entry.first == pin.id; });
    const bool is_told =
        std::any_of(report.diagnostics.begin(), report.diagnostics.end(),
                    [&](const Diagnostic& told) { return told.subject.name == pin.id; });
    if (is_given || is_told) continue;
    report.diagnostics.push_back(DescribeUnmetPin(pin.id, SelectPins(pins, pin.id), {}));
  }
}

}  // namespace

std::vector<VariantPlace> MakePlaces(std::vector<ScanFamily>& families,
                                     const std::vector<VariantPin>& pins) {
  FilesOfIds files;
  for (ScanFamily& family : families) {
    if (Examination* current = family.GetCurrent()) files.Add({&family, current});
  }
  std::vector<VariantPlace> places;
  for (const auto& [id, placed] : files.Get()) {
    const auto pins_of_id = SelectPins(pins, id);
    VariantPlace& place = places.emplace_back();
    place.id = id;
    for (const Standing& standing : Order(placed)) {
      const PlacedFile& file = placed[standing.index];
      if (IsMeant(pins_of_id, file.examination->candidate)) {
        place.contenders.push_back(file.family);
      }
    }
  }
  return places;
}

void ConcludeChoice(std::vector<ScanFamily>& families, const std::vector<VariantPin>& pins,
                    const BackendRegistry& registry, LoadReport& report) {
  FilesOfIds files;
  for (ScanFamily& family : families) {
    for (const auto& examination : family.files) files.Add({&family, examination.get()});
  }
  for (const auto& [id, placed] : files.Get()) {
    if (IsAlone(placed)) continue;
    Conclusion conclusion(id, placed, pins);
    if (conclusion.HasChosen()) {
      conclusion.Explain();
    } else if (registry.IsBackendRegistered(id)) {
      conclusion.StandBackBehind(registry.GetRegistration(id).source);
    }
    if (auto unmet = conclusion.RejectUnpinned()) report.diagnostics.push_back(std::move(*unmet));
    if (placed.size() > 1) report.variants.push_back(conclusion.List());
  }
  ReportPinsOfNothing(pins, files, report);
}

}  // namespace backplane::scanning
