#pragma once

namespace bench {

/// Prints how long the choice of tensor memory takes for networks of 5,000 layers, on three
/// backends of four kinds each: the least processor time of several.
void PrintChoiceTimes();

}  // namespace bench
