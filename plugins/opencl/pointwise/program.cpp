#include "pointwise/program.hpp"

#include "plan/index_axes.hpp"
#include "pointwise/functions.hpp"

#include <algorithm>

namespace backplane {
namespace opencl {
namespace {

enum class Access { kOfPosition, kSingle, kStrided };

Access GetAccess(const PointwiseOperand& operand, const TensorShape& output) {
  const std::int64_t count = operand.shape.GetNumElements();
  if (count == output.GetNumElements()) return Access::kOfPosition;
  return count == 1 ? Access::kSingle : Access::kStrided;
}

/// Puts the kernel's text together, and the arguments in the same order.
class ProgramWriter {
 public:
  explicit ProgramWriter(const Pointwise& pointwise) : pointwise_(pointwise) {
    std::vector<TensorShape> strided;
    for (const PointwiseOperand& operand : pointwise.operands) {
      if (GetAccess(operand, pointwise.output) == Access::kStrided)
        strided.push_back(operand.shape);
    }
    num_strided_ = static_cast<std::uint32_t>(strided.size());
    if (num_strided_ > 0) axes_ = MakeBroadcastAxes(strided, pointwise.output);
  }

  void Write(Launch& launch) const {
    const auto num_axes = static_cast<std::uint32_t>(axes_.size());
    std::string parameters = "const int count";
    std::string loads;
    launch.arguments.emplace_back(static_cast<std::int32_t>(pointwise_.output.GetNumElements()));
    WriteOperands(parameters, loads, launch.arguments);
    const StoredElement& out = pointwise_.output_element;
    parameters += Text(", __global ", out.type, "* out, const int out_begin");
    launch.arguments.emplace_back(BufferArgument{BufferArgument::Kind::kOutput, 0, out.size_bytes});
    parameters += WriteIndexParameters(num_axes, num_strided_);
    AppendIndexArguments(axes_, launch.arguments);
    launch.kernel = "pointwise";
    launch.source =
        Text(WriteFunctions(pointwise_.statements), "__kernel void pointwise(", parameters,
             ") {\nconst int i = (int)get_global_id(0);\nif (i < count) {\n",
             WriteIndices(num_axes, num_strided_, "i"), loads, pointwise_.statements,
             WriteStore(out, "out", "i", pointwise_.result), "}\n}\n");
  }

 private:
  void WriteOperands(std::string& parameters, std::string& loads,
                     std::vector<Argument>& arguments) const {
    std::uint32_t strided = 0;
    for (std::size_t i = 0; i < pointwise_.operands.size(); ++i) {
      const PointwiseOperand& operand = pointwise_.operands[i];
      const std::string pointer = Text("in", i);
      parameters += Text(", __global const ", operand.element.type, "* ", pointer, ", const int ",
                         pointer, "_begin");
      arguments.emplace_back(
          BufferArgument{BufferArgument::Kind::kInput, operand.input, operand.element.size_bytes});
      const Access access = GetAccess(operand, pointwise_.output);
      const std::string at = access == Access::kOfPosition ? "i"
                             : access == Access::kSingle   ? "0"
                                                           : Text("at", strided++);
      loads += Text("const ", operand.element.computed, " x", i, " = ",
                    WriteLoad(operand.element, pointer, at), ";\n");
    }
  }

  const Pointwise& pointwise_;
  std::vector<IndexAxis> axes_;
  std::uint32_t num_strided_ = 0;
};

}  // namespace

std::string WriteLoad(const StoredElement& element, const std::string& tensor,
                      const std::string& at) {
  const std::string place = Text(tensor, "_begin + ", at);
  if (element.is_half) return Text("vload_half(", place, ", ", tensor, ")");
  const std::string loaded = Text(tensor, "[", place, "]");
  if (element.is_bool) return Text("(", loaded, " != 0 ? 1 : 0)");
  const bool is_kept = std::string(element.type) == element.computed;
  return is_kept ? loaded : Text("(", element.computed, ")", loaded);
}

std::string WriteStore(const StoredElement& element, const std::string& tensor,
                       const std::string& at, const std::string& value) {
  const std::string place = Text(tensor, "_begin + ", at);
  if (element.is_half) return Text("vstore_half(", value, ", ", place, ", ", tensor, ");\n");
  return Text(tensor, "[", place, "] = (", element.type, ")(", value, ");\n");
}

StoredElement GetStoredElement(DataType data_type) {
  switch (data_type) {
    case DataType::kFloat32:
      return {};
    case DataType::kFloat16:
      return {"half", "float", 2, true, false};
    case DataType::kInt8:
      return {"char", "long", 1, false, false};
    case DataType::kInt16:
      return {"short", "long", 2, false, false};
    case DataType::kUInt16:
      return {"ushort", "ulong", 2, false, false};
    case DataType::kInt32:
      return {"int", "long", 4, false, false};
    case DataType::kUInt32:
      return {"uint", "ulong", 4, false, false};
    case DataType::kInt64:
      return {"long", "long", 8, false, false};
    case DataType::kUInt64:
      return {"ulong", "ulong", 8, false, false};
    default:
      return {"uchar", "ulong", 1, false, data_type == DataType::kBool};
  }
}

StoredElement GetMovedElement(std::uint32_t size_bytes) {
  switch (size_bytes) {
    case 1:
      return {"uchar", "uchar", 1, false, false};
    case 2:
      return {"ushort", "ushort", 2, false, false};
    case 4:
      return {"uint", "uint", 4, false, false};
    default:
      return {"ulong", "ulong", 8, false, false};
  }
}

KernelPlan MakePointwisePlan(const Pointwise& pointwise, const DeviceLimits& limits) {
  KernelPlan plan;
  const std::int64_t count = pointwise.output.GetNumElements();
  if (count == 0) return plan;
  Launch launch;
  ProgramWriter(pointwise).Write(launch);
  SetWorkItems(count, limits, launch);
  launch.num_operations = static_cast<double>(count);
  plan.launches.push_back(std::move(launch));
  return plan;
}

// One size of work-groups: some drivers compile a kernel once more for each.
void SetWorkItems(std::int64_t count, const DeviceLimits& limits, Launch& launch) {
  const std::size_t wanted = limits.is_cpu ? 1024 : 128;
  const std::size_t group =
      std::min({wanted, limits.max_work_group_size, limits.max_work_item_sizes[0]});
  const auto groups = (static_cast<std::size_t>(count) + group - 1) / group;
  launch.num_dimensions = 1;
  launch.global_size = {groups * group, 1, 1};
  launch.local_size = {group, 1, 1};
}

}  // namespace opencl
}  // namespace backplane
