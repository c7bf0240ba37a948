#!/usr/bin/env python3
"""Checks one rule of the repository's layout: check_structure.py RULE SOURCE_DIRECTORY.

Exit status: 0 the rule holds, 1 it does not (every breach is named), 77 it could not be checked.
"""

import functools
import pathlib
import re
import shutil
import subprocess
import sys

SOURCES = {".cpp", ".hpp", ".def"}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)

# What the folders may include of ours, by the first two words of the path; of nested folders the
# innermost holds.
ALLOWED = {
    "plugin-api": {"backplane/api", "backplane/c"},
    "plugins": {"backplane/api"},
    "plugins/cpuref": {"backplane/api", "backplane/reference"},
    "plugins/reference-kernels": {"backplane/api", "backplane/reference"},
    "core/processes": {"backplane/api"},
    "core/host": {"backplane/api", "backplane/c", "backplane/host"},
    "core/runtime": {"backplane/api", "backplane/host", "backplane/runtime"},
    "importers/onnx": {"backplane/api", "backplane/host", "backplane/runtime", "backplane/onnx",
                       "backplane/reference"},
    "tools/list-backends": {"backplane/api", "backplane/host"},
    "examples": {"backplane/api", "backplane/host", "backplane/runtime", "backplane/onnx"},
    "bench": {"backplane/api", "backplane/host", "backplane/runtime", "backplane/onnx"},
    "tools/execute-network": {"backplane/api", "backplane/host", "backplane/runtime",
                              "backplane/onnx"},
}

# Headers that belong to one room, of the host or of a backend.
ROOMS = {
    "dlfcn.h": ("core/host/src/backend", "plugins/cpuacc/library", "plugins/opencl/library",
                "plugins/opencl/test"),
    "boost/log": ("core/host/src/diagnostics",),
    "boost/filesystem": ("core/host/src/files",),
    "openssl/": ("core/host/src/files",),
    "png.h": ("tools/execute-network/images",),
}


def find_sources(root, folder):
    """All source files below a folder."""
    return sorted(p for p in (root / folder).rglob("*") if p.suffix in SOURCES)


@functools.lru_cache(maxsize=None)
def read_includes(path):
    return INCLUDE.findall(path.read_text())


def check_includes(root):
    """Each part includes only what stands below it."""
    for folder, allowed in ALLOWED.items():
        inner = [root / other for other in ALLOWED if other.startswith(folder + "/")]
        for path in find_sources(root, folder):
            if any(other in path.parents for other in inner):
                continue
            for include in read_includes(path):
                part = "/".join(include.split("/")[:2])
                if part.startswith("backplane/") and part not in allowed:
                    yield f"{path.relative_to(root)} includes <{include}>"
                if "../" in include or include.startswith("core/"):
                    yield f"{path.relative_to(root)} reaches out with \"{include}\""


def check_single_room(root):
    """The loader, Boost.Log, Boost.Filesystem, libcrypto and libpng each have their rooms."""
    for folder in ("core", "importers", "tools", "plugin-api", "plugins/cpuacc",
                   "plugins/opencl"):
        for path in find_sources(root, folder):
            name = str(path.relative_to(root))
            for include in read_includes(path):
                for header, rooms in ROOMS.items():
                    is_at_home = any(name.startswith(room + "/") for room in rooms)
                    if include.startswith(header) and not is_at_home:
                        yield f"{name} includes <{include}>, which belongs to {' and '.join(rooms)}"


def check_no_plugin_names(root):
    """The core names no plugin."""
    plugins = [p.name for p in (root / "plugins").iterdir() if p.is_dir()]
    ids = ["CpuRef", "CpuAcc", "OpenCl"]
    pattern = re.compile(r"\b(" + "|".join(plugins + ids) + r")\b")
    for path in find_sources(root, "core"):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if pattern.search(line):
                yield f"{path.relative_to(root)}:{number}: {line.strip()}"


