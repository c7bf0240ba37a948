#pragma once

#include "files/digest_list.hpp"
#include "files/trust_policy.hpp"

#include <backplane/host/diagnostic.hpp>

#include <string>
#include <vector>

namespace backplane::files {

/// One diagnostic for each code among the findings about a file, in the order of their numbers.
std::vector<Diagnostic> DescribeFindings(const std::string& path,
                                         const std::vector<Finding>& findings, const User& user);

/// The way to the file could not be gone again as it was gone when the file was opened.
Diagnostic DescribePathNotChecked(const std::string& path, const std::string& reason);

/// Where allowed digests are listed.
struct DigestPlaces {
  std::string list;                   // as sha256sum writes it; "" when there is none
  std::vector<std::string> drop_ins;  // with lines "digest = "
};

/// `list` has the digests of all places; `canonical_path` is where the file is.
Diagnostic DescribeDigestNotListed(const std::string& path, const std::string& canonical_path,
                                   const std::string& digest, const DigestPlaces& places,
                                   const DigestList& list);

Diagnostic DescribeDigestListUnreadable(const std::string& list_path, const std::string& reason);

/// Each line that cannot be read is a cause.
Diagnostic DescribeMalformedDigestList(const std::string& list_path, const DigestList& list);

}  // namespace backplane::files
