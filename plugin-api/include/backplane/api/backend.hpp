#pragma once

/// All that a backend needs, in one include.
///
/// The comment of each function has a tag that says when it is called, so that the headers can be
/// searched for it:
/// - `[any thread]`: by several threads at once, also on one object;
/// - `[one at a time]`: by any thread, but calls on one object never overlap;
/// - `[during F]`: only from within a call of F, on the thread of that call;
/// - `[after F]`, beside one of the others: only when F has succeeded, on this object or on the one
///   that it belongs to.
///
/// `Conformance:` names rules of docs/CONFORMANCE.md, by which check-backend holds the file of a
/// backend against what the function promises.

#include <backplane/api/entry_points.hpp>
#include <backplane/api/manifest.hpp>