def check_public_headers(root):
    """Public headers are short and show no Boost, JSON or ELF type."""
    for folder in root.glob("**/include/backplane"):
        if "build" in folder.relative_to(root).parts:
            continue
        for path in sorted(folder.rglob("*.hpp")):
            name = path.relative_to(root)
            text = path.read_text()
            if len(text.splitlines()) > 250:
                yield f"{name} has more than 250 lines"
            for include in read_includes(path):
                if include.split("/")[0] in ("boost", "nlohmann", "google", "onnx", "CLI", "openssl"):
                    yield f"{name} includes <{include}>"


THREAD_TAG = re.compile(r"^ *///.*\[(any thread|one at a time|during \w+)\]")
# A function that others call: virtual, exported, or an entry point. Not what is overridden here.
CALLED = re.compile(r"^ *(virtual (?!~)|BACKPLANE_\w+_API .*\()|"
                    r"^(const char\*|void\*?) (GetBackendId|GetVersion|BackendFactory)\(")


def check_thread_tags(root):
    """Every function of a public header says which threads may call it."""
    for path in [p for folder in root.glob("**/include/backplane") for p in
                 sorted(folder.rglob("*.hpp")) if "build" not in p.relative_to(root).parts]:
        lines = path.read_text().splitlines()
        for number, line in enumerate(lines):
            if not CALLED.match(line):
                continue
            first = number
            while first > 0 and lines[first - 1].lstrip().startswith("///"):
                first -= 1
            if not any(THREAD_TAG.match(text) for text in lines[first:number]):
                yield f"{path.relative_to(root)}:{number + 1}: {line.strip()}"


def check_diagnostics_tested(root):
    """Every diagnostic is named by a test or by the table of defects."""
    table = (root / "core/host/include/backplane/host/diagnostics.def").read_text()
    rows = re.findall(r"^BACKPLANE_DIAGNOSTIC\(\s*\d+\s*,\s*(\w+),\s*\"([^\"]+)\"", table,
                      re.MULTILINE)
    tested = ""
    folders = [root / "test", *root.glob("plugins/*/test"), root / "plugins/mock-backends"]
    for folder in folders:
        for path in folder.rglob("*"):
            if path.suffix in SOURCES | {".txt", ".py"} and path.is_file():
                tested += path.read_text()
    words = set(re.findall(r"\w+", tested))
    for name, symbolic_name in rows:
        if not words & {name, "k" + name}:
            yield f"no test produces {name} ({symbolic_name})"


def check_named_tests(root):
    """Every test and every row of defects.def that docs/testing.md names exists."""
    folders = [root / "test", *root.glob("plugins/*/test")]
    sources = "".join(p.read_text() for folder in folders for p in find_sources(root, folder))
    tests = {".".join(names) for names in
             re.findall(r"^TEST(?:_F|_P)?\((\w+),\s*(\w+)\)", sources, re.MULTILINE)}
    # Fixtures have other names when one is called as another.
    for alias in re.findall(r"^using (\w+) = (\w+);", sources, re.MULTILINE):
        tests |= {t.replace(alias[1] + ".", alias[0] + ".", 1) for t in tests}
    table = (root / "plugins/mock-backends/defects.def").read_text()
    rows = set(re.findall(r"^BACKPLANE_\w+\((\w+),", table, re.MULTILINE))
    text = (root / "docs/testing.md").read_text()
    for name in sorted(set(re.findall(r"`([A-Z]\w+\.[A-Z]\w+)`", text)) - tests):
        yield f"docs/testing.md names {name}"
    for name in sorted(set(re.findall(r"row `(\w+)`", text)) - rows):
        yield f"docs/testing.md names the row {name}"


def check_formatted(root):
    """clang-format has nothing to change."""
    tool = shutil.which("clang-format-14") or shutil.which("clang-format")
    if not tool or " 14." not in subprocess.run([tool, "--version"], capture_output=True,
                                               text=True, check=True).stdout:
        print("skipped: clang-format 14 is not installed")
        sys.exit(77)
    files = [str(p) for folder in ("plugin-api", "core", "plugins", "importers", "tools", "examples",
                                   "test", "bench")
             for p in find_sources(root, folder) if p.suffix != ".def"]
    result = subprocess.run([tool, "--dry-run", "-Werror", *files], capture_output=True, text=True,
                            check=False)
    if result.returncode != 0:
        yield from sorted({line.split(":")[0] for line in result.stderr.splitlines()
                           if "error:" in line})


