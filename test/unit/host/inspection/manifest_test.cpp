#include "inspection/manifest.hpp"

#include "object_file.hpp"

#include <backplane/api/manifest.hpp>

#include <gtest/gtest.h>

#include <cstring>

namespace backplane::inspection {
namespace {

const char* const kManifestPath = "/x/libx.so";

std::string MakeHeader(std::uint32_t magic = kManifestMagic,
                       std::uint32_t format = kManifestFormat) {
  std::string header(2 * sizeof(std::uint32_t), '\0');
  std::memcpy(&header[0], &magic, sizeof(magic));
  std::memcpy(&header[sizeof(magic)], &format, sizeof(format));
  return header;
}

std::string MakeManifestManifest(const std::vector<std::string>& entries) {
  std::string bytes = MakeHeader();
  for (const std::string& entry : entries) bytes += entry + '\0';
  return bytes;
}

Diagnostic ExpectDamaged(const std::string& bytes, const std::string& words) {
  const ManifestResult result = CheckManifests({bytes}, kManifestPath);
  EXPECT_FALSE(result.manifest);
  return ExpectOne(result.diagnostics, DiagnosticCode::kDamagedManifest, kManifestPath, words,
                   "cannot be read");
}

TEST(Manifest, IsReadFromItsText) {
  const std::string bytes = MakeManifestManifest(
      {"id=AcmeNpu", "vendor=Acme", "version=1.2.0", "license=MIT", "rank=-12"});
  const ManifestResult result = CheckManifests({bytes}, kManifestPath);
  EXPECT_TRUE(result.diagnostics.empty());
  ASSERT_TRUE(result.manifest);
  EXPECT_EQ(result.manifest->id, "AcmeNpu");
  EXPECT_EQ(result.manifest->vendor, "Acme");
  EXPECT_EQ(result.manifest->version, "1.2.0");
  EXPECT_EQ(result.manifest->license, "MIT");
  EXPECT_EQ(result.manifest->rank, -12);
  EXPECT_TRUE(result.manifest->cpu_features.empty());
}

TEST(Manifest, MayAskForPermissionsAlsoOfLaterHosts) {
  const std::string bytes =
      MakeManifestManifest({"id=AcmeNpu", "permissions=devices:/dev/npu0 network teleport:/a"});
  const ManifestResult result = CheckManifests({bytes}, kManifestPath);
  EXPECT_TRUE(result.diagnostics.empty());
  ASSERT_TRUE(result.manifest);
  EXPECT_EQ(result.manifest->permissions,
            (std::vector<std::string>{"devices:/dev/npu0", "network", "teleport:/a"}));
  for (const char* wrong :
       {"Network", "network ", " network", "a  b", "read:", "read:/", "read:etc", "read:/a/../b",
        "read:/./a", "read://a", "read:/a/", ":/a"}) {
    ExpectDamaged(MakeManifestManifest({"id=AcmeNpu", std::string("permissions=") + wrong}),
                  "permissions is \"" + std::string(wrong) + "\", expected permissions such as");
  }
}

TEST(Manifest, MayListOperators) {
  std::vector<std::string> operators;
  std::string list;
  for (int i = 0; i < 2000; ++i) {
    operators.push_back("com.acme/Operator" + std::to_string(i) + "/1-3");
    list += (i == 0 ? "" : " ") + operators.back();
  }
  const std::string bytes = MakeManifestManifest({"id=AcmeNpu", "operators=" + list});
  const ManifestResult result = CheckManifests({bytes}, kManifestPath);
  EXPECT_TRUE(result.diagnostics.empty());
  ASSERT_TRUE(result.manifest);
  EXPECT_EQ(result.manifest->operators, operators);
  for (const char* wrong : {"Gelu", "acme/Gelu", "/Gelu/1", "acme//1", "acme/Gelu/", "acme/Gelu/x",
                            "acme/Gelu/1-", "acme/Gelu/-1", "acme/Gelu/1 ", "a/G/1  a/H/1"}) {
    ExpectDamaged(MakeManifestManifest({"id=AcmeNpu", std::string("operators=") + wrong}),
                  "operators is \"" + std::string(wrong) + "\", expected operators such as");
  }
}

TEST(Manifest, MayHaveNoMoreThanAnId) {
  const std::string bytes = MakeManifestManifest({"id=AcmeNpu"});
  const ManifestResult result = CheckManifests({bytes}, kManifestPath);
  ASSERT_TRUE(result.manifest);
  EXPECT_FALSE(result.manifest->rank);
  EXPECT_FALSE(CheckManifests({}, kManifestPath).manifest) << "no manifest is no fault";
  EXPECT_TRUE(CheckManifests({}, kManifestPath).diagnostics.empty());
}

TEST(Manifest, KeysOfLaterHostsAreIgnored) {
  const std::string bytes = MakeManifestManifest({"id=AcmeNpu", "colour=blue", "colour=red"});
  const ManifestResult result = CheckManifests({bytes}, kManifestPath);
  EXPECT_TRUE(result.manifest);
  EXPECT_TRUE(result.diagnostics.empty());
}

TEST(Manifest, EveryTruncationIsDamageOrStillWhole) {
  const std::string bytes = MakeManifestManifest({"id=AcmeNpu", "vendor=Acme", "rank=3"});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    // On the heap, so that a sanitizer sees a byte read too many.
    const std::vector<char> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    const ManifestResult result =
        CheckManifests({std::string_view(cut.data(), size)}, kManifestPath);
    const bool ends_with_entry = size > MakeHeader().size() && bytes[size - 1] == '\0';
    EXPECT_EQ(result.manifest.has_value(), ends_with_entry) << size;
    EXPECT_EQ(result.diagnostics.empty(), ends_with_entry) << size;
  }
}

TEST(Manifest, EveryDamagedByteIsReadWithoutHarm) {
  const std::string bytes = MakeManifestManifest({"id=AcmeNpu", "cpu_features=fma", "rank=3"});
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const int value : {0x00, 0x01, 0x20, 0x3d, 0x7f, 0x80, 0xff}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(value);
      const ManifestResult result = CheckManifests({damaged}, kManifestPath);
      if (!result.manifest) continue;
      EXPECT_FALSE(result.manifest->id.empty()) << i;
    }
  }
}

