"""Reads the PNG files that Dew writes, without any library: 8-bit RGB, no interlace."""
import struct
import zlib


def paeth(a, b, c):
    p = a + b - c
    pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
    return a if pa <= pb and pa <= pc else b if pb <= pc else c


def unfilter(kind, line, above):
    """Undoes the filter of one scan line of three bytes per pixel, in place."""
    for i in range(len(line)):
        left = line[i - 3] if i >= 3 else 0
        corner = above[i - 3] if i >= 3 else 0
        guess = (0, left, above[i], (left + above[i]) >> 1, paeth(left, above[i], corner))[kind]
        line[i] = (line[i] + guess) & 255


def read(path):
    """(width, height, rows of bytes)"""
    data = open(path, "rb").read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", f"{path} is no PNG"
    at, packed = 8, b""
    width = height = 0
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, bits, color, _, _, interlace = struct.unpack(">IIBBBBB", body)
            assert (bits, color, interlace) == (8, 2, 0), f"{path} is another kind of PNG"
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    raw = zlib.decompress(packed)
    rows, above = [], bytearray(3 * width)
    for y in range(height):
        begin = y * (3 * width + 1)
        line = bytearray(raw[begin + 1:begin + 1 + 3 * width])
        unfilter(raw[begin], line, above)
        rows.append(line)
        above = line
    return width, height, rows
