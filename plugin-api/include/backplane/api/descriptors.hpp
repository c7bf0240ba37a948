#pragma once

/// All layer descriptors: the table of layers includes the header of each.

#include <backplane/api/descriptor.hpp>

#define BACKPLANE_OPERATOR(...)
#define BACKPLANE_CORE_LAYER(...)
#include <backplane/api/layers.def>
#undef BACKPLANE_OPERATOR
#undef BACKPLANE_CORE_LAYER