TEST(Manifest, WrongHeadersAreNamed) {
  ExpectDamaged("", "it has 0 bytes, expected 8 to 65536");
  ExpectDamaged(MakeHeader() + std::string(kMaxManifestBytes, 'x'), "it has 65544 bytes");
  ExpectDamaged(MakeHeader(0x1234), "it begins with 0x1234, expected 0x4d504b42");
  ExpectDamaged(MakeHeader(kManifestMagic, 2), "its format is 2, expected 1");
}

TEST(Manifest, WrongValuesAreAllNamed) {
  const Diagnostic diagnostic =
      ExpectDamaged(MakeManifestManifest({"id=Unknown", "vendor=", "version=1..2", "rank=many",
                                          "id=Other", "nothing", "cpu_features=AVX2",
                                          std::string("license=") + std::string(129, 'x')}),
                    "id is \"Unknown\", expected 1 to 64");
  for (const char* words :
       {"vendor is \"\"", "version is \"1..2\"", "rank is \"many\"", "the key id twice",
        "the text \"nothing\"", "cpu_features is \"AVX2\"", "license is \"xxx"}) {
    EXPECT_NE(diagnostic.why.find(words), std::string::npos) << diagnostic.why;
  }
  ExpectDamaged(MakeManifestManifest({"vendor=Acme"}), "it has no id");
}

TEST(Manifest, TwoThatDifferAreRejectedAndEqualOnesNoted) {
  const std::string a = MakeManifestManifest({"id=A"});
  const std::string b = MakeManifestManifest({"id=B"});
  ExpectOne(CheckManifests({a, b}, kManifestPath).diagnostics, DiagnosticCode::kSeveralManifests,
            kManifestPath, "found 2", "expected one");
  EXPECT_FALSE(CheckManifests({a, b}, kManifestPath).manifest);
  const ManifestResult equal = CheckManifests({a, a, a}, kManifestPath);
  ExpectOne(equal.diagnostics, DiagnosticCode::kSeveralManifests, kManifestPath,
            "found 3 equal ones", "expected one", Severity::kNote);
  EXPECT_TRUE(equal.manifest);
}

TEST(Manifest, CpuFeaturesThatAreMissingAreNamed) {
  const std::string bytes = MakeManifestManifest({"id=A", "cpu_features=quantum tele-port"});
  const ManifestResult result = CheckManifests({bytes}, kManifestPath);
  ExpectOne(result.diagnostics, DiagnosticCode::kCpuFeatureMissing, kManifestPath,
            "found none of them", "expected quantum and tele-port");
  EXPECT_TRUE(result.manifest) << "it is still known who made it";
}

#if defined(__x86_64__)
TEST(Manifest, CpuFeaturesMayBeSpeltAsTheCompilerSpellsThem) {
  const std::string both = MakeManifestManifest({"id=A", "cpu_features=sse2 sse4_2 sse4.2"});
  if (__builtin_cpu_supports("sse4.2") == 0) GTEST_SKIP() << "this CPU has no SSE 4.2";
  EXPECT_TRUE(CheckManifests({both}, kManifestPath).diagnostics.empty());
}
#endif

TEST(Manifest, IsFoundInAFile) {
  const std::string path = GetObjectPath("Test_Manifest_backend.so");
  const InspectedFile file = InspectPath(path);
  EXPECT_TRUE(GetDiagnosticsOf(file, Stage::kAbi).empty());
  ASSERT_TRUE(file.manifest);
  EXPECT_EQ(file.manifest->id, "Inspected");
  EXPECT_EQ(file.manifest->vendor, "Vendor of \xc3\x84pfel, 100%");
  EXPECT_EQ(file.manifest->rank, 40);
}

TEST(Manifest, IsDamagedInAFile) {
  ObjectFile object(ReadBytes(GetObjectPath("Test_Manifest_backend.so")));
  object.bytes.at(object.bytes.find("BKPM")) = 'X';
  ExpectOne(GetDiagnosticsOf(InspectBytes(object.bytes), Stage::kAbi),
            DiagnosticCode::kDamagedManifest, kManifestPath, "it begins with 0x4d504b58",
            "expected 0x4d504b42");
}

}  // namespace
}  // namespace backplane::inspection
