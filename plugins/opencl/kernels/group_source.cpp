#include "kernels/group_source.hpp"

#include "kernels/elements.hpp"
#include "plan/index_axes.hpp"

#include <algorithm>

namespace backplane {
namespace opencl {
namespace {

const char* const kVectorSource = R"(
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define VECTOR JOIN(float, WIDTH)
#ifdef STORAGE_HALF
#define LOAD_VECTOR(p, i) JOIN(vload_half, WIDTH)(0, (p) + (i))
#define STORE_VECTOR(value, p, i) JOIN(vstore_half, WIDTH)((value), 0, (p) + (i))
#else
#define LOAD_VECTOR(p, i) JOIN(vload, WIDTH)(0, (p) + (i))
#define STORE_VECTOR(value, p, i) JOIN(vstore, WIDTH)((value), 0, (p) + (i))
#endif
)";

class GroupWriter {
 public:
  GroupWriter(const GroupProgram& program, const GroupSharing& sharing, const Epilogue& epilogue)
      : program_(program), sharing_(sharing), epilogue_(epilogue) {}

  std::string Write() const {
    const std::string vectors =
        HasVectors() ? Text("#define WIDTH ", sharing_.width, kVectorSource) : "";
    std::string folds;
    for (const GroupFold& fold : program_.folds) {
      folds += HasVectors() ? WriteVectorFold(fold) : WriteFold(fold);
    }
    return Text(kElementsSource, vectors, MakeEpilogueSource(epilogue_), "__kernel void groups(",
                WriteParameters(), ") {\n", WriteBegin(),
                WriteIndices(sharing_.num_axes, 1, "group", "g"), folds, WriteResults(),
                program_.is_of_group ? "" : WriteElements(), "}\n");
  }

 private:
  bool HasVectors() const { return sharing_.width > 1; }

  std::string WriteParameters() const {
    std::string text =
        "const int num_groups, const int size, __global const storage* in, const int in_begin, "
        "__global storage* out, const int out_begin";
    for (const GroupOperand& operand : program_.operands) {
      text +=
          Text(", __global const storage* ", operand.name, ", const int ", operand.name, "_begin");
    }
    for (const GroupResult& result : program_.results) {
      text += Text(", __global float* result", result.output, ", const int result", result.output,
                   "_begin");
    }
    for (const GroupNumber& number : program_.numbers) text += Text(", const int ", number.name);
    return Text(text, WriteIndexParameters(sharing_.num_axes, 1, "g"),
                WriteIndexParameters(sharing_.num_grouped_axes, 1, "e"), " FINISH_PARAMETERS");
  }

  // Work-items without a group compute the last one and store nothing: then all do the same, which
  // compilers run side by side.
  std::string WriteBegin() const {
    if (sharing_.num_lanes == 1) {
      return "const int number = (int)get_global_id(0);\nconst int lane = 0;\n"
             "const int group = min(number, num_groups - 1);\n";
    }
    return Text(
        "const int number = (int)get_group_id(0);\nconst int group = number;\n"
        "const int lane = (int)get_local_id(0);\n__local float states[",
        sharing_.num_lanes, "];\n");
  }

  /// Begins the loop over the parts of a group, whose elements, of `step` at a time, are those from
  /// part_begin on and before part_end.
  static std::string WritePartsBegin(const std::string& type, const GroupFold& fold,
                                     std::uint32_t step) {
    constexpr std::uint32_t kStepsOfPart = 256;
    return Text("for (int part_begin = 0; part_begin < size; part_begin += ", kStepsOfPart * step,
                ") {\nconst int part_end = min(size, part_begin + ", kStepsOfPart * step, ");\n",
                "const ", type, " a = ", fold.name, ";\n", fold.name, " = ", fold.start, ";\n");
  }

  static std::string WritePartsEnd(const std::string& type, const GroupFold& fold) {
    return Text("const ", type, " b = ", fold.name, ";\n", fold.name, " = ", fold.combine,
                ";\n}\n");
  }

  std::string WriteLoop(const std::string& statements, const char* begin, const char* end) const {
    return Text("for (int round_begin = ", begin, "; round_begin < ", end,
                "; round_begin += ", sharing_.num_lanes,
                ") {\nconst int k = round_begin + lane;\nif (k < size) {\n",
                WriteIndices(sharing_.num_grouped_axes, 1, "k", "e"),
                "const float x = LOAD(in, in_begin + at0g + at0e);\n", statements, "}\n}\n");
  }

  /// What is left behind the last whole vector is done by `rest`.
  static std::string WriteVectorLoop(const std::string& statements, const std::string& rest) {
    return Text(
        "int k = 0;\nfor (; k + WIDTH <= size; k += WIDTH) {\n"
        "const VECTOR x = LOAD_VECTOR(in, in_begin + at0g + k);\n",
        statements,
        "}\nfor (; k < size; ++k) {\n"
        "const float x = LOAD(in, in_begin + at0g + k);\n",
        rest, "}\n");
  }

  std::string WriteFold(const GroupFold& fold) const {
    return Text("float ", fold.name, " = ", fold.start, ";\n",
                WritePartsBegin("float", fold, sharing_.num_lanes),
                WriteLoop(fold.fold, "part_begin", "part_end"), WritePartsEnd("float", fold),
                sharing_.num_lanes == 1 ? "" : WriteCombination(fold), fold.finish);
  }

