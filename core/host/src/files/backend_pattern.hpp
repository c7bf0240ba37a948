#pragma once

#include <string>

namespace backplane::files {

/// Whether a rule about backends, an id or a glob of ids or of file names, means a backend.
/// `id` is empty as long as only the file is known.
bool MeansIdOrFile(const std::string& pattern, const std::string& id, const std::string& file_name);

/// The same for a rule that takes something from a backend. It also means the file that has the id
/// as its name, <vendor>_<id>_backend.so, so that a backend cannot leave the rule by giving another
/// id.
bool RestrictsBackend(const std::string& pattern, const std::string& id,
                      const std::string& file_name);

}  // namespace backplane::files
