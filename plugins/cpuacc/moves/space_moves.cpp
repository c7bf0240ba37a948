#include "moves/space_moves.hpp"

namespace backplane {
namespace cpuacc {

std::vector<Move> MakeSpaceMoves(const cpu_layers::BatchSpace& sides,
                                 cpu_layers::BatchSpace::Direction direction,
                                 std::size_t element_bytes) {
  std::vector<Move> moves;
  for (std::int64_t place = 0; place < sides.CountPlaces(); ++place) {
    moves.push_back({sides.MakeCopy(place, direction, element_bytes)});
  }
  return moves;
}

}  // namespace cpuacc
}  // namespace backplane
