"""Files that cost whoever reads them much more than their size: each row of ATTACKS makes one."""

import functools
import struct

import elf_writer
from attack import Attack
from elf_writer import ElfWriter

FILE_NAME = "Hostile_File_backend.so"


def long_suffixes(writer, count, length):
    """`count` places of names that all end with one long text."""
    begin = writer.text(b"n" * length)
    return [begin + index % (length // 2) for index in range(count)]


def long_export_names(scale, abi_note):
    writer = ElfWriter()
    writer.make_backend(abi_note)
    for index, place in enumerate(long_suffixes(writer, 40_000 * scale, 500_000 * scale)):
        writer.exported.append((place, elf_writer.GLOBAL_FUNCTION, index * 4))
    return writer


def names_within_the_limit(scale, abi_note):
    """Each name is its own, as in a large library."""
    writer = ElfWriter()
    writer.make_backend(abi_note)
    for index in range(100_000 * scale):
        writer.export(f"function_number_{index}_of_very_many")
    return writer


def unique_names(scale, abi_note):
    writer = ElfWriter()
    writer.make_backend(abi_note)
    for index in range(100_000 * scale):
        place = writer.text(f"unique_{index}")
        writer.exported.append((place, elf_writer.UNIQUE_OBJECT, index * 4))
    return writer


def one_hash_chain(scale, abi_note):
    writer = names_within_the_limit(scale, abi_note)
    writer.num_buckets = 1
    return writer


def needed_versions(scale, abi_note, count, name):
    writer = ElfWriter()
    writer.make_backend(abi_note)
    library = writer.text("libc.so.6")
    version = writer.text(name)
    records = [struct.pack("<HHIII", 1, min(count, 0xFFFF), library, 16, 0)]
    for index in range(count):
        following = 16 if index + 1 < count else 0
        records.append(struct.pack("<IHHII", 0, 0, 2 + index % 30_000, version, following))
    writer.add_piece(elf_writer.DT_VERNEED, b"".join(records))
    writer.dynamic.append((elf_writer.DT_VERNEEDNUM, 1))
    return writer


def many_needed_versions(scale, abi_note):
    return needed_versions(scale, abi_note, 4_000 * scale, "V_1")


def long_needed_versions(scale, abi_note):
    return needed_versions(scale, abi_note, 4_000 * scale, b"V" * 256_000)


def many_sections(scale, abi_note):
    """Sections that all hold the same symbols, whose names all end with one long text."""
    writer = ElfWriter()
    count = 10_000 * scale
    names = b"\0" + b"n" * (500_000 * scale) + b"\0"
    symbols = b"".join(struct.pack("<IBBHQQ", 1 + index, 0x12, 0, 1, 64, 1)
                       for index in range(count))
    writer.sections = [(0, 0, b"")] + [(elf_writer.SHT_SYMTAB, 2, symbols),
                                       (elf_writer.SHT_STRTAB, 0, names)]
    writer.sections += [(elf_writer.SHT_SYMTAB, 2, symbols)] * min(count, 60_000)
    return writer


def relocations_and_segments(scale, abi_note, num_segments):
    writer = ElfWriter()
    writer.make_backend(abi_note)
    writer.num_load_segments = num_segments
    writer.num_relocations = 200_000 * scale
    return writer


def relocations_in_segments(scale, abi_note):
    return relocations_and_segments(scale, abi_note, 250 * scale)


def relocations_in_too_many_segments(scale, abi_note):
    return relocations_and_segments(scale, abi_note, 15_000 * scale)


def undefined_symbols(scale, abi_note):
    writer = ElfWriter()
    writer.make_backend(abi_note)
    for index in range(50_000 * scale):
        writer.undefined.append((writer.text(f"missing_{index}"), elf_writer.GLOBAL_UNDEFINED))
    return writer


def doubling_names(scale, abi_note):
    """Names in which each part is a pair of the part before it twice."""
    writer = ElfWriter()
    writer.make_backend(abi_note)
    name = "_Z1fSt4pairIiiE"
    for level in range(20 + scale):
        name += "S_IS{0}_S{0}_E".format(to_base_36(level))
    for index in range(100 * scale):
        place = writer.text(name + "i" * (1 + index))
        writer.undefined.append((place, elf_writer.GLOBAL_UNDEFINED))
    return writer


def to_base_36(number):
    text = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return text[number] if number < 36 else to_base_36(number // 36) + text[number % 36]


def needed_and_run_path(scale, abi_note, num_needed, num_directories):
    writer = ElfWriter()
    writer.make_backend(abi_note)
    for index in range(num_needed):
        writer.dynamic.append((elf_writer.DT_NEEDED, writer.text(f"libhostile{index}.so")))
    path = ":".join(f"/hostile/{index}" for index in range(num_directories))
    writer.dynamic.append((elf_writer.DT_RUNPATH, writer.text(path)))
    return writer


def many_places(scale, abi_note):
    return needed_and_run_path(scale, abi_note, 100 * scale, 100)


def too_many_places(scale, abi_note):
    return needed_and_run_path(scale, abi_note, 250 * scale, 1_000 * scale)


def origins(scale, abi_note):
    writer = ElfWriter()
    writer.make_backend(abi_note)
    for index in range(100):
        writer.dynamic.append((elf_writer.DT_NEEDED, writer.text(f"libhostile{index}.so")))
    writer.dynamic.append((elf_writer.DT_RUNPATH, writer.text("$ORIGIN" * (2_000 * scale))))
    return writer


def many_sonames(scale, abi_note):
    writer = ElfWriter()
    writer.make_backend(abi_note)
    name = writer.text(b"s" * (100_000 * scale))
    writer.dynamic += [(elf_writer.DT_SONAME, name)] * (3_000 * scale)
    return writer


def many_needed(scale, abi_note):
    writer = ElfWriter()
    writer.make_backend(abi_note)
    for place in long_suffixes(writer, 3_000 * scale, 100_000 * scale):
        writer.dynamic.append((elf_writer.DT_NEEDED, place))
    return writer


def many_notes(scale, abi_note):
    writer = ElfWriter()
    writer.make_backend(abi_note)
    writer.notes += elf_writer.note(b"Backplane", 1, abi_note) * (20_000 * scale)
    return writer


def broken_notes(scale, abi_note):
    writer = ElfWriter()
    writer.make_backend(abi_note)
    writer.notes += elf_writer.note(b"Backplane", 1, b"x") * (50_000 * scale)
    return writer


def notes_in_many_segments(scale, abi_note):
    writer = many_notes(scale, abi_note)
    writer.num_note_segments = 200 * scale
    return writer


MAKERS = (
    long_export_names, names_within_the_limit, unique_names, one_hash_chain, many_needed_versions,
    long_needed_versions, many_sections, relocations_in_segments, relocations_in_too_many_segments,
    undefined_symbols, doubling_names, many_places, too_many_places, origins, many_sonames,
    many_needed, many_notes, broken_notes, notes_in_many_segments,
)


def write(maker, scale, folder, abi_note):
    maker(scale, abi_note).write(folder / FILE_NAME)
    return ["list-backends", "--probe", "inspect", "--explain", str(folder / FILE_NAME)]


def list_attacks(backend):
    """Every attack, with the ABI note of a real backend."""
    abi_note = elf_writer.find_abi_note(backend)
    return [Attack(maker.__name__.replace("_", " "),
                   functools.partial(write, maker, abi_note=abi_note))
            for maker in MAKERS]