def check_no_machine_paths(root):
    """No file names a path of one machine."""
    pattern = re.compile(r"/(work|home|root)/\w")
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        if parts[0] in (".git", "build") or "__pycache__" in parts or not path.is_file():
            continue
        try:
            lines = path.read_text().splitlines()
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(lines, 1):
            if pattern.search(line) and "machine_paths" not in line and "re.compile" not in line:
                yield f"{path.relative_to(root)}:{number}: {line.strip()}"


def check_guides_up_to_date(root):
    """Files and names in the guide for adding operators exist."""
    guide = root / "docs" / "adding-an-operator.md"
    folders = ("plugin-api", "core", "conformance", "plugins", "importers", "test", "scripts")
    words = set()
    for path in [p for folder in folders for p in find_sources(root, folder)]:
        words.update(re.findall(r"\w+", path.read_text()))
    for quoted in re.findall(r"`([^`\n]+)`", guide.read_text()):
        names = re.findall(r"\w+", quoted)
        if "/" in quoted and " " not in quoted or re.fullmatch(r"\w+\.(md|def|sh|hpp|cpp)", quoted):
            found = (root / quoted).exists() or any(root.glob(f"plugin-api/**/{quoted}"))
            if not found:
                yield f"{guide.relative_to(root)}: there is no {quoted}"
        elif "=" not in quoted:
            for name in names:
                if name not in words:
                    yield f"{guide.relative_to(root)}: nothing is called {name} in `{quoted}`"


def read_fenced(path):
    """Line number, info string and lines of each fenced block of a Markdown file."""
    start = None
    lines = path.read_text().splitlines()
    for number, line in enumerate(lines, 1):
        if not line.startswith("```"):
            continue
        if start is None:
            start = (number, line[3:])
        else:
            yield start[0], start[1], lines[start[0]:number - 1]
            start = None


def check_snippets(root):
    """Code in the guides stands in an example, line by line."""
    examples = ["\n" + p.read_text() for p in (root / "examples").rglob("*")
                if p.suffix in {".cpp", ".hpp", ".c", ".rs"} or p.name == "CMakeLists.txt"]
    guides = [root / "README.md", *(root / "docs").glob("*-guide.md")]
    for guide in guides:
        for number, language, lines in read_fenced(guide):
            text = "\n" + "\n".join(lines) + "\n"
            if language in ("c++", "c", "rust", "cmake") and not any(text in example for example in examples):
                yield f"{guide.relative_to(root)}:{number}: no example has these lines"


def read_anchors(path):
    """What the headings of a Markdown file can be reached by."""
    text = re.sub(r"```.*?```", "", path.read_text(), flags=re.DOTALL)
    for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def check_links(root):
    """Links between documents, and messages that name one, lead somewhere."""
    documents = [*root.glob("*.md"), *(root / "docs").glob("*.md"), *root.glob("examples/*/*.md")]
    links = [(path, path.parent, link) for path in documents
             for link in re.findall(r"\]\(([^)\s]+)\)", path.read_text())]
    links += [(path, root, link) for path in find_sources(root, "core")
              for link in re.findall(r"\bdocs/[\w./-]+\.md(?:#[\w-]+)?", path.read_text())]
    package = (root / "cmake/BackplanePackage.cmake").read_text()
    installed = set(re.findall(r"\bdocs/([\w.-]+)", package))
    for path, folder, link in links:
        if re.match(r"https?:", link):
            continue
        file, _, anchor = link.partition("#")
        target = folder / file if file else path
        if not target.exists():
            yield f"{path.relative_to(root)} links to {link}, but there is no such file"
        elif anchor and anchor not in read_anchors(target):
            yield f"{path.relative_to(root)} links to {link}, but there is no such heading"
        elif path.parent == root / "docs" and path.name in installed and file not in installed | {""}:
            yield f"{path.relative_to(root)} is installed and links to {link}, which is not"


