"""Writes ELF files of this machine that are sound enough to be read to their end, but hold far more
of something than any compiler writes."""

import struct

PT_LOAD, PT_DYNAMIC, PT_NOTE, PT_GNU_STACK = 1, 2, 4, 0x6474E551
DT_NULL, DT_NEEDED, DT_HASH, DT_STRTAB, DT_SYMTAB, DT_RELA, DT_RELASZ = 0, 1, 4, 5, 6, 7, 8
DT_STRSZ, DT_SONAME, DT_RUNPATH = 10, 14, 29
DT_GNU_HASH, DT_VERSYM, DT_VERNEED, DT_VERNEEDNUM = 0x6FFFFEF5, 0x6FFFFFF0, 0x6FFFFFFE, 0x6FFFFFFF
SHT_SYMTAB, SHT_STRTAB = 2, 3
GLOBAL_FUNCTION, UNIQUE_OBJECT, GLOBAL_UNDEFINED = 0x12, 0xA1, 0x10

ENTRY_POINTS = ("GetBackendId", "GetVersion", "BackendFactory")
HEADER_BYTES, SEGMENT_BYTES, SYMBOL_BYTES = 64, 56, 24


def gnu_hash(name):
    value = 5381
    for byte in name.encode():
        value = (value * 33 + byte) & 0xFFFFFFFF
    return value


