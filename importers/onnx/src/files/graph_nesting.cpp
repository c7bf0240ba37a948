#include "files/graph_nesting.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

namespace backplane::onnx {
namespace {

enum class Message { kModel, kFunction, kGraph, kNode, kAttribute };

// The fields that lead from message to message.
struct Field {
  Message in;
  std::uint64_t number;
  Message is;
};

constexpr Field kFields[] = {
    {Message::kModel, 7, Message::kGraph},     {Message::kModel, 25, Message::kFunction},
    {Message::kFunction, 7, Message::kNode},   {Message::kGraph, 1, Message::kNode},
    {Message::kNode, 5, Message::kAttribute},  {Message::kAttribute, 6, Message::kGraph},
    {Message::kAttribute, 11, Message::kGraph}};

const Field* FindField(Message in, std::uint64_t number) {
  const auto* const found =
      std::find_if(std::begin(kFields), std::end(kFields),
                   [&](const Field& field) { return field.in == in && field.number == number; });
  return found != std::end(kFields) ? found : nullptr;
}

class Scanner {
 public:
  explicit Scanner(const std::string& content) : content_(content) {
    open_.push_back({Message::kModel, content.size()});
  }

  std::uint32_t Run() {
    while (!open_.empty() && is_readable_) {
      if (position_ < open_.back().end) {
        ReadField();
      } else {
        if (open_.back().message == Message::kGraph) --depth_;
        open_.pop_back();
      }
    }
    return greatest_;
  }

 private:
  struct Open {
    Message message;
    std::size_t end;
  };

  std::uint64_t ReadNumber() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (position_ >= open_.back().end) break;
      const auto byte = static_cast<unsigned char>(content_[position_++]);
      number |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      if (byte < 0x80U) return number;
    }
    is_readable_ = false;
    return 0;
  }

  void Skip(std::uint64_t size_bytes) {
    is_readable_ = is_readable_ && size_bytes <= open_.back().end - position_;
    if (is_readable_) position_ += static_cast<std::size_t>(size_bytes);
  }

  void ReadField() {
    const std::uint64_t tag = ReadNumber();
    switch (tag & 7U) {
      case 0:
        ReadNumber();
        return;
      case 1:
        return Skip(8);
      case 2:
        return ReadMessage(tag >> 3U);
      case 5:
        return Skip(4);
      default:
        is_readable_ = false;
    }
  }

  void ReadMessage(std::uint64_t number) {
    const std::uint64_t size_bytes = ReadNumber();
    const Field* const field = FindField(open_.back().message, number);
    if (field == nullptr) return Skip(size_bytes);
    if (!is_readable_ || size_bytes > open_.back().end - position_) {
      is_readable_ = false;
      return;
    }
    open_.push_back({field->is, position_ + static_cast<std::size_t>(size_bytes)});
    if (field->is == Message::kGraph) greatest_ = std::max(greatest_, ++depth_);
  }

  const std::string& content_;
  std::size_t position_ = 0;
  std::vector<Open> open_;
  bool is_readable_ = true;
  std::uint32_t depth_ = 0;
  std::uint32_t greatest_ = 0;
};

}  // namespace

std::uint32_t CountNestedGraphs(const std::string& content) {
  return Scanner(content).Run();
}

}  // namespace backplane::onnx
