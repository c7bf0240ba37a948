#include "files/load_digest_list.hpp"

#include "files/text_file.hpp"
#include "files/trust_diagnostics.hpp"

namespace backplane::files {

LoadedDigestList LoadDigestList(const std::string& path) {
  constexpr std::size_t kMaxBytes = std::size_t{16} << 20U;
  LoadedDigestList loaded;
  const TextFile file = ReadTextFile(path, kMaxBytes);
  loaded.status = file.status;
  if (!file.fault.empty()) {
    loaded.failure = DescribeDigestListUnreadable(path, file.fault);
    return loaded;
  }
  loaded.list.Read(file.text);
  if (!loaded.list.GetFaults().empty()) {
    loaded.failure = DescribeMalformedDigestList(path, loaded.list);
  }
  return loaded;
}

}  // namespace backplane::files
