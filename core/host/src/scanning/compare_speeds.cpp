#include "scanning/compare_speeds.hpp"

#include "diagnostics/file_words.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace backplane::scanning {
namespace {

using diagnostics::GetFileName;

constexpr double kLeastTolerance = 1.05;

/// Nothing: the network did not run.
std::optional<double> FindTime(const TimedVariant& variant, const std::string& network) {
  for (const NetworkTime& time : variant.times) {
    if (time.network == network && time.time.count() > 0) {
      return static_cast<double>(time.time.count());
    }
  }
  return std::nullopt;
}

bool HasRunAny(const TimedVariant& variant) {
  return std::any_of(variant.times.begin(), variant.times.end(),
                     [](const NetworkTime& time) { return time.time.count() > 0; });
}

std::vector<std::string> FindCommonNetworks(const std::vector<const TimedVariant*>& compared) {
  std::vector<std::string> networks;
  if (compared.empty()) return networks;
  for (const NetworkTime& time : compared.front()->times) {
    const bool is_common = std::all_of(
        compared.begin(), compared.end(),
        [&](const TimedVariant* variant) { return FindTime(*variant, time.network).has_value(); });
    if (is_common) networks.push_back(time.network);
  }
  return networks;
}

/// The logarithm of the geometric mean of its times.
double GetMean(const TimedVariant& variant, const std::vector<std::string>& networks) {
  double sum = 0;
  for (const std::string& network : networks) sum += std::log(*FindTime(variant, network));
  return sum / static_cast<double>(networks.size());
}

void FillRatios(const std::vector<TimedVariant>& variants, VariantSpeeds& speeds) {
  double least = INFINITY;
  for (const TimedVariant& variant : variants) {
    if (HasRunAny(variant)) least = std::min(least, GetMean(variant, speeds.networks));
  }
  for (std::size_t i = 0; i < variants.size(); ++i) {
    if (!HasRunAny(variants[i])) continue;
    speeds.files[i].ratio = std::exp(GetMean(variants[i], speeds.networks) - least);
  }
}

/// "Acme_V4_backend.so (rank 20)".
std::string Name(const VariantSpeed& file) {
  return GetFileName(file.path) + " (rank " + std::to_string(file.rank) + ')';
}

/// "15 % faster", "3.2 times as fast".
std::string DescribeFactor(double factor) {
  const bool is_large = factor >= 2;
  char text[64];
  std::snprintf(text, sizeof(text), is_large ? "%.1f times as fast" : "%.0f %% faster",
                is_large ? factor : (factor - 1) * 100);
  return text;
}

/// Why one comes before another by what they declare.
std::string DescribePrecedence(const VariantSpeed& first, const VariantSpeed& other) {
  return Name(first) + (first.rank > other.rank ? " has the higher rank" : " comes first");
}

/// Of at least two that are compared, in the order that they declare.
void Judge(const std::vector<const VariantSpeed*>& compared, VariantSpeeds& speeds) {
  const auto is_faster = [](const VariantSpeed* a, const VariantSpeed* b) {
    return a->ratio < b->ratio;
  };
  const VariantSpeed& first = *compared.front();
  const VariantSpeed& next =
      **std::min_element(std::next(compared.begin()), compared.end(), is_faster);
  const double factor = first.ratio / next.ratio;
  speeds.truth = factor < speeds.tolerance ? RankTruth::kTrue : RankTruth::kFalse;
  if (speeds.truth == RankTruth::kFalse) {
    speeds.text = DescribePrecedence(first, next) + ", " + Name(next) + " is " +
                  DescribeFactor(factor) + " on this machine";
  } else if (1 / factor < speeds.tolerance) {
    const bool is_least = speeds.tolerance == kLeastTolerance;
    speeds.text = DescribePrecedence(first, next) + ", " + Name(next) +
                  " is as fast on this machine: the times differ by less than " +
                  (is_least ? "5 %" : "they vary, which is much: other work goes on");
  } else {
    speeds.text = DescribePrecedence(first, next) + ", and is " + DescribeFactor(1 / factor) +
                  (1 / factor < 2 ? " than " : " as ") + Name(next) + " on this machine";
  }
}

std::string DescribeNothing(const VariantSpeeds& speeds, std::size_t num_timed) {
  if (speeds.files.size() == 1) {
    return "there is nothing to compare: only " + GetFileName(speeds.files[0].path) +
           " can be used";
  }
  if (num_timed < 2) return "there is nothing to compare: fewer than two files were measured";
  return "there is nothing to compare: no network ran on all of the files";
}

}  // namespace

double GetVariation(const std::vector<NetworkTime>& times) {
  double sum = 0;
  int count = 0;
  for (const NetworkTime& time : times) {
    if (time.time.count() == 0 || time.again.count() == 0) continue;
    sum +=
        std::log(static_cast<double>(time.again.count()) / static_cast<double>(time.time.count()));
    ++count;
  }
  return count == 0 ? 1 : std::exp(sum / count);
}

VariantSpeeds CompareSpeeds(const std::string& id, const std::vector<TimedVariant>& variants) {
  VariantSpeeds speeds;
  speeds.id = id;
  std::vector<const TimedVariant*> timed;
  for (const TimedVariant& variant : variants) {
    speeds.files.push_back({variant.path, variant.rank, 0, variant.fault});
    if (HasRunAny(variant)) timed.push_back(&variant);
  }
  speeds.networks = FindCommonNetworks(timed);
  speeds.tolerance = kLeastTolerance;
  for (const TimedVariant* variant : timed) {
    // The shortest time may be as far from what is possible as the next is from it.
    const double variation = GetVariation(variant->times);
    speeds.tolerance = std::max(speeds.tolerance, variation * variation);
  }
  if (!speeds.networks.empty()) FillRatios(variants, speeds);
  std::vector<const VariantSpeed*> compared;
  for (const VariantSpeed& file : speeds.files) {
    if (file.ratio > 0) compared.push_back(&file);
  }
  if (compared.size() < 2) {
    speeds.text = DescribeNothing(speeds, timed.size());
  } else {
    Judge(compared, speeds);
  }
  return speeds;
}

}  // namespace backplane::scanning
