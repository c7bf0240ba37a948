#pragma once

/// The functions of a lying backend, and its table.

#include "lying_objects.hpp"

#include <backplane/c/backend.h>

namespace backplane::fuzz {

/// The table as the lies make it; null where they say so. Stays until the next call.
const bp_backend* MakeLyingTable();

/// Kinds of tensor memory: what is listed, and the functions of the table.
bp_status ListKinds(const bp_host& host, bp_sink* sink, bp_error* error);
void AddMemoryFunctions(bp_backend& table);

/// What `describe` lists.
bp_status Describe(bp_instance* instance, const bp_describe_args* args, bp_sink* sink,
                   bp_error* error);

/// Adds an item to a list, or something else in place of it.
bp_status AddItem(const bp_host& host, bp_sink* sink, std::uint32_t item, const void* content,
                  bp_error* error);

/// Layers: what is supported, inferred, compiled and run.
void AddLayerFunctions(bp_backend& table);

/// Asks for what makes no sense. Null: `offer`, for none.
void AskNonsense(const bp_host& host, const bp_log* log, bp_offer* offer);

}  // namespace backplane::fuzz
