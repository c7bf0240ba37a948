#pragma once

/// All that a backend needs, in one include.

#include <backplane/api/entry_points.hpp>
#include <backplane/api/manifest.hpp>
