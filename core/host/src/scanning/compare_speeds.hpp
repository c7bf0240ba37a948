#pragma once

#include <backplane/host/load_report.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace backplane::scanning {

/// One file of an id, with what was measured of it.
struct TimedVariant {
  std::string path;
  std::int64_t rank = 0;
  std::vector<NetworkTime> times;        // empty: it was not measured
  std::optional<Diagnostic> fault = {};  // why not
};

/// How much the times of a file vary from process to process, as a ratio, in the mean.
double GetVariation(const std::vector<NetworkTime>& times);

/// How fast the files of an id are, by the networks that ran on all that ran any: the geometric
/// mean of the ratios. Differences of less than 5 %, or of twice what the times of one file vary
/// from process to process, are none. `variants` are in the order that they declare.
VariantSpeeds CompareSpeeds(const std::string& id, const std::vector<TimedVariant>& variants);

}  // namespace backplane::scanning