def check_installed_files(root):
    """The guide for vendors, who have no tree, names no file but what is installed."""
    package = (root / "cmake/BackplanePackage.cmake").read_text()
    installed = re.findall(r"\b(?:docs|examples)/[\w.-]+", package)
    guide = (root / "docs/backend-developer-guide.md").read_text()
    for name in re.findall(r"`((?:core|docs|examples|plugins|test|tools)/[\w./-]+)`", guide):
        if not any(name == file or name.startswith(file + "/") for file in installed):
            yield f"the guide names {name}, which is not installed"
        elif not (root / name).exists():
            yield f"the guide names {name}, but there is no such file"


def check_onnx_operators(root):
    """docs/onnx-models.md lists the operators that can be imported."""
    chapter = (root / "docs/onnx-models.md").read_text().split("## Operators")[1].split("\n## ")[0]
    listed = {name: set(re.findall(r"`(\w+)`", paragraph)) for name, paragraph in
              re.findall(r"^Of (.*?): (.*)$", chapter, re.MULTILINE)}
    for name, table, macro in (("ONNX itself", "operators", "ONNX"),
                               ("`com.microsoft`", "microsoft_operators", "MICROSOFT"),
                               ("`ai.onnx.preview`", "preview_operators", "PREVIEW")):
        rows = (root / f"importers/onnx/src/{table}.def").read_text()
        known = set(re.findall(rf"^BACKPLANE_{macro}_OPERATOR\(\w+, (\w+)\)", rows, re.MULTILINE))
        if macro == "ONNX":
            rows = (root / "importers/onnx/src/stage_operators.def").read_text()
            known |= set(re.findall(r"^BACKPLANE_STAGE_OPERATOR\((\w+),", rows, re.MULTILINE))
        yield from (f"{operator} is not listed" for operator in sorted(known - listed[name]))
        yield from (f"{operator} cannot be imported" for operator in sorted(listed[name] - known))


def check_rooms(root):
    """Every room has its row in docs/ARCHITECTURE.md, or in the README.md of its backend, and every
    row its room; in the core each says in a README.md where to begin."""
    text = (root / "docs/ARCHITECTURE.md").read_text()
    for part, folder in (("core/host", "src"), ("core/processes", "src"), ("core/runtime", "src"), ("importers/onnx", "src"),
                         ("tools/execute-network", ".")):
        chapter = re.search(rf"^## {part}:.*?(?=^## )", text, re.MULTILINE | re.DOTALL)[0]
        rows = re.findall(r"^\| `(\w+)` \|", chapter, re.MULTILINE)
        rooms = {p.name for p in (root / part / folder).iterdir() if p.is_dir()}
        yield from (f"the room {room} of {part} has no row" for room in sorted(rooms - set(rows)))
        yield from (f"the room {room} of {part} has no README.md" for room in sorted(rooms)
                    if part.startswith("core/")
                    and not (root / part / folder / room / "README.md").is_file())
        yield from (f"the row {row} of {part} has no room" for row in rows if row not in rooms)
    for part in ("plugins/cpuacc", "plugins/opencl"):
        rows = re.findall(r"^\| `(\w+)/` \|", (root / part / "README.md").read_text(), re.MULTILINE)
        rooms = {p.name for p in (root / part).iterdir() if p.is_dir()}
        yield from (f"the room {room} of {part} has no row" for room in sorted(rooms - set(rows)))
        yield from (f"the row {row} of {part} has no room" for row in rows if row not in rooms)


# Folders whose sub-folders are rooms.
HOUSES = ("core/host/src", "core/processes/src", "core/runtime/src", "importers/onnx/src", "plugins/cpuacc",
          "plugins/cpu-layers", "plugins/opencl", "plugins/reference-kernels", "tools/check-backend", "tools/execute-network",
          "tools/list-backends")


