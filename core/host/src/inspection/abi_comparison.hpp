#pragma once

/// Compares ABI notes: those of a file with each other, and one with the host's.

#include <backplane/api/abi_note.hpp>
#include <backplane/host/diagnostic.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace backplane::inspection {

/// What the notes of a file say: pairs of name and value, in words. `notes` must not be empty.
std::vector<std::pair<std::string, std::string>> DescribeNotes(const std::vector<AbiNote>& notes);

/// kMixedHeaders when the notes of a file do not all say the same. Whether translation units have
/// RTTI and exceptions is theirs to choose. `notes` must not be empty.
std::optional<Diagnostic> CompareNotesOfFile(const std::vector<AbiNote>& notes,
                                             const std::string& path);

/// Everything in which a file does not fit the host.
std::vector<Diagnostic> CompareNoteWithHost(const AbiNote& note, const AbiNote& host,
                                            const std::string& path);

}  // namespace backplane::inspection
