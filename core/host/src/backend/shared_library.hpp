#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace backplane::backend {

/// A library opened with the loader; closed when the last owner lets go.
class SharedLibrary {
 public:
  struct OpenResult {
    std::shared_ptr<SharedLibrary> library;  // null when the loader refused
    std::string loader_text;                 // then what the loader said, verbatim
  };

  /// Opens a file by its absolute path, resolving every symbol at once and keeping its symbols to
  /// itself. Runs the library's static constructors.
  static OpenResult Open(const std::string& path);

  ~SharedLibrary();
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;

  /// Leaves its code where it is after it was closed, for threads that go on in it.
  void KeepMapped() const;

  /// The address of a symbol. Null: when the library and its dependencies do not have it.
  void* FindSymbol(const char* name) const;

 private:
  SharedLibrary(void* handle, std::string path) : handle_(handle), path_(std::move(path)) {}

  void* const handle_;
  const std::string path_;
};

/// Whether a library is open that keeps threads for others, and so stays mapped.
bool HasThreadRuntime();

/// Who takes the symbols of a library.
enum class Visibility {
  kOwn,  // those that need it
  kAll,  // whoever is opened later too, as those of a program's own libraries
};

/// Opens a library that is never closed, as a program has its own. One that the loader refuses is
/// not there.
void OpenForGood(const std::string& path, Visibility visibility);

/// Whether this process already defines a symbol where every library sees it. An empty version
/// means any.
bool IsDefinedInProcess(const std::string& symbol, const std::string& version);

/// The file of the library or program whose definition of a symbol all libraries see, with links
/// resolved; "" when there is none.
std::string FindGlobalDefiner(const std::string& symbol);

/// How many bytes of static thread-local storage a thread of this process has, the reserve for
/// libraries that are opened later among them. Nothing: the C library does not tell.
std::optional<std::uint64_t> FindStaticTlsBytes();

/// The absolute paths of all libraries that this process has open, the program itself not among
/// them.
std::vector<std::string> GetLoadedLibraries();

/// The absolute paths of the libraries among them that define this symbol themselves.
std::vector<std::string> FindLibrariesThatDefine(const std::string& symbol);

/// Every directory in which the loader looks, or would look, for what the open libraries need.
std::vector<std::string> GetSearchedDirectories();

/// The file of the library or program that has this address, with links resolved; "" when unknown.
std::string FindFileOf(const void* address);

/// The file of the library this code is in, with links resolved; "" when unknown.
std::string GetOwnPath();

/// The directory that holds the library this code is in, with links resolved; "" when unknown.
std::string GetOwnDirectory();

}  // namespace backplane::backend
