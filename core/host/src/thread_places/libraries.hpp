#pragma once

#include "thread_places/place_table.hpp"

namespace backplane::thread_places {

/// The library or program in which an address lies, as NoteLibraries saw it last.
/// Null: it lies in none. [async-signal-safe]
const LibraryRange* FindLibrary(const PlaceTable& table, std::uint64_t address);

}  // namespace backplane::thread_places