def note(owner, kind, description):
    """A note with everything padded to four bytes."""
    owner = owner + b"\0"
    padded = [text.ljust(-(-len(text) // 4) * 4, b"\0") for text in (owner, description)]
    return struct.pack("<III", len(owner), len(description), kind) + b"".join(padded)


def find_abi_note(backend):
    """The description of the first ABI note of a real backend."""
    content = backend.read_bytes()
    place = content.find(b"Backplane\0")
    while place >= 12:
        name_bytes, description_bytes, kind = struct.unpack_from("<III", content, place - 12)
        if name_bytes == 10 and kind == 1 and description_bytes < 256:
            return content[place + 12:place + 12 + description_bytes]
        place = content.find(b"Backplane\0", place + 1)
    raise SystemExit(f"{backend} has no ABI note")


class ElfWriter:
    """A shared object in the making: one segment that maps all of the file to its own offsets."""

    def __init__(self, machine=62):
        self.machine = machine
        self.strings = bytearray(b"\0")
        self.undefined = []   # (offset of the name, info)
        self.exported = []    # (offset of the name, info, hash)
        self.dynamic = []     # (tag, value or what is known at the end)
        self.segments = []    # further ones: (type, flags, content or number of zero bytes)
        self.pieces = []      # (tags, content)
        self.sections = []    # (type, link, content)
        self.num_buckets = None
        self.num_relocations = 0
        self.notes = b""
        self.num_note_segments = 1
        self.num_load_segments = 1

    def text(self, text):
        """Adds a text to the string table and gives its place."""
        place = len(self.strings)
        self.strings += (text if isinstance(text, bytes) else text.encode()) + b"\0"
        return place

    def export(self, name):
        self.exported.append((self.text(name), GLOBAL_FUNCTION, gnu_hash(name)))

    def make_backend(self, abi_note):
        """Gives it what makes it a backend up to the stage of its dependencies."""
        for name in ENTRY_POINTS:
            self.export(name)
        self.notes += note(b"Backplane", 1, abi_note)

    def add_piece(self, tag, content):
        """A part of the file to which an entry of the dynamic section leads."""
        self.pieces.append((tag, content))

    def _write_symbols(self):
        """The symbol table and a hash table in which the entry points are where they belong."""
        num_buckets = self.num_buckets or max(1, len(self.exported) // 4)
        ordered = sorted(self.exported, key=lambda row: row[2] % num_buckets)
        first = 1 + len(self.undefined)
        symbols = bytearray(SYMBOL_BYTES)
        for place, info in self.undefined:
            symbols += struct.pack("<IBBHQQ", place, info, 0, 0, 0, 0)
        buckets = [0] * num_buckets
        chains = []
        for index, (place, info, value) in enumerate(ordered):
            symbols += struct.pack("<IBBHQQ", place, info, 0, 1, HEADER_BYTES, 1)
            bucket = value % num_buckets
            buckets[bucket] = buckets[bucket] or first + index
            is_last = index + 1 == len(ordered) or ordered[index + 1][2] % num_buckets != bucket
            chains.append(value | 1 if is_last else value & ~1)
        table = struct.pack("<IIIIQ", num_buckets, first, 1, 0, 0xFFFFFFFFFFFFFFFF)
        table += struct.pack(f"<{num_buckets + len(chains)}I", *buckets, *chains)
        self.pieces.append((DT_SYMTAB, bytes(symbols)))
        self.pieces.append((DT_GNU_HASH, table))

    def _write_relocations(self, address):
        """Each undefined symbol is used once, and as many others as are wanted."""
        rows = [struct.pack("<QQq", address, (index + 1) << 32 | 6, 0)
                for index in range(len(self.undefined))]
        rows += [struct.pack("<QQq", address, 8, 0)] * self.num_relocations
        return b"".join(rows)

    def write(self, path):
        self._write_symbols()
        num_segments = 3 + self.num_note_segments + self.num_load_segments - 1
        content = bytearray(HEADER_BYTES + num_segments * SEGMENT_BYTES)

        def append(piece):
            content.extend(b"\0" * (-len(content) % 8))
            place = len(content)
            content.extend(piece)
            return place

        dynamic = list(self.dynamic)
        for tag, piece in self.pieces:
            dynamic.append((tag, append(piece)))
        dynamic += [(DT_STRTAB, append(self.strings)), (DT_STRSZ, len(self.strings))]
        notes = append(self.notes)
        relocated = append(b"\0" * 64)
        # Behind the file, so that a relocation is in the last of very many segments.
        tiny = 1 << 40
        target = relocated
        if self.num_load_segments > 1:
            target = tiny + (self.num_load_segments - 2) * 0x1000
        relocations = self._write_relocations(target)
        if relocations:
            dynamic += [(DT_RELA, append(relocations)), (DT_RELASZ, len(relocations))]
        dynamic.append((DT_NULL, 0))
        dynamic_bytes = b"".join(struct.pack("<QQ", *row) for row in dynamic)
        dynamic_place = append(dynamic_bytes)
        mapped = len(content)
        sections_place = self._append_sections(append)

        def segment(kind, flags, place, size, address=None, memory=None):
            address = place if address is None else address
            return struct.pack("<IIQQQQQQ", kind, flags, place, address, address, size,
                               size if memory is None else memory, 0x1000 if kind == PT_LOAD else 4)

        table = segment(PT_LOAD, 6, 0, mapped)
        for index in range(self.num_load_segments - 1):
            table += struct.pack("<IIQQQQQQ", PT_LOAD, 6, 0, tiny + index * 0x1000, 0, 0,
                                 64, 0x1000)
        table += segment(PT_DYNAMIC, 6, dynamic_place, len(dynamic_bytes))
        table += segment(PT_GNU_STACK, 6, 0, 0)
        table += segment(PT_NOTE, 4, notes, len(self.notes)) * self.num_note_segments
        content[HEADER_BYTES:HEADER_BYTES + len(table)] = table
        content[:HEADER_BYTES] = struct.pack(
            "<16sHHIQQQIHHHHHH", b"\x7fELF\x02\x01\x01", 3, self.machine, 1, 0, HEADER_BYTES,
            sections_place, 0, HEADER_BYTES, SEGMENT_BYTES, num_segments, 64,
            len(self.sections), 0)
        path.write_bytes(content)

    def _append_sections(self, append):
        """The section headers, which the loader does not need. 0: there are none."""
        if not self.sections:
            return 0
        places = {}
        rows = b""
        for kind, link, piece in self.sections:
            if id(piece) not in places:
                places[id(piece)] = append(piece)
            rows += struct.pack("<IIQQQQIIQQ", 0, kind, 0, 0, places[id(piece)], len(piece), link,
                                0, 8, SYMBOL_BYTES if kind == SHT_SYMTAB else 0)
        return append(rows)
