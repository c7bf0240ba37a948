#pragma once

#include <backplane/runtime/network_source.hpp>

#include "nodes/node.hpp"

#include <cstdint>
#include <vector>

namespace backplane::onnx {

/// A row of extent_operators.def.
struct ExtentRow;

/// Finds out whether a stage of a run follows the extents of its inputs, as NetworkStage has it.
/// src/extent_operators.def says of which operators that is known. Constants with as many elements
/// as an extent has, such as positions and masks, are recalculated for other extents, and what is
/// made of them is, too.
class FollowedExtents {
 public:
  /// Looks at a node that is about to be converted.
  void Look(Node& node);
  /// Looks at the constants that a node has become.
  void LookAtResults(Node& node);
  /// Nothing of the run is followed any more.
  void End() { follows_ = false; }

  /// Whether a node with constant inputs alone is better a layer: it takes a part of a table of the
  /// file, and the extents of the run say which. As a constant it would be another one for each.
  static bool IsPartOfTable(Node& node);

  /// Says of a stage what the nodes in it have told.
  void Tell(NetworkStage& stage) const;

 private:
  OutputsOfRun LookAtConstants(Node& node, const ExtentRow& row);
  OutputsOfRun LookAtRecalculated(Node& node, const ExtentRow& row);
  void LookAtLayer(Node& node);
  void LookAtSlice(Node& node);
  void LookAtReshape(Node& node);
  void LookAtResult(const Value& value);
  void LookAtGroupQuery(Node& node);
  void LookAtAttention(Node& node);
  /// False: some cannot be pinned.
  bool PinFrom(Node& node, int first);
  void DecideSlice(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t extent);
  /// Notes the elements, with which others the stage would be another one. False: they are many,
  /// reals, or others for other extents.
  bool Pin(const Value& value);
  void Compare(const Value& a, const Value& b);
  void Divide(const Value& a, const Value& b);
  void DecideQuotient(std::int64_t dividend, std::int64_t divisor);
  void DecideRoundedQuotient(std::int64_t dividend, std::int64_t divisor);
  /// Notes a difference, by the sign of which something is decided.
  void Decide(std::int64_t a, std::int64_t b);

  bool follows_ = true;
  std::vector<std::int64_t> decisions_;
  std::vector<std::int64_t> pinned_;
};

}  // namespace backplane::onnx
