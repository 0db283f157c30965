"""The program is built with what distributions harden theirs with: read from its ELF headers and symbols.

Full RELRO (a GNU_RELRO segment and BIND_NOW), a position-independent executable, a stack that is not executable, the
stack protector, checked calls of the C library (_FORTIFY_SOURCE) and, on x86-64, landing pads for indirect branches.
Skipped for sanitized and debug builds, which leave hardening out in whole or in part, and where the file is not ELF.
"""
import os
import pathlib
import struct
import sys

PT_LOAD, PT_DYNAMIC, PT_GNU_STACK, PT_GNU_RELRO = 1, 2, 0x6474E551, 0x6474E552
DT_FLAGS, DT_FLAGS_1 = 30, 0x6FFFFFFB
DF_BIND_NOW, DF_1_NOW, DF_1_PIE = 0x8, 0x1, 0x08000000
EM_X86_64 = 62
ENDBR64 = b"\xf3\x0f\x1e\xfa"


def segments(data):
    """(type, flags, bytes) of each program header of a 64-bit little-endian ELF file."""
    offset, = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    for i in range(count):
        kind, flags, at, _, _, length = struct.unpack_from("<IIQQQQ", data, offset + i * size)
        yield kind, flags, data[at:at + length]


def faults(data):
    found = list(segments(data))
    kinds = {kind: flags for kind, flags, _ in found}
    tags = {}
    for kind, _, content in found:
        if kind == PT_DYNAMIC:
            tags = dict(struct.unpack_from("<QQ", content, at) for at in range(0, len(content) - 15, 16))
    code = b"".join(content for kind, flags, content in found if kind == PT_LOAD and flags & 1)
    machine, = struct.unpack_from("<H", data, 18)
    checked = [name for name in (b"memcpy", b"snprintf", b"vsnprintf", b"printf", b"fprintf", b"vfprintf")
               if b"\0__" + name + b"_chk\0" in data]
    if PT_GNU_RELRO not in kinds:
        yield "no GNU_RELRO segment"
    if not (tags.get(DT_FLAGS, 0) & DF_BIND_NOW or tags.get(DT_FLAGS_1, 0) & DF_1_NOW):
        yield "symbols are bound lazily: RELRO is partial"
    if not tags.get(DT_FLAGS_1, 0) & DF_1_PIE:
        yield "not a position-independent executable"
    if kinds.get(PT_GNU_STACK, 1) & 1:
        yield "the stack is executable"
    if b"\0__stack_chk_fail\0" not in data:
        yield "no stack protector"
    if not checked:
        yield "no checked calls of the C library"
    if machine == EM_X86_64 and code.count(ENDBR64) < 1000:
        yield f"{code.count(ENDBR64)} landing pads of indirect branches"


def main():
    if os.environ.get("DEW_SANITIZED"):
        return 77
    program = pathlib.Path(sys.argv[1])
    cache = program.parent / "CMakeCache.txt"
    settings = cache.read_text() if cache.exists() else ""
    if "CMAKE_BUILD_TYPE:STRING=Debug" in settings or "DEW_HARDENING:BOOL=OFF" in settings:
        return 77
    data = program.read_bytes()
    if data[:6] != b"\x7fELF\x02\x01":
        return 77
    wrong = list(faults(data))
    print("\n".join(wrong) or "full RELRO, PIE, stack protector, checked calls, landing pads")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
