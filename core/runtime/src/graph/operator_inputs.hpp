#pragma once

#include "graph/graph.hpp"
#include "graph/layer_error.hpp"
#include "graph/type_set.hpp"

#include <backplane/api/tensor_info.hpp>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace backplane {

/// The inputs of an operator that is being added, with the checks that several operators share.
/// Every check throws a DiagnosticException that names the layer, what was found, and what was
/// expected. Roles are words for messages: "the input", "the weights".
class OperatorInputs {
 public:
  /// Borrows both; the number of inputs fits the row of the operator.
  OperatorInputs(const Layer& layer, std::vector<const TensorInfo*> infos)
      : layer_(layer), infos_(std::move(infos)) {}

  const TensorInfo& operator[](std::size_t input) const { return *infos_[input]; }
  std::size_t Size() const { return infos_.size(); }

  /// kWrongRank. `layout` says what the axes are, for example "[N, C, spatial...]".
  void RequireRank(std::size_t input, const char* role, std::uint32_t rank,
                   const char* layout) const;
  /// kWrongRank.
  void RequireRankAtLeast(std::size_t input, const char* role, std::uint32_t rank) const;
  /// kWrongShape. `meaning` says where the expected extent comes from.
  void RequireExtent(std::size_t input, const char* role, std::uint32_t axis, std::int64_t expected,
                     const std::string& meaning) const;
  /// kWrongDataType when an input has another type than the one that it is compared with.
  void RequireDataTypeOf(std::size_t reference, std::size_t input) const;

  /// kWrongShape unless the groups, of which there is at least one, divide the channels of the
  /// first input, [N, C, ...]. `field` has their number.
  void RequireGroupsOfChannels(const char* field, std::uint32_t groups) const;

  /// kInvalidDescriptor when the axis is not one of the first input's.
  void RequireAxis(std::uint32_t axis) const;
  /// The same; kWrongRank when that has no axes at all.
  void RequireAxisOfInput(std::uint32_t axis) const {
    RequireRankAtLeast(0, "the input", 1);
    RequireAxis(axis);
  }
  /// kInvalidDescriptor when a field that is 0 or 1 is neither.
  void RequireFlag(const char* field, std::uint32_t value) const;
  /// kInvalidDescriptor when the field is 0.
  void RequirePositive(const std::string& field, std::int64_t value) const;
  /// kInvalidDescriptor when the field is infinite or not a number.
  void RequireFinite(const std::string& field, double value) const;

  /// kInvalidDescriptor when a field is a data type that is none of these.
  void RequireDataType(const char* field, DataType value, TypeSet accepted) const;
  /// kInvalidDescriptor unless the value of a field is one of those that its enumeration has.
  /// `expected` lists these as users write them: "Upper or Lower".
  template <typename Enumeration>
  void RequireKnown(const std::string& field, Enumeration value,
                    std::initializer_list<Enumeration> known, const char* expected) const {
    if (std::find(known.begin(), known.end(), value) != known.end()) return;
    Fail(DiagnosticCode::kInvalidDescriptor, field + " is not known",
         "found number " + std::to_string(static_cast<std::uint32_t>(value)) + "; expected " +
             expected,
         "set " + field + " to one of these");
  }

  [[noreturn]] void Fail(DiagnosticCode code, const std::string& problem, const std::string& why,
                         const std::string& fix) const {
    ThrowLayerError(layer_, code, problem, why, fix);
  }

 private:
  const Layer& layer_;
  std::vector<const TensorInfo*> infos_;
};

}  // namespace backplane
