#pragma once

#include "bridging/joint.hpp"
#include "bridging/kind_table.hpp"
#include "bridging/part_geometry.hpp"
#include "bridging/shared_memory.hpp"

#include <string>

namespace backplane {

/// Whether the parts of a layer can lie in their whole, by the conditions of JoinParts.
///
/// Ownership: all that it is given must outlive this.
class PartConditions {
 public:
  PartConditions(const BridgedNetwork& network, const NetworkKinds& kinds,
                 const SharedMemory& memory)
      : network_(network), graph_(network.graph), kinds_(kinds), memory_(memory) {}

  /// The condition that does not hold, or "".
  /// Errors: DiagnosticException with kBackendThrew.
  std::string FindReason(const Joint& joint) const;

  /// Whether the core binds a part to a place inside of the whole.
  bool CanBind(OutputSlot whole, OutputSlot part, const PartGeometry& geometry) const;

 private:
  std::string FindReasonOfWhole(const Joint& joint) const;
  std::string FindReasonOfPart(const Joint& joint, OutputSlot part) const;
  std::string FindReasonOfReaders(OutputSlot part, const std::string& name) const;
  std::string FindReasonOfMaker(OutputSlot part, const std::string& name) const;
  std::string FindReasonOfPlace(const Joint& joint, OutputSlot part, std::int64_t begin) const;
  std::string FindReasonOfSubTensor(const TensorInfo& whole, OutputSlot part,
                                    const PartGeometry& geometry) const;
  bool IsMetByOwnerAlone(OutputSlot part, std::uint32_t owner) const;
  bool IsPadded(OutputSlot slot) const;
  KindIndex GetKind(OutputSlot slot) const;
  const std::string& GetId(KindIndex kind) const { return kinds_.table.kinds[kind].id; }
  std::string GetMakerName(OutputSlot slot) const;

  const BridgedNetwork& network_;
  const Graph& graph_;
  const NetworkKinds& kinds_;
  const SharedMemory& memory_;
};

}  // namespace backplane
