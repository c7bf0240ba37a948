#pragma once

#include "crash_notes/machine_context.hpp"
#include "thread_places/place_table.hpp"
#include "thread_places/place_text.hpp"

namespace backplane::crash_notes {

/// Adds the library whose code ran, and the backend from which it was called, as far as what lies
/// on the stack tells: `, in libc.so.6, called from Acme_Npu_backend.so`.
/// [async-signal-safe] [one at a time]
void AddCulprit(const thread_places::PlaceTable& table, const MachineContext& context,
                thread_places::SmallText& text);

/// Whether an address that could not be reached lies where the stack would have grown.
/// [async-signal-safe]
bool IsBelowStack(const MachineContext& context, std::uint64_t address);

}  // namespace backplane::crash_notes
