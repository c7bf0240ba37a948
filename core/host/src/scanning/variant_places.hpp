#pragma once

#include "scanning/scan_family.hpp"

#include <backplane/host/scan.hpp>

#include <string>
#include <vector>

namespace backplane::scanning {

/// One backend id, and the families whose current file gives it, in the order in which they are
/// tried.
struct VariantPlace {
  std::string id;
  std::vector<ScanFamily*> contenders;  // without those that are not meant by a pin
};

/// The places of all ids that are known by now, in the order of paths of their first files.
std::vector<VariantPlace> MakePlaces(std::vector<ScanFamily>& families,
                                     const std::vector<VariantPin>& pins);

/// Says of each file that gives a known id and was not used why it was not, and lists the files of
/// each id that has several. `registry` has what is registered.
void ConcludeChoice(std::vector<ScanFamily>& families, const std::vector<VariantPin>& pins,
                    const BackendRegistry& registry, LoadReport& report);

}  // namespace backplane::scanning
