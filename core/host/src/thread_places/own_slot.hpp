#pragma once

#include "thread_places/place_table.hpp"

namespace backplane::thread_places {

/// The slot of this thread, taken at the first call and given back when the thread ends. With it
/// the thread gets a stack for handlers of signals, unless it has one.
/// Null: no table, no free slot, a thread that ends, or a process that was forked from the one
/// whose table it shares.
ThreadSlot* GetOwnSlot();

}  // namespace backplane::thread_places