# Where small headers with few users are refused.
SMALL_HEADERS = ("core", "plugins/cpuacc", "plugins/opencl", "plugins/cpu-layers", "tools", "importers")
USERS_OF_HEADERS = ("core", "plugins", "importers", "tools", "conformance", "bench", "test")


# What a public header declares; what a source defines and calls: functions, some with their class.
DECLARED = re.compile(r"^(?:class BACKPLANE_\w+_API (\w+)|BACKPLANE_\w+_API [^;{(]*?\b(\w+)\()",
                      re.MULTILINE)
DEFINED = re.compile(r"^\w[^\n;={}()]*?\b((?:[A-Z]\w*::)?[A-Z]\w*)\([^;{}]*\{", re.MULTILINE)
CALLS = re.compile(r"(?<![.>\w:])(?:[a-z]\w*::)*((?:[A-Z]\w*::)?[A-Z]\w*)\(")


@functools.lru_cache(maxsize=None)
def find_own_headers(house, path):
    """The headers of the house, and the public ones, that a file itself includes."""
    places = [folder / include for include in read_includes(path)
              for folder in (house, house.parent / "include")]
    return [place for place in places if place.is_file()]


def read_reached(house, path):
    """The headers of the house, and the public ones, that a file includes and those include."""
    reached = set()
    unread = [path]
    while unread:
        headers = set(find_own_headers(house, unread.pop())) - reached
        reached |= headers
        unread += headers
    return reached


def read_public_functions(house):
    """Each function of a public header that one room defines, with both."""
    headers = {}
    for header in find_sources(house.parent, "include"):
        for name in filter(None, sum(DECLARED.findall(header.read_text()), ())):
            headers.setdefault(name, set()).add(header)
    found = {}
    for path in [p for p in find_sources(house, ".") if headers and p.suffix == ".cpp"]:
        reached = read_reached(house, path)
        for function in DEFINED.findall(path.read_text()):
            for header in headers.get(function.split("::")[0], set()).intersection(reached):
                room = path.relative_to(house).parts[0]
                found.setdefault(function, set()).add((header, room))
    return {function: places.pop() for function, places in found.items() if len(places) == 1}


def read_room_includes(house):
    """For each room the rooms that it includes, each with every "file includes header". A public
    header, which also tells all rooms their types, stands for the rooms whose functions the file
    calls by it."""
    rooms = {p.name for p in house.iterdir() if p.is_dir()}
    functions = read_public_functions(house)
    found = {room: {} for room in rooms}
    for path in find_sources(house, "."):
        name = path.relative_to(house).as_posix()
        room = name.split("/")[0]
        cases = [(i.split("/")[0], f"includes {i}") for i in read_includes(path) if "/" in i]
        called = set(CALLS.findall(re.sub(r"//.*", "", path.read_text()))) & set(functions)
        reached = read_reached(house, path) if called else []
        cases += [(functions[f][1], f"includes {functions[f][0].name} and calls {f}")
                  for f in sorted(called) if functions[f][0] in reached]
        for other, case in cases:
            if {room, other} <= rooms and room != other:
                found[room].setdefault(other, []).append(f"{name} {case}")
    return found


def find_way(includes, start, end):
    """The shortest way from one room to another, as a list of rooms; None: there is none."""
    ways = [[start]]
    seen = {start}
    for way in ways:
        for room in sorted(set(includes[way[-1]]) - (seen - {end})):
            if room == end:
                return way + [end]
            seen.add(room)
            ways.append(way + [room])
    return None


# Sources from which others are reached, and how many headers of the project they may see.
CENTRAL = {"core/host/src/scanning/scan.cpp": 60}


def check_seen_headers(root):
    """A central source sees at most so many headers of the project."""
    houses = [root / "core/host/src", root / "core/processes/src"]
    for source, most in CENTRAL.items():
        reached, unread = set(), [root / source]
        while unread:
            path = unread.pop()
            headers = {h for house in houses for h in find_own_headers(house, path)} - reached
            reached |= headers
            unread += headers
        if len(reached) > most:
            yield f"{source} sees {len(reached)} headers of the project, at most {most} are allowed"


