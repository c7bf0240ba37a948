#pragma once

/// The operators that can be imported, from the tables operators.def, microsoft_operators.def and
/// preview_operators.def, and those that are refused with a reason, from refused_operators.def,
/// refused_microsoft_operators.def and refused_domains.def.

#include <backplane/host/diagnostic.hpp>

#include <string>
#include <vector>

namespace backplane::onnx {

class Node;

constexpr const char* kMicrosoftDomain = "com.microsoft";
constexpr const char* kPreviewDomain = "ai.onnx.preview";

/// Adds the layers of one node to the network.
using ConvertFunction = void (*)(Node&);

/// Null when the operator is not in the tables. The default domain is "".
ConvertFunction FindConverter(const std::string& domain, const std::string& op_type);

/// Converts a node by a function of the tables.
/// Errors: those of the function; kUnsupportedAttribute for attributes and inputs that it did not
/// read.
void ConvertByTable(Node& node, ConvertFunction convert);

/// Why an operator that is known cannot be imported.
struct RefusedOperator {
  const char* domain;
  const char* op_type;  // "" for all of the domain
  DiagnosticCode code;
  const char* reason;  // follows "it"
};

/// Null when neither the operator nor its domain is in a table.
const RefusedOperator* FindRefused(const std::string& domain, const std::string& op_type);

/// Those of the default domain.
std::vector<std::string> GetSupportedOperators();

#define BACKPLANE_ONNX_OPERATOR(family, op) void Convert##op(Node& node);
#include "operators.def"
#undef BACKPLANE_ONNX_OPERATOR

#define BACKPLANE_MICROSOFT_OPERATOR(family, op) void ConvertMicrosoft##op(Node& node);
#include "microsoft_operators.def"
#undef BACKPLANE_MICROSOFT_OPERATOR

#define BACKPLANE_PREVIEW_OPERATOR(family, op) void ConvertPreview##op(Node& node);
#include "preview_operators.def"
#undef BACKPLANE_PREVIEW_OPERATOR

}  // namespace backplane::onnx