  // In pairs: fewer roundings pile up than one after the other.
  std::string WriteCombination(const GroupFold& fold) const {
    return Text("barrier(CLK_LOCAL_MEM_FENCE);\nstates[lane] = ", fold.name,
                ";\nbarrier(CLK_LOCAL_MEM_FENCE);\nfor (int half_of = ", sharing_.num_lanes / 2,
                "; half_of > 0; half_of /= 2) {\nif (lane < half_of) {\n"
                "const float a = states[lane];\nconst float b = states[lane + half_of];\n"
                "states[lane] = ",
                fold.combine, ";\n}\nbarrier(CLK_LOCAL_MEM_FENCE);\n}\n", fold.name,
                " = states[0];\n");
  }

  // The vector has the name of the number, so that the same statements take elements up.
  std::string WriteVectorFold(const GroupFold& fold) const {
    const std::string& name = fold.name;
    const std::string rest =
        Text("float ", name, " = parts[0];\n", fold.fold, "parts[0] = ", name, ";\n");
    return Text("float ", name, "_of_group;\n{\nfloat parts[WIDTH];\n{\nVECTOR ", name,
                " = (VECTOR)(", fold.start, ");\n", WritePartsBegin("VECTOR", fold, sharing_.width),
                "for (int k = part_begin; k + WIDTH <= part_end; k += WIDTH) {\n"
                "const VECTOR x = LOAD_VECTOR(in, in_begin + at0g + k);\n",
                fold.fold, "}\n", WritePartsEnd("VECTOR", fold), "JOIN(vstore, WIDTH)(", name,
                ", 0, parts);\n}\nfor (int k = size / WIDTH * WIDTH; k < size; ++k) {\n"
                "const float x = LOAD(in, in_begin + at0g + k);\n",
                rest,
                "}\nfor (int half_of = WIDTH / 2; half_of > 0; half_of /= 2) {\n"
                "for (int i = 0; i < half_of; ++i) {\nconst float a = parts[i];\n"
                "const float b = parts[i + half_of];\nparts[i] = ",
                fold.combine, ";\n}\n}\n", name, "_of_group = parts[0];\n}\nfloat ", name, " = ",
                name, "_of_group;\n", fold.finish);
  }

  std::string WriteResults() const {
    std::string text;
    for (const GroupResult& result : program_.results) {
      text += Text("result", result.output, "[result", result.output,
                   "_begin + group] = ", result.value, ";\n");
    }
    if (program_.is_of_group) {
      text += Text("STORE(Finish(", program_.value,
                   ", group FINISH_ARGUMENTS), out, out_begin + group);\n");
    }
    if (text.empty()) return text;
    return Text("if (lane == 0 && number == group) {\n", text, "}\n");
  }

  std::string WriteElements() const {
    const auto is_of_channel = [](const GroupOperand& operand) {
      return operand.per == GroupOperand::Per::kChannel;
    };
    const auto& operands = program_.operands;
    if (!HasVectors()) {
      const std::string guard = sharing_.num_lanes == 1 ? "if (number == group) " : "";
      return WriteLoop(WriteElement("at0g + at0e", guard), "0", "size");
    }
    if (std::any_of(operands.begin(), operands.end(), is_of_channel)) {
      return Text(
          "for (int k = 0; k < size; ++k) {\n"
          "const float x = LOAD(in, in_begin + at0g + k);\n",
          WriteElement("at0g + k", ""), "}\n");
    }
    return WriteVectorLoop(WriteVectorElement(), WriteElement("at0g + k", ""));
  }

  std::string WriteElement(const char* at, const std::string& guard) const {
    std::string text;
    for (const GroupOperand& operand : program_.operands) {
      text += Text("const float ", operand.name, "_x = LOAD(", operand.name, ", ", operand.name,
                   "_begin + ", operand.position, ");\n");
    }
    return Text(text, guard, "STORE(Finish(", program_.value, ", ", at,
                " FINISH_ARGUMENTS), out, out_begin + ", at, ");\n");
  }

  std::string WriteVectorElement() const {
    std::string text;
    for (const GroupOperand& operand : program_.operands) {
      const bool is_vector = operand.per == GroupOperand::Per::kElement;
      text += Text("const ", is_vector ? "VECTOR " : "float ", operand.name,
                   "_x = ", is_vector ? "LOAD_VECTOR(" : "LOAD(", operand.name, ", ", operand.name,
                   "_begin + ", operand.position, ");\n");
    }
    text += Text("const VECTOR value = ", program_.value, ";\n");
    if (epilogue_.IsEmpty()) return text + "STORE_VECTOR(value, out, out_begin + at0g + k);\n";
    return text +
           "float values[WIDTH];\nJOIN(vstore, WIDTH)(value, 0, values);\n"
           "for (int i = 0; i < WIDTH; ++i) {\n"
           "STORE(Finish(values[i], at0g + k + i FINISH_ARGUMENTS), out, "
           "out_begin + at0g + k + i);\n}\n";
  }

  const GroupProgram& program_;
  const GroupSharing& sharing_;
  const Epilogue& epilogue_;
};

}  // namespace

std::string WriteGroupSource(const GroupProgram& program, const GroupSharing& sharing,
                             const Epilogue& epilogue) {
  return GroupWriter(program, sharing, epilogue).Write();
}

}  // namespace opencl
}  // namespace backplane