def count_lines(path):
    return path.read_bytes().count(b"\n") if path.is_file() else 0


def check_small_headers(root):
    """A private header of fewer than 40 lines is included by two files or more besides its own source,
    which else has 60 lines or more."""
    users = {}
    for path in [p for folder in USERS_OF_HEADERS for p in find_sources(root, folder)]:
        for include in read_includes(path):
            users.setdefault(include.split("/")[-1], []).append((path, include))
    for header in [p for folder in SMALL_HEADERS for p in find_sources(root, folder)]:
        name = header.as_posix()
        if header.suffix != ".hpp" or "/include/" in name or "/test/" in name or \
                count_lines(header) >= 40 or count_lines(header.with_suffix(".cpp")) >= 60:
            continue
        found = [path for path, include in users.get(header.name, [])
                 if (name.endswith("/" + include) or header.parent == path.parent)
                 and path != header.with_suffix(".cpp")]
        if len(found) < 2:
            yield f"{header.relative_to(root)} has fewer than 40 lines and is included by " \
                  f"{len(found)} others: put its contents where they are used"


def check_room_cycles(root):
    """Rooms include each other one way only."""
    for house in HOUSES:
        includes = read_room_includes(root / house)
        told = set()
        for room in sorted(includes):
            cycle = find_way(includes, room, room) if room not in told else None
            if cycle is None:
                continue
            told.update(cycle)
            cases = [case for a, b in zip(cycle, cycle[1:]) for case in includes[a][b]]
            yield f"{house}: {' -> '.join(cycle)}: " + "; ".join(cases)


# Of what a room is made; tests, and the backends that tests are made with, are counted nowhere.
COUNTED = {".cpp", ".hpp", ".h", ".c", ".def", ".inc", ".cl", ".py", ".rs", ".cmake"}
ROOM_LINES = "test/structure/room_lines.txt"


def count_room_lines(root, allowed):
    """Lines of each room, which is the nearest folder with a row; where rows stand below it too,
    it is made of the files that lie in it directly. What has no room counts for its folder."""
    parents = {parent.as_posix() for room in allowed for parent in pathlib.PurePath(room).parents}
    found = dict.fromkeys(allowed, 0)
    for path in sorted(p for p in root.rglob("*") if p.suffix in COUNTED and p.is_file()):
        name = path.relative_to(root)
        if name.parts[0].startswith((".", "build")) or "test" in name.parts or \
                name.parts[:2] == ("plugins", "mock-backends"):
            continue
        folder = name.parent
        room = next((r.as_posix() for r in (folder, *folder.parents) if r.as_posix() in allowed),
                    None)
        if room is None or room in parents and room != folder.as_posix():
            room = folder.as_posix()
        found[room] = found.get(room, 0) + path.read_bytes().count(b"\n")
    return found


def check_room_lines(root):
    """No room has more lines than its row in test/structure/room_lines.txt allows."""
    rows = [line.split() for line in (root / ROOM_LINES).read_text().splitlines()]
    allowed = {room: int(lines) for room, lines in rows}
    for room, lines in sorted(count_room_lines(root, allowed).items()):
        if room not in allowed:
            yield f"{room} has {lines} lines and no row in {ROOM_LINES}: add one"
        elif lines == 0:
            yield f"{room} has a row in {ROOM_LINES} and no file: take the row away"
        elif lines > allowed[room]:
            yield f"{room} has {lines} lines; {ROOM_LINES} allows {allowed[room]}: take " \
                  f"{lines - allowed[room]} away, or raise the number by a commit of its own " \
                  "that says what the lines buy"


def main():
    rule, root = sys.argv[1], pathlib.Path(sys.argv[2])
    check = globals()[f"check_{rule}"]
    breaches = list(check(root))
    for breach in breaches:
        print(breach)
    if breaches:
        print(f"\n{len(breaches)} breaches of: {check.__doc__}")
    sys.exit(1 if breaches else 0)


if __name__ == "__main__":
    main()
