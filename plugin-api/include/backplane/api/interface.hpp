#pragma once

/// How the interfaces between host and backends are declared.

// Their objects come from the other side too. A compiler that sees the whole of a backend at once
// must not conclude that the classes it sees are all there are, nor check that the others are its
// own.
#if defined(__clang__)
#define BACKPLANE_INTERFACE [[clang::lto_visibility_public]]
#else
#define BACKPLANE_INTERFACE
#endif
