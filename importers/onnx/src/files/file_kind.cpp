#include "files/file_kind.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace backplane::onnx {
namespace {

using namespace std::string_view_literals;

struct Signature {
  std::size_t offset;
  std::string_view bytes;
  const char* kind;
};

// More telling rows stand before those that they contain.
constexpr Signature kSignatures[] = {
    {0, "version https://git-lfs"sv, "a Git LFS pointer, not the file itself (run git lfs pull)"},
    {0,
     "\x7F"
     "ELF"sv,
     "an ELF program or library"},
    {0, "\x89PNG"sv, "a PNG image"},
    {0, "\xFF\xD8\xFF"sv, "a JPEG image"},
    {0, "P5"sv, "a PGM image"},
    {0, "\x93NUMPY"sv, "a NumPy array (.npy)"},
    {0, "\x89HDF"sv, "an HDF5 file, as Keras writes"},
    {4, "TFL3"sv, "a TensorFlow Lite model"},
    {4, "ORTM"sv, "a model in ONNX Runtime's own format (.ort)"},
    {0, "PK\x03\x04"sv, "a ZIP archive, as PyTorch (.pt, .pth) and NumPy (.npz) write"},
    {0, "\x1F\x8B"sv, "a gzip archive"},
    {0, "\x80\x02"sv, "a Python pickle, as PyTorch writes"},
    {0, "%PDF"sv, "a PDF document"},
    {0, "<!DOCTYPE"sv, "an HTML page"},
    {0, "<html"sv, "an HTML page"},
    {0, "{"sv, "JSON text"},
};

bool IsText(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char byte) {
    const auto value = static_cast<unsigned char>(byte);
    return std::isprint(value) != 0 || std::isspace(value) != 0 || value >= 0x80U;
  });
}

}  // namespace

std::string DescribeFileKind(std::string_view bytes) {
  constexpr std::size_t kEnoughForText = 512;
  if (bytes.empty()) return "an empty file";
  for (const Signature& row : kSignatures) {
    if (bytes.size() >= row.offset && bytes.substr(row.offset, row.bytes.size()) == row.bytes) {
      return row.kind;
    }
  }
  return IsText(bytes.substr(0, kEnoughForText)) ? "text" : "binary data of no known kind";
}

}  // namespace backplane::onnx
